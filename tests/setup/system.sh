#!/usr/bin/env bash
# Installs Chromium, PostgreSQL and curl for the tests where they are missing (root), or says what to install.
set -euo pipefail
missing=()
command -v chromium >/dev/null || command -v chromium-browser >/dev/null || command -v google-chrome >/dev/null || missing+=(chromium)
compgen -G '/usr/lib/postgresql/*/bin/initdb' >/dev/null || command -v initdb >/dev/null || missing+=(postgresql)
command -v curl >/dev/null || missing+=(curl)
[ ${#missing[@]} -gt 0 ] || exit 0
if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
  echo "Installing ${missing[*]}…"
  apt-get update -qq
  DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
else
  echo "make test: needs ${missing[*]}; install with: sudo apt-get install ${missing[*]}" >&2
  exit 1
fi
