// Builds hashed, precompressed scripts and styles into static/built, with a manifest of their names.
import { createHash } from "node:crypto";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import * as esbuild from "esbuild";
import { leaveOutOfHtmx } from "./htmx.mjs";
import { keepOfDownshift } from "./tree-shaking.mjs";

const here = fileURLToPath(new URL(".", import.meta.url));
const built = join(here, "../static/built");
const compress = {
  br: (data) =>
    promisify(brotliCompress)(data, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }),
  gz: (data) => promisify(gzip)(data, { level: 9 }),
};

const manifest = {};
/** The files that each entry imports, also through others: a page names them all, so that none waits for another. */
const imports = {};

const importsOf = (outputs, file) => {
  const found = new Set();
  const add = (from) => {
    for (const { path, kind } of outputs[from].imports) {
      if (kind !== "import-statement" || found.has(path)) continue;
      found.add(path);
      if (path in outputs) add(path);
    }
  };
  add(file);
  return [...found].map((path) => basename(path));
};

/** The files of all builds, each with those that it imports at once or later. */
const imported = new Map();

/** What opens without a connection, with all that it loads: the service worker keeps these files. */
const OFFLINE = [
  ...["app.css", "work.css", "count.css", "offline.css", "outbox.css"],
  ...["boot.js", "lists.js", "header.js"],
  ...["offline.js", "stock-count.js", "check-form.js", "outbox.js", "kept-lists.js"],
];

/** What lists load in one request, and the entry that the service worker keeps in its place, of shared files. */
const STAND_INS = { "moves.js": "kept-lists.js", "saved-count.js": "kept-lists.js" };

const offlineFiles = (replaced) => {
  const found = new Set();
  const add = (name) => {
    // Where there are service workers, the browser hashes by itself.
    if (found.has(name) || replaced.includes(name) || name.startsWith("sha2-")) return;
    found.add(name);
    imported.get(name).forEach(add);
  };
  for (const entry of OFFLINE) add(manifest[entry]);
  return [...found].sort().map((name) => `/static/built/${name}`);
};

/** Builds the service worker, last: it names the files of the other builds. */
const buildWorker = async () => {
  const standIns = Object.entries(STAND_INS).map((pair) => pair.map((entry) => manifest[entry]));
  const files = offlineFiles(standIns.map(([name]) => name));
  const version = createHash("sha256").update([files, standIns].join()).digest("hex").slice(0, 12);
  const { splitting, plugins, ...options } = optionsOf({
    worker: "src/offline/worker.ts",
    "no-worker": "src/offline/no-worker.ts",
  });
  await esbuild.build({
    ...options,
    plugins: [keepManifest({ isWorker: true })],
    // Not every browser has service workers that are modules.
    format: "iife",
    define: { ...options.define, BUILD: JSON.stringify({ version, files, standIns }) },
  });
};

/** Names what a build made in the manifest, compresses it, and takes away what it made before. */
const keepManifest = ({ isWorker = false } = {}) => {
  let before = [];
  return {
    name: "manifest",
    setup(build) {
      build.onEnd(async ({ errors, metafile }) => {
        if (errors.length) return;
        const names = Object.keys(metafile.outputs).map((file) => basename(file));
        for (const name of before.filter((old) => !names.includes(old))) {
          for (const ending of ["", ".br", ".gz"])
            await rm(join(built, name + ending), { force: true });
        }
        before = names;
        for (const [file, { entryPoint, imports: loaded }] of Object.entries(metafile.outputs)) {
          const name = basename(file);
          const entry = name.replace(/-[A-Z0-9]{8}\./, ".");
          imported.set(
            name,
            loaded.map(({ path }) => basename(path)),
          );
          if (entryPoint) {
            manifest[entry] = name;
            imports[entry] = importsOf(metafile.outputs, file);
          }
          const data = await readFile(join(built, name));
          for (const [ending, shrink] of Object.entries(compress)) {
            await writeFile(join(built, `${name}.${ending}`), await shrink(data));
          }
        }
        if (!isWorker && OFFLINE.every((entry) => entry in manifest)) await buildWorker();
        await writeFile(join(built, "imports.json"), JSON.stringify(imports, null, 1));
        await writeFile(join(built, "manifest.json"), JSON.stringify(manifest, null, 1));
      });
    },
  };
};

