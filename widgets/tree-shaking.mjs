// Drops what esbuild keeps of Downshift although the bundles don't use it: half of its 44 KB.
import { readFile } from "node:fs/promises";

/** The types of props, which only development checks. */
const PROP_TYPES = /^var (\w*[pP]ropTypes[\w$]*) = (?:_extends\()?\{[\s\S]*?^\}\)?;$/gm;
/** An assignment that keeps its hook, since esbuild takes it for an effect. */
const HOOK_PROPERTY = /^(\w+)\.stateChangeTypes = [\w$]+;$/gm;
const PURE_CALL = /^(var [\w$]+ = )(?=(?:_extends|debounce)\()/gm;

/** Returns a plugin that keeps one of Downshift's hooks; it fails if there is nothing to drop any more. */
export const keepOfDownshift = (hook) => ({
  name: "keep-of-downshift",
  setup(build) {
    build.onLoad({ filter: /[\\/]downshift\.esm\.mjs$/ }, async ({ path }) => {
      let contents = await readFile(path, "utf8");
      const replace = (pattern, by) => {
        if (contents.search(pattern) < 0) throw Error(`${path} has changed: no ${pattern}`);
        contents = contents.replace(pattern, by);
      };
      replace(PROP_TYPES, "var $1;");
      replace(HOOK_PROPERTY, (line, name) => (name === hook ? line : ""));
      replace(PURE_CALL, "$1/* @__PURE__ */ ");
      return { contents };
    });
    // Downshift's component and its checks import these, which don't declare that they have no effects.
    build.onResolve(
      { filter: /^(prop-types|react-is)$/ },
      async ({ path, importer, resolveDir, kind, pluginData }) => {
        if (pluginData?.isResolving) return undefined;
        const options = { importer, resolveDir, kind, pluginData: { isResolving: true } };
        return { ...(await build.resolve(path, options)), sideEffects: false };
      },
    );
  },
});
