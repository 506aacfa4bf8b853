import assert from "node:assert/strict";
import { X509Certificate } from "node:crypto";
import type { AddressInfo } from "node:net";
import { test } from "node:test";
import { connect, createServer } from "node:tls";
import {
  CERTIFICATE_MS,
  machineName,
  makeAuthority,
  makeMaster,
  makeRequest,
  masterName,
  provenName,
  signMachine,
} from "./certificates.ts";

const NOW = Date.parse("2026-11-16T00:00:00Z");
const authority = await makeAuthority("cc", NOW);
const other = await makeAuthority("cc", NOW);
const named = (pem: string, authorities = [authority.certificate], nowMs = NOW): string | undefined =>
  provenName(new X509Certificate(pem), authorities, nowMs);

test("a master's certificate carries its name, its hosts, and is proven by its own authority only [KA2]", async () => {
  const { certificate } = await makeMaster(authority, { cell: "cc", replica: 0, hosts: ["localhost", "127.0.0.1", "::1"] }, NOW);
  assert.equal(named(certificate), masterName("cc", 0));
  assert.equal(named(certificate, [other.certificate]), undefined);
  assert.equal(named(certificate, [other.certificate, authority.certificate]), masterName("cc", 0), "two are accepted during a rotation");
  const parsed = new X509Certificate(certificate);
  assert.equal(parsed.checkHost("localhost"), "localhost");
  assert.equal(parsed.checkIP("127.0.0.1"), "127.0.0.1");
});

test("a machine's certificate has the name that was given, whatever its request says [KA2]", async () => {
  const { request } = await makeRequest("m9");
  const certificate = await signMachine(authority, request, { cell: "cc", machine: "m1" }, NOW);
  assert.ok(certificate);
  assert.equal(named(certificate), machineName("cc", "m1"));
});

test("a request that was tampered with, or is none, is not signed", async () => {
  const { request } = await makeRequest("m1");
  const body = request.split("\n").slice(1, -2).join("");
  const bytes = Buffer.from(body, "base64");
  bytes[bytes.length - 5]! ^= 1;
  const bad = `-----BEGIN CERTIFICATE REQUEST-----\n${bytes.toString("base64")}\n-----END CERTIFICATE REQUEST-----\n`;
  assert.equal(await signMachine(authority, bad, { cell: "cc", machine: "m1" }, NOW), undefined);
  assert.equal(await signMachine(authority, "rubbish", { cell: "cc", machine: "m1" }, NOW), undefined);
});

test("a certificate proves nothing before and after its time, and an authority's own certificate is nobody's name", async () => {
  const { certificate } = await makeMaster(authority, { cell: "cc", replica: 0, hosts: [] }, NOW);
  assert.equal(named(certificate, [authority.certificate], NOW - 2 * 3_600_000), undefined);
  assert.equal(named(certificate, [authority.certificate], NOW + CERTIFICATE_MS), undefined);
  assert.equal(named(authority.certificate), undefined);
});

test("while two authorities are believed, TLS proves certificates of both, in whatever order they stand [KA2]", async () => {
  for (const by of [authority, other]) {
    const { key, certificate } = await makeMaster(by, { cell: "cc", replica: 0, hosts: ["localhost"] }, Date.now());
    const server = createServer({ key, cert: certificate }, (socket) => socket.end());
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    try {
      for (const ca of [
        [authority, other],
        [other, authority],
      ].map((all) => all.map((each) => each.certificate))) {
        const socket = connect({ host: "127.0.0.1", port, servername: "localhost", ca });
        await new Promise<void>((resolve, reject) => socket.once("secureConnect", resolve).once("error", reject));
        assert.ok(socket.authorized);
        socket.destroy();
      }
    } finally {
      server.close();
    }
  }
});
