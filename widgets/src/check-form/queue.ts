/**
 * The queue of a check's photos, outside React: each is shrunk, saved in the browser and sent by
 * itself, and a photo that has arrived is never sent again.
 */
import type { Photo as SentPhoto } from "../outbox/entry";
import { ApiError, NoConnection, SignedOut } from "../shared/api";
import type { SavedPhoto } from "../shared/saved-check";
import { AlbumStore } from "./album";
import { sha256 } from "./hash";
import { type PhotoDraft, partOf, savedPhotos } from "./photo-draft";
import { shrink } from "./shrink";
import { isStored, send } from "./upload";

export const MAX_PHOTOS = 12;
const MAX_UPLOADS_AT_ONCE = 2;
const FIRST_RETRY_MS = 2_000;
const MAX_RETRY_MS = 60_000;
const WAITS_FOR_LINE = "Waits for a connection";
const MAX_NAME_LENGTH = 200;

/** What the queue needs of the browser and of the server. */
export interface Tools {
  shrink: (file: Blob) => Promise<Blob>;
  sha256: (data: Blob) => Promise<string>;
  isStored: typeof isStored;
  send: typeof send;
}

/** The upload of one photo. */
interface Upload {
  order: number;
  data: Blob;
  tries: number;
  /** It may be on the server already: a HEAD request is cheaper than sending it again. */
  mayBeStored: boolean;
  abort: AbortController;
  retryTimer?: ReturnType<typeof setTimeout>;
}

const newId = (): string => String(crypto.getRandomValues(new Uint32Array(2)).join("-"));

/** Whether sending the photo again would get the same error. */
const isFinal = (error: unknown): error is ApiError =>
  error instanceof ApiError && error.status < 500 && error.status !== 408 && error.status !== 429;

export class PhotoQueue {
  private readonly album = new AlbumStore();
  private readonly uploads = new Map<string, Upload>();
  private preparing: Promise<void> = Promise.resolve();
  private nextOrder = 0;
  private isClosed = false;
  private isPaused = false;

  subscribe = this.album.subscribe;
  current = this.album.current;

  constructor(
    private readonly address: string,
    private readonly draft: PhotoDraft,
    private readonly tools: Tools = { shrink, sha256, isStored, send },
  ) {}

  /** Adds the files that are pictures, up to the maximum. */
  add(files: readonly File[]): void {
    this.album.set({ fileErrors: [] });
    for (const file of files) {
      if (!file.type.startsWith("image/")) {
        this.album.addFileError(`${file.name} is not a picture. Only pictures can be added.`);
        continue;
      }
      if (this.album.current().photos.length >= MAX_PHOTOS) {
        this.album.addFileError(`At most ${MAX_PHOTOS} photos`);
        return;
      }
      const id = newId();
      const name = file.name.slice(0, MAX_NAME_LENGTH) || "photo";
      const order = this.nextOrder;
      this.enqueue(id, name, order, file, false);
      void this.draft.put(partOf(id), { name, order, picked: file } satisfies SavedPhoto);
      this.prepareInTurn(id);
    }
  }

  /** Restores the photos of a saved draft. */
  restore(parts: ReadonlyMap<string, unknown>): void {
    for (const [id, { name, order, picked, bytes, hash }] of savedPhotos(parts)) {
      if (bytes && hash) {
        // The server may have deleted a photo that was sent long ago, so check first.
        this.enqueue(id, name, order, new Blob([bytes], { type: "image/jpeg" }), true);
        this.setReady(id, hash);
      } else if (picked) {
        this.enqueue(id, name, order, picked, false);
        this.prepareInTurn(id);
      }
    }
  }

  /** Sends a photo again that did not reach the server. */
  retry(id: string): void {
    const state = this.album.find(id)?.state;
    if (state !== "stuck" && state !== "refused") return;
    clearTimeout(this.uploads.get(id)?.retryTimer);
    this.album.update(id, { state: "waiting" });
    this.sendNext();
  }

  /** Sends all stuck photos again, as when the connection is back. */
  retryAll = (): void => {
    for (const upload of this.uploads.values()) upload.tries = 0;
    for (const { id } of this.album.inState("stuck")) this.retry(id);
  };

  /** Sends nothing more, because the outbox sends the photos with their check. */
  pause(): void {
    this.isPaused = true;
    for (const upload of this.uploads.values()) {
      clearTimeout(upload.retryTimer);
      upload.abort.abort();
      upload.abort = new AbortController();
    }
  }

  /** Goes on after a pause. */
  resume(): void {
    this.isPaused = false;
    this.retryAll();
    this.sendNext();
  }

