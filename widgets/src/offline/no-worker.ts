/** Takes the place of the service worker where that is switched off: deletes its caches, and itself. */
import { deleteAll } from "./precache";
import type { WorkerScope } from "./worker-scope";

declare const self: WorkerScope;

self.addEventListener("install", (event) => event.waitUntil(self.skipWaiting()));

self.addEventListener("activate", (event) => {
  event.waitUntil(deleteAll().then(() => self.registration.unregister()));
});
