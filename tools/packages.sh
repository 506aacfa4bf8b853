#!/bin/sh
# Installs the packages of a list (tools/debian-packages if none is named) that are missing, as root on Debian. A plain user is told the line to type.
# BORG_NO_APT=1 installs nothing. It never fails: a test whose package is missing says so and is skipped, and tools/skips.ts judges that.
set -eu
cd "$(dirname "$0")/.."
wanted=$(sed 's/#.*//' "${1:-tools/debian-packages}" | tr -s ' \n' ' ')
if ! command -v dpkg-query > /dev/null || ! command -v apt-get > /dev/null; then
  echo "packages: this is not Debian; suites need what Debian calls: $wanted"
  exit 0
fi
missing=
for name in $wanted; do
  [ "$(dpkg-query -W -f '${Status}' "$name" 2> /dev/null)" = "install ok installed" ] || missing="$missing $name"
done
[ -n "$missing" ] || exit 0

if [ "${BORG_NO_APT:-}" = 1 ]; then
  echo "packages: not installed, for BORG_NO_APT=1:$missing"
  exit 0
fi
if [ "$(id -u)" != 0 ]; then
  echo "packages: some tests are skipped without them; type: sudo apt-get install$missing"
  exit 0
fi

export DEBIAN_FRONTEND=noninteractive
log=.cache/packages.log
mkdir -p .cache
apt() {
  apt-get -q -o Acquire::Retries=1 -o Acquire::http::Timeout=20 -o DPkg::Lock::Timeout=120 "$@" >> "$log" 2>&1
}
# Programs are wanted, not services: a file that Debian asks before it starts one says no, for as long as this runs.
policy=/usr/sbin/policy-rc.d
if [ ! -e "$policy" ]; then
  trap 'rm -f "$policy"' EXIT
  printf '#!/bin/sh\nexit 101\n' > "$policy"
  chmod +x "$policy"
fi
echo "packages: apt-get installs$missing"
: > "$log"
# On a fresh machine the lists of packages are missing or too old.
# shellcheck disable=SC2086
apt install -y --no-install-recommends $missing || { apt update && apt install -y --no-install-recommends $missing; } ||
  echo "packages: apt-get could not install$missing: $(grep '^E:' "$log" | head -n 1) (all of it: $log)"
