/** The photos: a row for each, with its progress. */
import type { ChangeEvent, ReactNode } from "react";
import type { Album, Photo } from "./album";
import { PHOTOS_ID } from "./fields";
import type { PhotoQueue } from "./queue";

interface RowProps {
  photo: Photo;
  queue: PhotoQueue;
  onChange: () => void;
}

const inKb = (bytes: number): string => `${Math.max(1, Math.round(bytes / 1000))} KB`;

/** Moves the focus, because the button that was pressed disappears with the photo. */
const focusPicker = (): void => document.getElementById(PHOTOS_ID)?.focus();

function Progress({ photo }: { photo: Photo }): ReactNode {
  const { name, state, progress, bytes, reason } = photo;
  switch (state) {
    case "preparing":
      return <span className="note">Making it small…</span>;
    case "sent":
      return <span className="note">Sent · {inKb(bytes)}</span>;
    case "stuck":
      return reason ? (
        <span className="note">{reason}</span>
      ) : (
        <span className="error">Not sent</span>
      );
    case "refused":
      return <span className="error">Not sent: {reason}</span>;
    default:
      return (
        <progress max={100} value={Math.round(progress * 100)} aria-label={`Sending ${name}`} />
      );
  }
}

function PhotoRow({ photo, queue, onChange }: RowProps) {
  const { id, name, state, reason, preview } = photo;
  const retry = () => {
    onChange();
    queue.retry(id);
  };
  const remove = () => {
    onChange();
    queue.remove(id);
    focusPicker();
  };
  // What waits for a connection is sent again by itself.
  const canRetry = state === "refused" || (state === "stuck" && !reason);
  return (
    <li>
      {preview ? (
        <img src={preview} alt="" />
      ) : (
        <svg viewBox="0 0 44 44" aria-hidden="true">
          <path d="M0 34 14 20l9 9 7-7 14 14v8H0z" />
        </svg>
      )}
      <span className="grow">
        {name}
        <br />
        <Progress photo={photo} />
      </span>
      {canRetry && (
        <button type="button" className="btn" aria-label={`Retry ${name}`} onClick={retry}>
          Retry
        </button>
      )}
      <button type="button" className="btn quiet" aria-label={`Remove ${name}`} onClick={remove}>
        ×
      </button>
    </li>
  );
}

interface Props {
  album: Album;
  queue: PhotoQueue;
  error: string | undefined;
  /** Which fields ask for a photo; '' without any. */
  caution: string;
  onChange: () => void;
}

export function Photos({ album, queue, error, caution, onChange }: Props) {
  const pick = (event: ChangeEvent<HTMLInputElement>) => {
    onChange();
    queue.add([...(event.target.files ?? [])]);
    // Without this, a removed picture could not be picked again.
    event.target.value = "";
  };
  const clear = () => {
    onChange();
    queue.clear();
    focusPicker();
  };
  return (
    <div
      className={error ? "field wrong" : "field"}
      role="group"
      aria-labelledby="check-photos-title"
    >
      <div className="row">
        <h2 className="grow" id="check-photos-title">
          Photos
          {caution && album.photos.length === 0 && <span className="caution"> {caution}</span>}
        </h2>
        {album.photos.length > 0 && (
          <button type="button" className="btn quiet" onClick={clear}>
            Clear
          </button>
        )}
        <label className="btn">
          Add photos
          <input
            id={PHOTOS_ID}
            className="sr"
            type="file"
            accept="image/*"
            multiple
            aria-describedby={error ? `${PHOTOS_ID}-error` : undefined}
            onChange={pick}
          />
        </label>
      </div>
      {error && (
        <p className="error" id={`${PHOTOS_ID}-error`}>
          {error}
        </p>
      )}
      <div role="status">
        {album.fileErrors.map((text, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the same text may appear twice
          <p className="error" key={index}>
            {text}
          </p>
        ))}
      </div>
      <ul className="photos">
        {album.photos.map((photo) => (
          <PhotoRow key={photo.id} photo={photo} queue={queue} onChange={onChange} />
        ))}
      </ul>
    </div>
  );
}
