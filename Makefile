# Two words matter to a newcomer: `make test` (install what tests need, run a slice of every suite) and
# `make check` (types, purity, lint, unit tests; about a minute). Everything runs on the Node that package.json pins.
SHELL := /bin/bash
ARCH := $(subst x86_64,x64,$(subst aarch64,arm64,$(shell uname -m)))
NODE := node_modules/node-linux-$(ARCH)/bin/node
export PATH := $(CURDIR)/node_modules/node-linux-$(ARCH)/bin:$(CURDIR)/node_modules/.bin:$(PATH)
UNIT := "src/**/*.test.ts" "tools/**/*.test.ts"

.PHONY: check test soak bench gen install types lint tidy unit durability skeleton fmt

install: node_modules/.installed
node_modules/.installed: package-lock.json .npmrc
	npm ci --no-audit --no-fund --loglevel=error
	@touch $@

check: install types tidy lint unit
