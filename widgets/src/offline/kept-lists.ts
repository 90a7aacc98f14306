/** What the service worker keeps for lists, of the files that other screens share. */
export * from "../shared/saved-count";
export * from "./move-dialog/live";
