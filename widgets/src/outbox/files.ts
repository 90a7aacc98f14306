/** Unsent work as a file: saved here, and loaded on any device by its person. */

import { plural } from "../shared/money";
import { isRecord } from "../shared/requests";
import { londonDay } from "../shared/times";
import { type Entry, type EntryPhoto, SCHEMA } from "./entry";
import { isEntryOf } from "./saved-entry";
import * as store from "./store";

const FORMAT = "quartermaster-outbox";
/** The version of the file; entries have one of their own. */
const VERSION = 1;

/** How much of an entry's title its file's name has. */
const MAX_CONTENT = 60;

const NO_FILE = "This isn't a file of unsent work. Choose one that Quartermaster has saved.";
const NEWER =
  "This file was saved by a newer version of Quartermaster. Load this page again, then try again.";

/** A file that can't be loaded; the message is for people. */
export class NotLoaded extends Error {}

interface SavedPhoto {
  entry: string;
  hash: string;
  name: string;
  base64: string;
}

interface SavedFile {
  format: typeof FORMAT;
  version: number;
  user: number;
  username: string;
  entries: Entry[];
  photos: SavedPhoto[];
}

const PART = 0x8000;

function toBase64(data: ArrayBuffer): string {
  const bytes = new Uint8Array(data);
  let text = "";
  // In parts: a call takes only so many arguments.
  for (let start = 0; start < bytes.length; start += PART)
    text += String.fromCharCode(...bytes.subarray(start, start + PART));
  return btoa(text);
}

function fromBase64(text: string): ArrayBuffer {
  try {
    return Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0)).buffer;
  } catch {
    throw new NotLoaded(NO_FILE);
  }
}

/** Returns entries as the text of a file. They may now be sent from elsewhere too, which is noted. */
export async function writeFile(entries: readonly Entry[]): Promise<string> {
  const photos: EntryPhoto[] = [];
  for (const { id } of entries) {
    photos.push(...(await store.photosOf(id)));
    await store.update(id, () => ({ isUnanswered: true, hasCopy: true }));
  }
  const [first] = entries;
  const file: SavedFile = {
    format: FORMAT,
    version: VERSION,
    user: first?.user ?? 0,
    username: first?.username ?? "",
    entries: [...entries],
    photos: photos.map(({ data, ...photo }) => ({ ...photo, base64: toBase64(data) })),
  };
  return JSON.stringify(file);
}

/** Returns the name of a file: whose it is, what it has, and when it was saved. */
function nameOf(entries: readonly Entry[], now: Date): string {
  const [first] = entries;
  const content = entries.length === 1 ? first?.title : plural(entries.length, "entry", "entries");
  const time = now.toLocaleTimeString("en-GB", { timeZone: "Europe/London" });
  const words = `${first?.username} ${content?.slice(0, MAX_CONTENT)} ${londonDay(now)} ${time}`;
  // What any disk takes in a name.
  return `not-sent-${words.replace(/[^\p{L}\p{N}.-]+/gu, "-")}.json`;
}

/** Offers entries as a download. */
export async function saveFile(entries: readonly Entry[]): Promise<void> {
  const text = await writeFile(entries);
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type: "application/json" }));
  link.download = nameOf(entries, new Date());
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

function parse(text: string): Record<string, unknown> {
  try {
    const file: unknown = JSON.parse(text);
    if (isRecord(file) && file.format === FORMAT) return file;
  } catch {
    // It isn't even JSON.
  }
  throw new NotLoaded(NO_FILE);
}

function isPhoto(photo: unknown): photo is SavedPhoto {
  const isText = (value: unknown) => typeof value === "string";
  return isRecord(photo) && [photo.entry, photo.hash, photo.name, photo.base64].every(isText);
}

const isNewer = (entry: unknown): boolean => isRecord(entry) && Number(entry.schema) > SCHEMA;

/** Reads a file of a user; throws NotLoaded. */
export function readFile(text: string, user: number): Pick<SavedFile, "entries" | "photos"> {
  const { version, user: owner, username, entries, photos } = parse(text);
  if (typeof version !== "number") throw new NotLoaded(NO_FILE);
  if (version > VERSION) throw new NotLoaded(NEWER);
  if (owner !== user)
    throw new NotLoaded(`This file is ${username}'s. Sign in as ${username} to load it.`);
  if (!Array.isArray(entries) || !Array.isArray(photos)) throw new NotLoaded(NO_FILE);
  if (entries.some(isNewer)) throw new NotLoaded(NEWER);
  const isWhole = entries.every((entry) => isEntryOf(user, entry)) && photos.every(isPhoto);
  if (!isWhole) throw new NotLoaded(NO_FILE);
  return { entries, photos };
}

/** What became of the entries of a file. */
interface Loaded {
  loaded: number;
  present: number;
  sent: number;
}

/** Puts what a file has into the outbox, unless it is there or was sent from here. */
export async function loadFile(text: string, user: number): Promise<Loaded> {
  const { entries, photos } = readFile(text, user);
  const found: Loaded = { loaded: 0, present: 0, sent: 0 };
  for (const entry of entries) {
    if (await store.get(entry.id)) found.present += 1;
    else if (await store.sentEntry(entry.id)) found.sent += 1;
    else {
      const own = photos.filter((photo) => photo.entry === entry.id);
      const kept = own.map(({ hash, name, base64 }) => ({ hash, name, data: fromBase64(base64) }));
      // It may have been sent from where it was saved.
      await store.put({ ...entry, isUnanswered: true, hasCopy: true, nextAt: 0 }, kept);
      found.loaded += 1;
    }
  }
  return found;
}

/** Returns what became of a file in words, such as '2 loaded. 1 was here already.' */
export function describeLoaded({ loaded, present, sent }: Loaded): string {
  const are = (count: number) => (count === 1 ? "was" : "were");
  const parts = [
    loaded > 0 && `${plural(loaded, "entry", "entries")} loaded.`,
    present > 0 && `${plural(present, "entry", "entries")} ${are(present)} here already.`,
    sent > 0 && `${plural(sent, "entry", "entries")} ${are(sent)} sent already.`,
  ];
  return parts.filter(Boolean).join(" ") || "The file has no entries.";
}
