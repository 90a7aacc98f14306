/** What a driver should know: last reading, what is due, open defects, and when not to drive. */
import type { ReactNode } from "react";
import { descriptionIds } from "../shared/Field";
import type { BookingStep, DefectAnswer, DriveReason } from "../shared/saved-check";
import { shortDay } from "../shared/times";
import { type Booking, type Briefing, describeReading, describeTime } from "./briefings";
import { DRIVE_ID, defectId } from "./check";

const ANSWERS: [DefectAnswer, string][] = [
  ["yes", "Yes"],
  ["worse", "Worse"],
  ["gone", "Gone"],
];

const DRIVE_REASONS: [DriveReason, string][] = [
  ["garage", "To the garage"],
  ["test", "To a test"],
  ["other", "Other"],
];

interface QuestionProps<Value> {
  id: string;
  name: string;
  /** The ids of its name and description. */
  labelledBy: string;
  describedBy?: string;
  choices: [Value, string][];
  chosen: Value | undefined;
  error?: string | undefined;
  isOptional?: boolean;
  onChoose: (value: Value) => void;
  children: ReactNode;
}

function Question<Value extends string>(props: QuestionProps<Value>) {
  const { id, name, labelledBy, describedBy, choices, chosen, error, onChoose, children } = props;
  return (
    <div
      className="open-defect"
      role="radiogroup"
      aria-labelledby={labelledBy}
      aria-required={props.isOptional ? undefined : true}
      aria-invalid={error ? true : undefined}
      aria-describedby={
        [descriptionIds(id, error), describedBy].filter(Boolean).join(" ") || undefined
      }
    >
      {children}
      {error && (
        <p className="error" id={`${id}-error`}>
          {error}
        </p>
      )}
      <div className="seg">
        {choices.map(([value, label], index) => (
          <label key={value}>
            <input
              type="radio"
              id={index === 0 ? id : undefined}
              name={name}
              checked={chosen === value}
              onChange={() => onChoose(value)}
            />{" "}
            {label}
          </label>
        ))}
      </div>
    </div>
  );
}

interface DefectProps {
  defect: Briefing["defects"][number];
  answer: DefectAnswer | undefined;
  error: string | undefined;
  today: string;
  onAnswer: (number: string, answer: DefectAnswer) => void;
}

function OpenDefect({ defect, answer, error, today, onAnswer }: DefectProps) {
  const { number, title, since, standing } = defect;
  const id = defectId(number);
  return (
    <Question
      id={id}
      name={number}
      labelledBy={`${id}-name ${id}-still`}
      describedBy={`${id}-note`}
      choices={ANSWERS}
      chosen={answer}
      error={error}
      onChoose={(value) => onAnswer(number, value)}
    >
      <p id={`${id}-name`}>
        <b>{`Known: ${number} ${title}`}</b>
      </p>
      <p className="note">
        <span id={`${id}-note`}>
          Since {shortDay(since, today)}
          {standing && `, ${standing}`}.
        </span>{" "}
        <span id={`${id}-still`}>Still there?</span>
        <span aria-hidden="true"> *</span>
      </p>
    </Question>
  );
}

interface BookingProps {
  booking: Booking;
  isChosen: boolean;
  today: string;
  onChoose: (booking?: Booking) => void;
}

function BookingQuestion({ booking, isChosen, today, onChoose }: BookingProps) {
  const { number, step, for: holder } = booking;
  const [label, noun] = step === "out" ? ["Handover", "handover"] : ["Return", "return"];
  const id = `check-${number}`;
  return (
    <Question
      id={id}
      name={number}
      labelledBy={`${id}-name`}
      choices={[
        ["step", label],
        ["check", "Only a check"],
      ]}
      chosen={isChosen ? "step" : "check"}
      isOptional
      onChoose={(value) => onChoose(value === "step" ? booking : undefined)}
    >
      <p>
        <b id={`${id}-name`}>
          {`Is this the ${noun} of ${number}, ${holder} ${describeTime(booking, today)}?`}
        </b>
      </p>
    </Question>
  );
}

interface Props {
  briefing: Briefing;
  reason: DriveReason | undefined;
  answers: Record<string, DefectAnswer>;
  bookings: readonly Booking[];
  /** The booking whose step this check takes. */
  booking: BookingStep | undefined;
  /** The errors of controls by their ids. */
  errors: Record<string, string>;
  today: string;
  onAnswer: DefectProps["onAnswer"];
  onReason: (reason: DriveReason) => void;
  onBooking: BookingProps["onChoose"];
}

export function BriefingPanel(props: Props) {
  const { briefing, answers, reason, booking, errors, today, onAnswer, onReason } = props;
  const { notices, offRoad, defects } = briefing;
  return (
    <div className="briefing full">
      <div role="status">
        <p className="note">
          {describeReading(briefing, today)} <b className="due-word">{notices.join(" ")}</b>
        </p>
      </div>
      {props.bookings.map((each) => (
        <BookingQuestion
          key={each.number}
          booking={each}
          isChosen={each.number === booking?.number}
          today={today}
          onChoose={props.onBooking}
        />
      ))}
      {offRoad && (
        <Question
          id={DRIVE_ID}
          name={DRIVE_ID}
          labelledBy={`${DRIVE_ID}-name`}
          choices={DRIVE_REASONS}
          chosen={reason}
          error={errors[DRIVE_ID]}
          onChoose={onReason}
        >
          <p>
            <b id={`${DRIVE_ID}-name`}>Why is it driven?</b>
            <span aria-hidden="true"> *</span>
          </p>
        </Question>
      )}
      {defects.map((defect) => (
        <OpenDefect
          key={defect.number}
          defect={defect}
          answer={answers[defect.number]}
          error={errors[defectId(defect.number)]}
          today={today}
          onAnswer={onAnswer}
        />
      ))}
    </div>
  );
}

interface StopProps {
  subject: string;
  reasons: string[];
  phone: string;
}

/** Raised while the form is filled in, also without a connection. */
export function StopArea({ subject, reasons, phone }: StopProps) {
  return (
    <div className="stop" role="alert">
      <h2>
        Stop: do not drive <span>{subject}</span>
      </h2>
      <p>
        {reasons.join(", ")}. Send this check{phone ? "," : " and"} leave the keys at the desk
        {phone && (
          <>
            {" and ring "}
            <a href={`tel:${phone.replace(/[^+\d]/g, "")}`}>{phone}</a>
          </>
        )}
        .
      </p>
    </div>
  );
}
