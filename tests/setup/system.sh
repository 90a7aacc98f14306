#!/usr/bin/env bash
# Installs Chromium, PostgreSQL and curl for the tests where they are missing (root), or says what to install;
# with the argument libfaketime that too.
set -euo pipefail
has() { command -v "$1" >/dev/null; }
missing=()
has chromium-headless-shell || has chromium || has chromium-browser || has google-chrome || missing+=(chromium)
compgen -G '/usr/lib/postgresql/*/bin/initdb' >/dev/null || has initdb || missing+=(postgresql)
has curl || missing+=(curl)
[ "${1:-}" != libfaketime ] || compgen -G '/usr/lib/*/faketime/libfaketimeMT.so.1' >/dev/null || missing+=(libfaketime)
[ ${#missing[@]} -gt 0 ] || exit 0
if [ "$(id -u)" = 0 ] && has apt-get; then
  apt-get update -qq
  # Chromium without its windows starts sooner, where there is a package of it.
  if [ "${missing[0]}" = chromium ] && apt-cache show chromium-headless-shell >/dev/null 2>&1; then
    missing[0]=chromium-headless-shell
  fi
  echo "Installing ${missing[*]}…"
  DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
else
  echo "make test: needs ${missing[*]}; install with: sudo apt-get install ${missing[*]}" >&2
  exit 1
fi
