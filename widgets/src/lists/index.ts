/** The script of list pages: htmx, dialogs and failed requests. */
import htmx from "htmx.org";
import { PAGE_REPLACED } from "../forms/page-form";
import { readHint } from "../outbox/hint";
import { HTMX } from "../shared/htmx-events";
import { watchBoostedLinks } from "./boost";
import { watchBusy } from "./busy";
import { watchDialog } from "./dialog";
import { on } from "./events";
import { watchFailures } from "./failures";
import { resendFilledIn, watchFilters } from "./filters";
import { watchMessages } from "./messages";
import { loadMoves } from "./moves";
import { watchPhotos } from "./photos";
import { offerSaved } from "./resume";
import { watchRows } from "./rows";

watchFailures();
watchBusy();
watchFilters();
watchMessages();
watchRows();
watchBoostedLinks();
const dialog = document.querySelector<HTMLDialogElement>("dialog#dialog");
watchDialog(dialog);
watchPhotos();
document.addEventListener(PAGE_REPLACED, () => htmx.process(document.body));
htmx.onLoad((root) => resendFilledIn(root as ParentNode));

const savedCount = document.getElementById("kept-count");
if (savedCount) void offerSaved(savedCount);

// Loaded on demand: most people have sent everything.
const moves = dialog?.dataset.moves;
if (moves && readHint()) void loadMoves(moves, (live) => live.showUnsent());

const ticked = document.querySelector<HTMLFormElement>("form#ticked");
if (ticked) {
  void import("../forms/ticks").then((ticks) => on(HTMX.afterSwap, ticks.watchTicks(ticked)));
}

const queue = document.querySelector<HTMLElement>("[data-review-queue]");
if (queue) {
  void import("./review-queue").then((review) => {
    let wasBelow = false;
    review.watchKeys(queue);
    review.watchRemark(queue);
    on(HTMX.beforeRequest, ({ elt }) => {
      wasBelow = elt.closest(".queued") !== null;
    });
    on(HTMX.beforeSwap, ({ requestConfig: { elt, verb }, shouldSwap, xhr }) => {
      if (verb === "post" && shouldSwap && xhr.status < 300) review.forgetRemark(elt);
    });
    on(HTMX.afterSettle, ({ target }) => {
      if (target !== queue) return;
      review.renderSwitch(queue);
      review.restoreRemark(queue);
      review.focusNow(queue, wasBelow);
    });
  });
}
