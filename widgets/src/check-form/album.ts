/** The photos of a check as they are displayed; a store outside React. */
import { Listeners } from "../shared/listeners";

/** A `stuck` photo is sent again by itself; a `refused` one was refused by the server. */
export type PhotoState = "preparing" | "waiting" | "sending" | "sent" | "stuck" | "refused";

export interface Photo {
  readonly id: string;
  readonly name: string;
  readonly state: PhotoState;
  /** The part that is sent, 0 to 1. */
  readonly progress: number;
  readonly bytes: number;
  /** The SHA-256 of the content; '' until the photo is shrunk. */
  readonly hash: string;
  /** Why the server refused it; what a stuck photo waits for. */
  readonly reason: string;
  /** The address of a preview; '' until the photo is shrunk. */
  readonly preview: string;
}

/** The photos in their order, and the errors of the files picked last. */
export interface Album {
  readonly photos: readonly Photo[];
  readonly fileErrors: readonly string[];
}

export class AlbumStore {
  private readonly listeners = new Listeners();
  private album: Album = { photos: [], fileErrors: [] };

  subscribe = this.listeners.subscribe;

  current = (): Album => this.album;

  find(id: string): Photo | undefined {
    return this.album.photos.find((photo) => photo.id === id);
  }

  /** Returns the photos in one state, in their order. */
  inState(state: PhotoState): Photo[] {
    return this.album.photos.filter((photo) => photo.state === state);
  }

  set(part: Partial<Album>): void {
    this.album = { ...this.album, ...part };
    this.listeners.notify();
  }

  /** Appends a photo that is not shrunk yet. */
  add(id: string, name: string): void {
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
    this.set({ photos: [...this.album.photos, photo] });
  }

  update(id: string, part: Partial<Photo>): void {
    this.set({
      photos: this.album.photos.map((photo) => (photo.id === id ? { ...photo, ...part } : photo)),
    });
  }

  remove(id: string): void {
    this.set({ photos: this.album.photos.filter((photo) => photo.id !== id) });
  }

  addFileError(text: string): void {
    this.set({ fileErrors: [...this.album.fileErrors, text] });
  }
}

/** Returns how many photos are not sent yet. */
export function countUnsent({ photos }: Album): number {
  return photos.filter(({ state }) => state !== "sent").length;
}
