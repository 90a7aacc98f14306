/**
 * The photos of a check, outside React: each is made small, kept in the browser and sent on its own,
 * and what has arrived is never sent again.
 */
import { ApiError, SignedOut } from "../shared/api";
import { sha256 } from "./hash";
import { shrink } from "./shrink";
import { isThere, send } from "./upload";

export const MOST_PHOTOS = 12;
const AT_ONCE = 2;
const FIRST_PAUSE = 2_000;
const LONGEST_PAUSE = 60_000;
const LONGEST_NAME = 200;
const PART = "photo:";

/** `stuck` is tried again by itself; `refused` was refused by the server. */
export type PhotoState = "preparing" | "waiting" | "sending" | "sent" | "stuck" | "refused";

export interface Photo {
  readonly id: string;
  readonly name: string;
  readonly state: PhotoState;
  /** How much of it is sent, 0 to 1. */
  readonly progress: number;
  readonly bytes: number;
  /** The content's name; '' until it is made small. */
  readonly hash: string;
  readonly reason: string;
  /** An address to show it from; '' until it is made small. */
  readonly preview: string;
}

/** The photos in their order, and what was wrong with what was picked last. */
export interface Album {
  readonly photos: readonly Photo[];
  readonly complaints: readonly string[];
}

export interface Tools {
  shrink: (file: Blob) => Promise<Blob>;
  sha256: (data: Blob) => Promise<string>;
  isThere: typeof isThere;
  send: typeof send;
}

/** Where photos are kept. */
export interface Keeper {
  put: (part: string, value: unknown) => Promise<void>;
  drop: (parts: string[]) => Promise<void>;
}

interface Kept {
  name: string;
  order: number;
  /** What was picked, until it is made small. */
  picked?: Blob;
  bytes?: ArrayBuffer;
  hash?: string;
}

/** What the queue knows of a photo beside what is shown. */
interface Held {
  order: number;
  data: Blob;
  tries: number;
  /** It may have arrived already, which is cheaper asked than sent. */
  isUnsure: boolean;
  stop: AbortController;
  again?: ReturnType<typeof setTimeout>;
}

const newId = (): string => String(crypto.getRandomValues(new Uint32Array(2)).join("-"));
const isFinal = (error: unknown): error is ApiError =>
  error instanceof ApiError && error.status < 500 && error.status !== 408 && error.status !== 429;

export class PhotoQueue {
  private album: Album = { photos: [], complaints: [] };
  private readonly held = new Map<string, Held>();
  private readonly watchers = new Set<() => void>();
  private preparing: Promise<void> = Promise.resolve();
  private order = 0;
  private isClosed = false;

  constructor(
    private readonly address: string,
    private readonly keeper: Keeper,
    private readonly tools: Tools = { shrink, sha256, isThere, send },
  ) {}

  subscribe = (hear: () => void): (() => void) => {
    this.watchers.add(hear);
    return () => this.watchers.delete(hear);
  };

  current = (): Album => this.album;

  private show(album: Partial<Album>): void {
    this.album = { ...this.album, ...album };
    this.watchers.forEach((hear) => hear());
  }

  private set(id: string, part: Partial<Photo>): void {
    this.show({
      photos: this.album.photos.map((photo) => (photo.id === id ? { ...photo, ...part } : photo)),
    });
  }

  private complain(text: string): void {
    this.show({ complaints: [...this.album.complaints, text] });
  }

  private hold(id: string, name: string, order: number, data: Blob, isUnsure: boolean): void {
    this.order = Math.max(this.order, order + 1);
    this.held.set(id, { order, data, tries: 0, isUnsure, stop: new AbortController() });
    const photo: Photo = {
      id,
      name,
      state: "preparing",
      progress: 0,
      bytes: 0,
      hash: "",
      reason: "",
      preview: "",
    };
    this.show({ photos: [...this.album.photos, photo] });
  }

  /** Takes what was picked, as far as it is pictures and there is room. */
  add(files: readonly File[]): void {
    this.show({ complaints: [] });
    for (const file of files) {
      if (!file.type.startsWith("image/"))
        this.complain(`${file.name} is not a picture. Only pictures can be added.`);
      else if (this.album.photos.length >= MOST_PHOTOS) {
        this.complain(`At most ${MOST_PHOTOS} photos`);
        break;
      } else {
        const [id, name, order] = [
          newId(),
          file.name.slice(0, LONGEST_NAME) || "photo",
          this.order,
        ];
        this.hold(id, name, order, file, false);
        void this.keeper.put(PART + id, { name, order, picked: file } satisfies Kept);
        this.prepareNext(id);
      }
    }
  }

  /** Takes up what was kept, in the order it was picked. */
  restore(parts: ReadonlyMap<string, unknown>): void {
    const kept = [...parts].filter(([part]) => part.startsWith(PART)) as [string, Kept][];
    for (const [part, { name, order, picked, bytes, hash }] of kept.sort(
      ([, a], [, b]) => a.order - b.order,
    )) {
      const id = part.slice(PART.length);
      if (bytes && hash) {
        // What was sent long ago may have been swept away, so it is asked for.
        this.hold(id, name, order, new Blob([bytes], { type: "image/jpeg" }), true);
        this.ready(id, hash);
      } else if (picked) {
        this.hold(id, name, order, picked, false);
        this.prepareNext(id);
      }
    }
  }

