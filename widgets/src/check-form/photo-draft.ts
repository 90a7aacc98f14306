/** The photos of a draft: each is saved in the browser as a part of its own. */
import { PHOTO } from "../shared/drafts";
import type { SavedPhoto } from "../shared/saved-check";

/** Saves and removes parts of the draft. */
export interface PhotoDraft {
  put: (part: string, value: unknown) => Promise<void>;
  remove: (parts: string[]) => Promise<void>;
}

/** Returns the name of a photo's part. */
export function partOf(id: string): string {
  return PHOTO + id;
}

/** Returns the photos of a draft with their ids, in the order in which they were picked. */
export function savedPhotos(parts: ReadonlyMap<string, unknown>): [string, SavedPhoto][] {
  return [...parts]
    .filter(([part]) => part.startsWith(PHOTO))
    .map(([part, photo]): [string, SavedPhoto] => [part.slice(PHOTO.length), photo as SavedPhoto])
    .sort(([, a], [, b]) => a.order - b.order);
}