  /** Returns the photos with their content, in their order. */
  contents(): Promise<SentPhoto[]> {
    const contents = this.album.current().photos.flatMap(({ id, name, hash }) => {
      const data = hash && this.uploads.get(id)?.data;
      return data ? [data.arrayBuffer().then((bytes) => ({ hash, name, data: bytes }))] : [];
    });
    return Promise.all(contents);
  }

  remove(id: string): void {
    this.album.set({ fileErrors: [] });
    this.discard(id);
    this.sendNext();
  }

  /** Removes all photos. */
  clear(): void {
    const parts = [...this.uploads.keys()].map(partOf);
    this.releaseAll();
    this.album.set({ photos: [], fileErrors: [] });
    if (parts.length > 0) void this.draft.remove(parts);
  }

  /** Stops all work without removing the draft. */
  close(): void {
    this.isClosed = true;
    this.releaseAll();
  }

  private enqueue(id: string, name: string, order: number, data: Blob, mayBeStored: boolean): void {
    this.nextOrder = Math.max(this.nextOrder, order + 1);
    this.uploads.set(id, { order, data, tries: 0, mayBeStored, abort: new AbortController() });
    this.album.add(id, name);
  }

  /** Prepares one photo at a time: several decoded pictures would exceed a phone's memory. */
  private prepareInTurn(id: string): void {
    this.preparing = this.preparing.then(() => this.prepare(id));
  }

  private async prepare(id: string): Promise<void> {
    const upload = this.uploads.get(id);
    const name = this.album.find(id)?.name;
    if (!upload || name === undefined || this.isClosed) return;
    try {
      const data = await this.tools.shrink(upload.data);
      const hash = await this.tools.sha256(data);
      const bytes = await data.arrayBuffer();
      if (!this.uploads.has(id)) return;
      if (this.album.current().photos.some((photo) => photo.hash === hash)) {
        this.discard(id);
        this.album.addFileError(`${name} is already added.`);
        return;
      }
      upload.data = data;
      void this.draft.put(partOf(id), {
        name,
        order: upload.order,
        bytes,
        hash,
      } satisfies SavedPhoto);
      this.setReady(id, hash);
    } catch {
      if (!this.uploads.has(id)) return;
      this.discard(id);
      this.album.addFileError(`${name} can't be read as a picture. Add it as JPEG, PNG or WebP.`);
    }
  }

  private setReady(id: string, hash: string): void {
    const data = this.uploads.get(id)?.data;
    if (!data) return;
    const preview = URL.createObjectURL(data);
    this.album.update(id, { state: "waiting", hash, bytes: data.size, preview });
    this.sendNext();
  }

  private sendNext(): void {
    if (this.isClosed || this.isPaused) return;
    const free = MAX_UPLOADS_AT_ONCE - this.album.inState("sending").length;
    for (const { id } of this.album.inState("waiting").slice(0, free)) void this.upload(id);
  }

  private async upload(id: string): Promise<void> {
    const upload = this.uploads.get(id);
    const photo = this.album.find(id);
    if (!upload || !photo) return;
    const address = `${this.address}/${photo.hash}`;
    const { data, abort } = upload;
    this.album.update(id, { state: "sending", progress: 0, reason: "" });
    try {
      const isArrived = upload.mayBeStored && (await this.tools.isStored(address, abort.signal));
      upload.mayBeStored = true;
      if (!isArrived) {
        const onProgress = (progress: number) => this.album.update(id, { progress });
        await this.tools.send(address, data, onProgress, abort.signal);
      }
      upload.tries = 0;
      this.album.update(id, { state: "sent", progress: 1 });
    } catch (error) {
      if (!this.uploads.has(id)) return;
      if (isFinal(error)) {
        this.album.update(id, { state: "refused", reason: error.message || "Not accepted" });
      } else {
        this.album.update(id, {
          state: "stuck",
          reason: error instanceof NoConnection ? WAITS_FOR_LINE : "",
        });
        if (!(error instanceof SignedOut)) this.retryLater(id, upload);
      }
    } finally {
      this.sendNext();
    }
  }

  private retryLater(id: string, upload: Upload): void {
    if (this.isClosed || this.isPaused) return;
    const delay = Math.min(MAX_RETRY_MS, FIRST_RETRY_MS * 2 ** upload.tries);
    upload.tries += 1;
    upload.retryTimer = setTimeout(() => this.retry(id), delay);
  }

  private discard(id: string): void {
    this.release(id);
    this.album.remove(id);
    void this.draft.remove([partOf(id)]);
  }

  /** Stops the upload of a photo and frees its preview. */
  private release(id: string): void {
    const upload = this.uploads.get(id);
    const preview = this.album.find(id)?.preview;
    this.uploads.delete(id);
    clearTimeout(upload?.retryTimer);
    upload?.abort.abort();
    if (preview) URL.revokeObjectURL(preview);
  }

  private releaseAll(): void {
    for (const id of [...this.uploads.keys()]) this.release(id);
  }
}
