// Leaves out of htmx what the pages don't use: 6 of its 16 KB.
import { readFile } from "node:fs/promises";

/** Its configuration, within our Content-Security-Policy; error fragments are swapped too. */
const CONFIG = {
  allowEval: false,
  allowScriptTags: false,
  timeout: 20_000,
  defaultSettleDelay: 0,
  scrollIntoViewOnBoost: false,
  responseHandling: [
    { code: "204", swap: false },
    { code: "[2345]..", swap: true },
  ],
};

const API =
  "{ onLoad: onLoadHelper, process: processNode, trigger: triggerEvent, ajax: ajaxHelper }";

/** The functions of what is left out, and what each does instead. */
const BODIES = {
  // With an eval in it nothing would fall away.
  internalEval: "",
  // Extensions, hx-on, hx-preserve, partials, conditions of triggers, polling and `load`.
  withExtensions: "",
  getExtensions: "return []",
  isInlineSwap: "return swapStyle === 'outerHTML'",
  deInitOnHandlers: "",
  findHxOnWildcardElements: "return []",
  processHxOnWildcard: "",
  handlePreservedElements: "",
  restorePreservedElements: "",
  findAndSwapPartials: "return false",
  maybeGenerateConditional: "",
  maybeFilterEvent: "return false",
  processPolling: "",
  cancelPolling: "",
  initScrollHandler: "",
  maybeReveal: "",
  loadImmediately: "",
  // Each event a second time, in kebab case.
  kebabEventName: "return str",
  // Relative selectors, and hx-vals, hx-headers, hx-params and hx-disabled-elt.
  querySelectorAllExt: "return [...document.querySelectorAll(selector)]",
  getValuesForElement: "return {}",
  getExpressionVars: "return {}",
  filterValues: "return inputValues",
  disableElements: "return []",
  formDataProxy: "return formData",
  // Pages in its own history: the browser loads them again.
  setCurrentPathForHistory: "",
  saveCurrentPageToHistory: "history.replaceState({ htmx: true }, '', location.href)",
  restoreHistory: "location.reload()",
  // The configuration is in the bundle.
  mergeMetaConfig: "",
  insertIndicatorStyles: "",
};

/** Parts of functions that are left out. */
const PARTS = [
  // hx-confirm and hx-prompt.
  /^ {4}const confirmQuestion = [\s\S]*?(?=^ {4}let syncElt = )/m,
  /^ {4}const promptQuestion = [\s\S]*?(?=^ {4}let headers = )/m,
  /, promptResponse(?=\))/,
  // The progress of uploads, hx-select-oob and view transitions.
  /^ {4}forEach\(\['loadstart', [\s\S]*?^ {4}\}\)\n/m,
  /^ {8}if \(swapOptions\.selectOOB\) \{[\s\S]*?^ {8}\}\n/m,
  /^ {4}if \(shouldTransition &&[\s\S]*?^ {4}\}\n/m,
  // Headers of replies.
  /^ {4}if \(hasHeader\(xhr, 'HX-Location'\)\) \{[\s\S]*?^ {4}\}\n/m,
  /^ {6}if \(hasHeader\(xhr, 'HX-Reselect'\)\) \{[\s\S]*?^ {6}\}\n/m,
  /^ {8}afterSwapCallback: function\(\) \{[\s\S]*?^ {8}\},\n(?= {8}afterSettle)/m,
  /^ {8}afterSettleCallback: function\(\) \{[\s\S]*?^ {8}\},\n/m,
  /^ {4}if \(htmx\.logger && [\s\S]*?^ {4}\}\n/m,
  /^ {2}const HX_ON_QUERY = [\s\S]*?\]'\)\n/m,
];

/** Returns what is kept of htmx; it fails if there is nothing to leave out any more. */
const shrink = (source) => {
  let code = source;
  const replace = (pattern, by) => {
    if (code.search(pattern) < 0) throw Error(`htmx has changed: no ${pattern}`);
    code = code.replace(pattern, by);
  };
  const defaults = /^ {4}config: (\{[\s\S]*?^ {4}\}),/m.exec(code)[1];
  const config = { ...Function(`return ${defaults}`)(), ...CONFIG };
  // As functions of a module, not of a function, the unused ones fall away.
  replace(/^[\s\S]*?(?=^ {2}const VERBS = )/m, "");
  replace(/^ {2}return htmx\n\}\)\(\)[\s\S]*$/m, `export default ${API}`);
  for (const [name, body] of Object.entries(BODIES)) {
    replace(
      new RegExp(`^( {2}function ${name}\\(.*?\\) )\\{\\n[\\s\\S]*?^ {2}\\}`, "m"),
      (_, head) => `${head}{ ${body} }`,
    );
  }
  for (const part of PARTS) replace(part, "");
  replace(/\bhtmx\.config\.(\w+)/g, (_, name) => JSON.stringify(config[name]));
  replace(/\bhtmx\.on\(/, "addEventListenerImpl(");
  replace(/\bhtmx\.(?=location)/g, "");
  return code;
};

/** A plugin for htmx. */
export const leaveOutOfHtmx = {
  name: "leave-out-of-htmx",
  setup(build) {
    build.onLoad({ filter: /[\\/]htmx\.esm\.js$/ }, async ({ path }) => ({
      contents: shrink(await readFile(path, "utf8")),
    }));
  },
};
