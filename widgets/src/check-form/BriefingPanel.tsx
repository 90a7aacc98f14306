/** What a driver should know: last reading, what is due, open defects, and when not to drive. */
import type { DefectAnswer } from "../shared/saved-check";
import { shortDay } from "../shared/times";
import { type Briefing, describeReading } from "./briefings";

const STILL = "Still there?";
const ANSWERS: [DefectAnswer, string][] = [
  ["yes", "Yes"],
  ["worse", "Worse"],
  ["gone", "Gone"],
];

interface DefectProps {
  defect: Briefing["defects"][number];
  answer: DefectAnswer | undefined;
  today: string;
  onAnswer: (number: string, answer: DefectAnswer) => void;
}

function OpenDefect({ defect, answer, today, onAnswer }: DefectProps) {
  const { number, title, since, standing } = defect;
  const name = `Known: ${number} ${title}`;
  return (
    <fieldset className="open-defect">
      <legend className="sr">{`${name}. ${STILL}`}</legend>
      <p aria-hidden="true">
        <b>{name}</b>
      </p>
      <p className="note">
        Since {shortDay(since, today)}
        {standing && `, ${standing}`}. {STILL}
      </p>
      <div className="seg">
        {ANSWERS.map(([value, label]) => (
          <label key={value}>
            <input
              type="radio"
              name={number}
              checked={answer === value}
              onChange={() => onAnswer(number, value)}
            />{" "}
            {label}
          </label>
        ))}
      </div>
    </fieldset>
  );
}

interface Props {
  briefing: Briefing;
  answers: Record<string, DefectAnswer>;
  today: string;
  onAnswer: DefectProps["onAnswer"];
}

export function BriefingPanel({ briefing, answers, today, onAnswer }: Props) {
  const { notices, offRoad, defects } = briefing;
  return (
    <div className="briefing full">
      <div role="status">
        {offRoad && <p className="notice bad">{offRoad}</p>}
        <p className="note">
          {describeReading(briefing, today)} <b className="due-word">{notices.join(" ")}</b>
        </p>
      </div>
      {defects.map((defect) => (
        <OpenDefect
          key={defect.number}
          defect={defect}
          answer={answers[defect.number]}
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
