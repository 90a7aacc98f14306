/** The bottom bar: what the check reports, the photos' progress, when the draft was saved, Reset and Submit. */
import { isPersistent } from "../shared/drafts";
import { since } from "../shared/times";
import { type Album, countUnsent } from "./album";

interface Props {
  album: Album;
  /** The words for what the check reports as it is now; '' before anything is filled in. */
  outcome: string;
  savedAt: Date | null;
  isWaiting: boolean;
  isLoading: boolean;
  isBusy: boolean;
  onReset: () => void;
}

const photos = (count: number): string => `${count} ${count === 1 ? "photo" : "photos"}`;

export function Bar({ album, outcome, savedAt, isWaiting, isLoading, isBusy, onReset }: Props) {
  const [unsent, all] = [countUnsent(album), album.photos.length];
  const kept = album.photos.filter(({ state, reason }) => state === "stuck" && reason).length;
  const waitsFor = unsent > 0 ? photos(unsent) : isLoading && "the vehicles";
  const progress =
    isWaiting && waitsFor
      ? `Waiting for ${waitsFor}…`
      : kept > 0 && isPersistent()
        ? `No connection. ${photos(kept)} ${kept === 1 ? "is" : "are"} kept and will be sent.`
        : all > 0 && `${all - unsent} of ${photos(all)} sent`;
  const savedText =
    savedAt &&
    (isPersistent()
      ? `Saved at ${since(savedAt)}`
      : "Not saved: this browser doesn't allow storage");
  // Of 'No defects. Kept as a nil-defect report.' the bar has the first sentence: it is low on phones.
  const end = outcome.indexOf(". ") + 1 || outcome.length;
  const [count, report] = [outcome.slice(0, end), outcome.slice(end)];
  return (
    <>
      {report && <p className="note">{report.trim()}</p>}
      <div className="bar" role="region" aria-label="Send the check">
        <p>
          {count && (
            <>
              <b>{count}</b>
              <br />
            </>
          )}
          <b role="status">{progress}</b>
          {progress && <br />}
          <span className="muted">{savedText}</span>
        </p>
        <button type="button" className="btn" onClick={onReset} disabled={isBusy}>
          Reset
        </button>
        <button type="submit" className="btn primary" disabled={isBusy || isWaiting}>
          Submit Check
        </button>
      </div>
    </>
  );
}
