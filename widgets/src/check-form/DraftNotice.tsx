/** Shows that the form was opened with a draft, and offers to discard it. */
import { since as timeSince } from "../shared/times";
import { Notice } from "../shared/widget";

interface Props {
  since: Date;
  /** The vehicle of the draft, when the page was opened for another one; else ''. */
  otherVehicle: string;
  vehicle: string;
  onKeep: () => void;
  onDiscard: () => void;
}

export function DraftNotice({ since, otherVehicle, vehicle, onKeep, onDiscard }: Props) {
  const time = timeSince(since);
  if (!otherVehicle) {
    return (
      <Notice kind="warn" text={`Draft started at ${time}.`}>
        <button type="button" className="btn danger" onClick={onDiscard}>
          Discard
        </button>
      </Notice>
    );
  }
  return (
    <Notice kind="warn" text={`There is a draft check of ${otherVehicle}, started at ${time}.`}>
      <button type="button" className="btn" onClick={onKeep}>
        Keep
      </button>
      <button type="button" className="btn danger" onClick={onDiscard}>
        Discard and start {vehicle}
      </button>
    </Notice>
  );
}
