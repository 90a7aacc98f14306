/** The bottom bar: which photos are sent, where the check is kept, and the way out. */
import { isKept } from "../shared/drafts";
import { since } from "../shared/times";
import { type Album, unsentOf } from "./queue";

interface Props {
  album: Album;
  keptAt: Date | null;
  isWaiting: boolean;
  isLoading: boolean;
  busy: boolean;
  onReset: () => void;
}

const photos = (count: number): string => `${count} ${count === 1 ? "photo" : "photos"}`;

export function Bar({ album, keptAt, isWaiting, isLoading, busy, onReset }: Props) {
  const [unsent, all] = [unsentOf(album), album.photos.length];
  const waitsFor = unsent > 0 ? photos(unsent) : isLoading && "the vehicles";
  const progress =
    isWaiting && waitsFor
      ? `Waiting for ${waitsFor}…`
      : all > 0 && `${all - unsent} of ${photos(all)} sent`;
  const kept =
    keptAt &&
    (isKept() ? `Kept at ${since(keptAt)}` : "Not kept: this browser refuses to store it");
  return (
    <div className="bar" role="region" aria-label="Send the check">
      <p>
        <b role="status">{progress}</b>
        {progress && <br />}
        <span className="muted">{kept}</span>
      </p>
      <button type="button" className="btn" onClick={onReset} disabled={busy}>
        Reset
      </button>
      <button className="btn primary" disabled={busy || isWaiting}>
        Submit Check
      </button>
    </div>
  );
}
