/** The photos: a row for each, with how far it is. */
import type { ChangeEvent, ReactNode } from "react";
import { PHOTOS_ID } from "./fields";
import type { Album, Photo, PhotoQueue } from "./queue";

interface RowProps {
  photo: Photo;
  queue: PhotoQueue;
  onMended: () => void;
}

const inKb = (bytes: number): string => `${Math.max(1, Math.round(bytes / 1000))} KB`;

/** The button that was pressed goes with what it took away. */
const focusPicker = (): void => document.getElementById(PHOTOS_ID)?.focus();

function Progress({ photo }: { photo: Photo }): ReactNode {
  const { name, state, progress, bytes, reason } = photo;
  switch (state) {
    case "preparing":
      return <span className="note">Making it small…</span>;
    case "sent":
      return <span className="note">Sent · {inKb(bytes)}</span>;
    case "stuck":
      return <span className="error">Not sent</span>;
    case "refused":
      return <span className="error">Not sent: {reason}</span>;
    default:
      return (
        <progress max={100} value={Math.round(progress * 100)} aria-label={`Sending ${name}`} />
      );
  }
}

function PhotoRow({ photo, queue, onMended }: RowProps) {
  const { id, name, state, preview } = photo;
  const retry = () => {
    onMended();
    queue.retry(id);
  };
  const remove = () => {
    onMended();
    queue.remove(id);
    focusPicker();
  };
  const canRetry = state === "stuck" || state === "refused";
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
  onMended: () => void;
}

export function Photos({ album, queue, error, onMended }: Props) {
  const pick = (event: ChangeEvent<HTMLInputElement>) => {
    onMended();
    queue.add([...(event.target.files ?? [])]);
    // Else the same picture could not be picked again after it was removed.
    event.target.value = "";
  };
  const clear = () => {
    onMended();
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
        {album.complaints.map((text, place) => (
          <p className="error" key={place}>
            {text}
          </p>
        ))}
      </div>
      <ul className="photos">
        {album.photos.map((photo) => (
          <PhotoRow key={photo.id} photo={photo} queue={queue} onMended={onMended} />
        ))}
      </ul>
    </div>
  );
}
