#!/usr/bin/env bash
# Installs .setup/pre-commit as this repository's pre-commit hook; never overwrites another one.
set -euo pipefail
hook=$(git rev-parse --git-path hooks/pre-commit)
if [ -e "$hook" ] && ! grep -q 'hook of Quartermaster' "$hook"; then
  echo "make: $hook is another hook; move it away first." >&2
  exit 1
fi
mkdir -p "$(dirname "$hook")"
install -m 755 .setup/pre-commit "$hook"
echo "Installed $hook: each commit runs make quick first."