  /** One at a time: several opened pictures of a good camera are more than a phone's memory holds. */
  private prepareNext(id: string): void {
    this.preparing = this.preparing.then(() => this.prepare(id));
  }

  private async prepare(id: string): Promise<void> {
    const held = this.held.get(id);
    const photo = this.album.photos.find((each) => each.id === id);
    if (!held || !photo || this.isClosed) return;
    try {
      const data = await this.tools.shrink(held.data);
      const hash = await this.tools.sha256(data);
      const bytes = await data.arrayBuffer();
      if (!this.held.has(id)) return;
      if (this.album.photos.some((each) => each.hash === hash)) {
        this.drop(id);
        return this.complain(`${photo.name} is there already.`);
      }
      held.data = data;
      void this.keeper.put(PART + id, {
        name: photo.name,
        order: held.order,
        bytes,
        hash,
      } satisfies Kept);
      this.ready(id, hash);
    } catch {
      if (!this.held.has(id)) return;
      this.drop(id);
      this.complain(`${photo.name} can’t be read here as a picture. Add it as JPEG, PNG or WebP.`);
    }
  }

  private ready(id: string, hash: string): void {
    const data = this.held.get(id)?.data;
    if (!data) return;
    this.set(id, { state: "waiting", hash, bytes: data.size, preview: URL.createObjectURL(data) });
    this.sendNext();
  }

  private sendNext(): void {
    if (this.isClosed) return;
    const sending = this.album.photos.filter(({ state }) => state === "sending").length;
    const waiting = this.album.photos.filter(({ state }) => state === "waiting");
    for (const { id } of waiting.slice(0, AT_ONCE - sending)) void this.upload(id);
  }

  private async upload(id: string): Promise<void> {
    const held = this.held.get(id);
    const photo = this.album.photos.find((each) => each.id === id);
    if (!held || !photo) return;
    const address = `${this.address}/${photo.hash}`;
    this.set(id, { state: "sending", progress: 0, reason: "" });
    try {
      const arrived = held.isUnsure && (await this.tools.isThere(address, held.stop.signal));
      held.isUnsure = true;
      if (!arrived) {
        await this.tools.send(
          address,
          held.data,
          (progress) => this.set(id, { progress }),
          held.stop.signal,
        );
      }
      held.tries = 0;
      this.set(id, { state: "sent", progress: 1 });
    } catch (error) {
      if (!this.held.has(id)) return;
      if (isFinal(error))
        this.set(id, { state: "refused", reason: error.message || "Not accepted" });
      else {
        this.set(id, { state: "stuck" });
        if (!(error instanceof SignedOut)) this.tryLater(id, held);
      }
    } finally {
      this.sendNext();
    }
  }

  private tryLater(id: string, held: Held): void {
    if (this.isClosed) return;
    const pause = Math.min(LONGEST_PAUSE, FIRST_PAUSE * 2 ** held.tries);
    held.tries += 1;
    held.again = setTimeout(() => this.retry(id), pause);
  }

  /** Sends a photo again that didn't arrive. */
  retry(id: string): void {
    const photo = this.album.photos.find((each) => each.id === id);
    if (photo?.state !== "stuck" && photo?.state !== "refused") return;
    clearTimeout(this.held.get(id)?.again);
    this.set(id, { state: "waiting" });
    this.sendNext();
  }

  /** Sends all that is stuck, as when the line comes back. */
  retryAll = (): void => {
    for (const { id, state } of this.album.photos) {
      const held = this.held.get(id);
      if (held) held.tries = 0;
      if (state === "stuck") this.retry(id);
    }
  };

  /** Asks anew whether what was sent is there, for the server said it isn't. */
  doubt(): void {
    this.show({
      photos: this.album.photos.map((each) =>
        each.state === "sent" ? { ...each, state: "waiting" } : each,
      ),
    });
    this.sendNext();
  }

  remove(id: string): void {
    this.show({ complaints: [] });
    this.drop(id);
    this.sendNext();
  }

  private drop(id: string): void {
    this.letGo(id);
    this.show({ photos: this.album.photos.filter((each) => each.id !== id) });
    void this.keeper.drop([PART + id]);
  }

  /** Takes all photos away. */
  clear(): void {
    const parts = this.album.photos.map(({ id }) => PART + id);
    for (const { id } of this.album.photos) this.letGo(id);
    this.show({ photos: [], complaints: [] });
    if (parts.length > 0) void this.keeper.drop(parts);
  }

  private letGo(id: string): void {
    const held = this.held.get(id);
    const preview = this.album.photos.find((each) => each.id === id)?.preview;
    this.held.delete(id);
    clearTimeout(held?.again);
    held?.stop.abort();
    if (preview) URL.revokeObjectURL(preview);
  }

  /** Ends all work; what is kept stays kept. */
  close(): void {
    this.isClosed = true;
    for (const { id } of this.album.photos) this.letGo(id);
  }
}

/** Tells how many photos aren't sent yet. */
export function unsentOf({ photos }: Album): number {
  return photos.filter(({ state }) => state !== "sent").length;
}
