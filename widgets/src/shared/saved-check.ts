/** The draft of a check: its parts, as the check form and the outbox write them. */

/** What is answered to whether a defect is still there. */
export type DefectAnswer = "yes" | "worse" | "gone";
/** Why a vehicle is driven while it is off the road. */
export type DriveReason = "garage" | "test" | "other";
/** The step of a booking that a check takes: its vehicle is handed over, or comes back. */
export interface BookingStep {
  number: string;
  step: "out" | "back";
}

/** The input in the form; `values` includes those of other forms' fields. */
export interface Answers {
  formType: string;
  values: Record<string, string>;
  cost: string;
  /** The day the check was started: the default of its date. */
  day: string;
  /** The answers about the open defects of the vehicle with this key, by their numbers. */
  defects?: { plate: string; answers: Record<string, DefectAnswer> };
  /** Why the vehicle with this key is driven. */
  drive?: { plate: string; reason: DriveReason };
  /** A booking of the vehicle with this key; '' for one that stays with whatever is chosen. */
  booking?: (BookingStep & { plate: string }) | undefined;
}

/** The form as it is saved: with its key, so that no tab can save one without the other. */
export interface SavedForm extends Answers {
  key: string;
}

export interface SavedPhoto {
  name: string;
  order: number;
  /** The file as it was picked, until it is shrunk. */
  picked?: Blob;
  bytes?: ArrayBuffer;
  hash?: string;
}
