/**
 * The service worker. Its caches hold built files, a neutral page and a dialog: nothing of a person,
 * and no reply of a call. Pages come from the server; without a line, the neutral page shows what can be
 * shown from the browser's database.
 */
import { SYNC_TAG, sendInBackground } from "../outbox/index";
import { MOVE_DIALOG, namesFor, SHELL, screenAt } from "./addresses";
import { respond } from "./navigation";
import { forgetPerson, loadPerson } from "./person";
import { type Build, deleteOld, findBuilt, findRendered, install } from "./precache";
import { firstReference } from "./references";
import type { RequestEvent, WorkerScope } from "./worker-scope";

declare const self: WorkerScope;
/** The build's version and files, which build.mjs fills in. */
declare const BUILD: Build;

/** Pages that the person waits for, however long they take. */
const awaited = new Set<string>();

async function canOpen(url: URL): Promise<boolean> {
  const screen = screenAt(url);
  if (!screen || awaited.delete(url.href)) return false;
  if (screen.screen === "outbox") return true;
  const person = await loadPerson();
  if (!person) return false;
  return (await firstReference(person.user, namesFor(screen, person.chosen))) !== null;
}

async function openPage(event: RequestEvent): Promise<Response> {
  return respond({
    load: async () => (await event.preloadResponse) ?? fetch(event.request),
    canOpen: () => canOpen(new URL(event.request.url)),
    shell: () => findRendered(BUILD, SHELL),
  });
}

async function openKept(request: Request, kept: Promise<Response | undefined>): Promise<Response> {
  return (await kept) ?? fetch(request);
}

self.addEventListener("install", (event) => {
  // At once: the files of the last build are kept for the pages that are open.
  event.waitUntil(install(BUILD).then(() => self.skipWaiting()));
});

self.addEventListener("activate", (event) => {
  event.waitUntil(
    Promise.all([
      self.registration.navigationPreload?.enable(),
      deleteOld(BUILD),
      self.clients.claim(),
    ]),
  );
});

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (url.origin !== self.location.origin) return;
  // The sign-in page, which does the same, may be lost on its way.
  if (request.method === "POST" && url.pathname === "/logout") event.waitUntil(forgetPerson());
  if (request.method !== "GET") return;
  if (request.mode === "navigate") event.respondWith(openPage(event));
  else if (url.pathname.startsWith("/static/built/"))
    event.respondWith(openKept(request, findBuilt(url.href)));
  else if (url.pathname === MOVE_DIALOG)
    event.respondWith(openKept(request, findRendered(BUILD, MOVE_DIALOG)));
});

self.addEventListener("message", (event) => {
  const message = event.data as { type?: string; url?: string } | null;
  if (message?.type === "await" && message.url) {
    awaited.add(message.url);
    event.ports[0]?.postMessage(true);
  }
});

self.addEventListener("sync", (event) => {
  if (event.tag === SYNC_TAG) event.waitUntil(sendInBackground());
});
