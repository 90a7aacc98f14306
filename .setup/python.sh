#!/usr/bin/env bash
# Makes .venv and installs the packages of a lock file into it; says in one line what is missing.
# Usage: .setup/python.sh requirements.lock
set -euo pipefail
stop() { echo "make: $*" >&2; exit 1; }
lock=$1

python=
for candidate in python3 python3.13 python3.12 python3.11; do
  if "$candidate" -c 'import sys; sys.exit(not (3, 11) <= sys.version_info[:2] <= (3, 13))' 2>/dev/null; then
    python=$candidate
    break
  fi
done
[ -n "$python" ] || stop "Quartermaster needs Python 3.11, 3.12 or 3.13; install one (Debian: apt-get install python3 python3-venv)."

if [ ! -x .venv/bin/python ] || ! .venv/bin/python -m pip --version >/dev/null 2>&1; then
  rm -rf .venv
  if ! "$python" -m venv .venv >/dev/null 2>&1; then
    rm -rf .venv
    if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
      echo "Installing python3-venv…"
      apt-get update -qq && apt-get install -y -qq python3-venv >/dev/null
    fi
    "$python" -m venv .venv || { rm -rf .venv; stop "Python's venv is missing; install it (Debian: apt-get install python3-venv)."; }
  fi
fi
echo "Installing the Python packages of $lock…"
# Resolves nothing: pip would look at releases newer than those locked, and refuse them for their missing hash.
.venv/bin/pip install -qq --disable-pip-version-check --require-hashes --no-deps -r "$lock"
.venv/bin/pip install -qq --disable-pip-version-check --no-deps --no-build-isolation -e .
.venv/bin/pip check --disable-pip-version-check