/** Leaves React to the file of vendor.ts, once that is built. */
const shareReact = {
  name: "share-react",
  setup(build) {
    build.onResolve({ filter: /^react(-dom)?(\/|$)/ }, () =>
      manifest["vendor.js"]
        ? { path: `/static/built/${manifest["vendor.js"]}`, external: true }
        : undefined,
    );
  },
};

const optionsOf = (entryPoints) => ({
  absWorkingDir: here,
  entryPoints,
  outdir: built,
  entryNames: "[name]-[hash]",
  chunkNames: "[name]-[hash]",
  bundle: true,
  jsx: "automatic",
  define: { "process.env.NODE_ENV": '"production"' },
  splitting: true,
  format: "esm",
  minify: true,
  metafile: true,
  legalComments: "none",
  target: ["es2022", "safari15.4", "chrome100", "firefox100"],
  plugins: [shareReact, keepOfDownshift("useCombobox"), leaveOutOfHtmx, keepManifest()],
});
const contextOf = (entryPoints) => esbuild.context(optionsOf(entryPoints));

await rm(built, { recursive: true, force: true });
await mkdir(built, { recursive: true });
await esbuild.build(optionsOf({ vendor: "src/vendor.ts" }));
// A build each: what pages and widgets share is small, and a chunk for each of it would cost pages more in headers.
const contexts = [
  await contextOf({
    app: "../static/css/app.css",
    work: "../static/css/work.css",
    reviews: "../static/css/features/reviews.css",
    boot: "src/boot.ts",
    lists: "src/lists/index.ts",
  }),
  await contextOf({ dashboard: "src/dashboard.ts" }),
  // Loaded by lists whose line is cut, in one request.
  await contextOf({ moves: "src/offline/move-dialog/live.ts" }),
  // A file each, since pages load no more than one of them.
  await contextOf({ register: "src/offline/register.ts" }),
  await contextOf({ forget: "src/offline/forget.ts" }),
  await contextOf({ find: "src/find.ts" }),
  await contextOf({ shortcuts: "src/shortcuts.ts" }),
  // The styles of single pages.
  await contextOf(
    Object.fromEntries(
      [
        "acts",
        "assets",
        "bookings",
        "checks",
        "columns",
        "costs",
        "count",
        "deliveries",
        "dashboard",
        "defects",
        "due",
        "groups",
        "history-page",
        "item",
        "off-road",
        "offline",
        "outbox",
        "record",
        "reorder",
        "imports",
        "repairs",
        "reviews",
        "search",
        "teams",
      ].map((page) => [page, `../static/css/features/${page}.css`]),
    ),
  ),
  // Swagger UI, for /api/docs alone.
  await contextOf([
    { in: "src/api-docs/index.ts", out: "api-docs" },
    { in: "src/api-docs/style.css", out: "api-docs" },
  ]),
  await contextOf({
    "bulk-update": "src/bulk-update/index.tsx",
    "asset-groups": "src/asset-groups/index.tsx",
  }),
  // All that is opened without a connection: the service worker keeps what they share once.
  await contextOf({
    offline: "src/offline/index.tsx",
    outbox: "src/outbox/page/index.tsx",
    // What pages load where there is unsent work.
    header: "src/outbox/header.ts",
    "stock-count": "src/stock-count/index.tsx",
    "check-form": "src/check-form/index.tsx",
    "kept-lists": "src/offline/kept-lists.ts",
  }),
];

for (const context of contexts) {
  if (process.argv.includes("--watch")) {
    await context.watch();
  } else {
    await context.rebuild();
    await context.dispose();
  }
}
