/** The check of a vehicle, on the form of the chosen type. */
import { type FormEvent, Fragment, type KeyboardEvent, useEffect, useMemo, useState } from "react";
import { flushSync } from "react-dom";
import { confirmAction } from "../shared/confirm";
import { Field as FieldFrame } from "../shared/Field";
import { formatNumber } from "../shared/money";
import { describeStep, plateKey } from "../shared/names";
import { Problems } from "../shared/Problems";
import type { Answers, DefectAnswer, DriveReason } from "../shared/saved-check";
import { useLeaveWarning } from "../shared/useLeaveWarning";
import { LoadFailure, Notice } from "../shared/widget";
import { Bar } from "./Bar";
import { BriefingPanel, StopArea } from "./BriefingPanel";
import {
  type Booking,
  type Briefing,
  briefingOf,
  currentBookings,
  questionMiles,
  upTo,
  useBriefings,
} from "./briefings";
import { CostField } from "./CostField";
import {
  answersAbout,
  bookingOf,
  DRIVE_ID,
  DRIVE_QUESTION,
  dayIn,
  defectId,
  defectQuestion,
  driveReason,
  fieldValue,
  firstInvalid,
  parseMiles,
} from "./check";
import { DraftNotice } from "./DraftNotice";
import type { Opened } from "./draft";
import { FieldInput } from "./FieldInput";
import { COST_ID, FORM_ID, type Form, formOf, idOf, PHOTOS_ID } from "./fields";
import { describeOutcome, foundIn, photoCaution, plateIn, stopReasons } from "./findings";
import { Photos } from "./Photos";
import { LastPlates } from "./PlateField";
import type { Field, Props } from "./props";
import type { Tools } from "./queue";
import { STOP, SubmittedPanel } from "./SubmittedPanel";
import { useCheck } from "./useCheck";
import { useCheckSubmit } from "./useCheckSubmit";
import { useVehicles, type Vehicle, vehicleWith } from "./vehicles";

const LOST = "Everything you filled in, photos included, will be lost.";
const UNCHANGED =
  "Your changes will be lost. The check as you submitted it stays among what is not sent yet.";

/** Returns a caution when the mileage is lower than the last reading, or too high to be right. */
function cautionOf(
  { form, answers, today }: { form: Form; answers: Answers; today: string },
  vehicles: Vehicle[] | null,
  briefing: Briefing | null,
): string | undefined {
  const { mileage } = form;
  const miles = mileage ? parseMiles(fieldValue(form, mileage, answers)) : null;
  if (miles === null) return undefined;
  const day = dayIn(form, answers);
  // A reading of a later day, or of a day that isn't known, tells nothing of an earlier one.
  if (day < (briefing?.day ?? today)) return undefined;
  const last = briefing?.miles ?? vehicleWith(plateIn(form, answers), vehicles)?.odometer;
  if (typeof last === "number" && miles < last) {
    return `Lower than the last reading, ${formatNumber(last)}. You can still send it.`;
  }
  return (briefing && questionMiles(miles, briefing, day, today)) || undefined;
}

interface CheckFormProps {
  props: Props;
  opened: Opened;
  tools?: Tools;
}

export function CheckForm({ props, opened, tools }: CheckFormProps) {
  const { templates, suggestions, list } = props;
  const check = useCheck(props, opened, tools);
  const { answers, album, photos } = check;
  const form = useMemo(() => {
    const template = templates.find(({ key }) => key === answers.formType);
    return formOf(template ?? { key: "", label: "", fields: [] });
  }, [templates, answers.formType]);
  const { data: vehicles, failure, isLoading, load, refresh } = useVehicles(props);
  const { data: briefings, refresh: refreshBriefings } = useBriefings(props);
  const plate = plateIn(form, answers);
  const briefing = upTo(dayIn(form, answers), briefingOf(plate, briefings));
  const found = foundIn(form, answers, briefing);
  const reasons = stopReasons(found);
  const reason = driveReason(plate, answers);
  const questions = [
    ...(found.offRoad && !reason ? [DRIVE_QUESTION] : []),
    ...found.unanswered.map(defectQuestion),
  ];
  const subject = vehicleWith(plate, vehicles)?.reg ?? (plate.toUpperCase() || "this vehicle");
  const submission = useCheckSubmit(check, form, vehicles, isLoading, {
    outcome: describeOutcome(found),
    questions,
    subject,
    stop: reasons.length > 0 ? `${STOP}do not drive ${subject}. ${reasons.join(", ")}.` : "",
  });
  const { findings, isWaiting, isBusy, submitted, submit, clearProblem } = submission;
  const { errors } = findings;
  const [draftSince, setDraftSince] = useState(opened.draft?.since ?? null);
  useLeaveWarning(check.hasUnsent);
  useEffect(() => {
    if (submitted === null) return;
    // The next check is compared with this one's reading.
    void refresh();
    void refreshBriefings();
  }, [submitted, refresh, refreshBriefings]);

  const hideDraftNotice = () => setDraftSince(null);
  const empty = async (title: string, confirmLabel: string, start?: Answers) => {
    const text = check.isEdit ? UNCHANGED : LOST;
    if (check.hasWork && !(await confirmAction({ title, text, confirmLabel }))) return;
    hideDraftNotice();
    submission.clear();
    await check.reset(start);
  };
  const discardDraft = () => {
    if (!opened.otherVehicle) return empty("Discard the check?", "Discard");
    const plate = form.plate ? { [form.plate.name]: props.vehicle } : {};
    const values = { ...check.empty.values, ...plate };
    return empty("Discard the check?", "Discard", { ...check.empty, values });
  };
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    hideDraftNotice();
    submit();
  };
  // A check can't be undone, so only its button sends it.
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "Enter" && event.target instanceof HTMLInputElement) event.preventDefault();
  };
  const setType = (formType: string) => {
    submission.clear();
    check.change({ formType });
  };

  const today = check.today();
  const caution = cautionOf({ form, answers, today }, vehicles, briefing);
  const setAnswer = (number: string, answer: DefectAnswer) => {
    const before = answersAbout(plate, answers);
    check.change({ defects: { plate: plateKey(plate), answers: { ...before, [number]: answer } } });
    clearProblem(defectId(number));
  };
  const setDriveReason = (reason: DriveReason) => {
    check.change({ drive: { plate: plateKey(plate), reason } });
    clearProblem(DRIVE_ID);
  };
  const setBooking = (booking?: Booking) =>
    check.change({
      booking: booking && { plate: plateKey(plate), number: booking.number, step: booking.step },
    });
  const isForBooking = answers.booking?.plate === "";
  const now = Date.now() + opened.clockOffset;
  // Below both the vehicle and its mileage, wherever the form has them.
  const last = form.fields.filter((field) => field === form.plate || field === form.mileage).pop();
  const setValue = (field: Field, text: string) => {
    check.setValue(field.name, text);
    clearProblem(idOf(form, field));
    // The questions were about the vehicle before.
    if (field === form.plate) for (const [id] of questions) clearProblem(id);
  };
  // The mileage is what differs from check to check.
  const goToMileage = () =>
    form.mileage && document.getElementById(idOf(form, form.mileage))?.focus();
  const renderField = (field: Field, isWide: boolean) => {
    const id = idOf(form, field);
    const value = fieldValue(form, field, answers);
    return (
      <Fragment key={field.name}>
        <FieldInput
          id={id}
          field={field}
          value={value}
          today={today}
          error={errors[id]}
          caution={field === form.mileage ? caution : undefined}
          isWide={isWide}
          suggestions={suggestions[field.name] ?? []}
          vehicles={vehicles}
          lastVehicles={check.start.vehicles}
          hasFailed={failure !== ""}
          onChange={(text) => setValue(field, text)}
          onDone={goToMileage}
        />
        {field.type === "plate" && (
          <LastPlates
            value={value}
            vehicles={vehicles}
            last={check.start.vehicles}
            onChoose={(plate) => {
              setValue(field, plate);
              goToMileage();
            }}
          />
        )}
        {field === last && briefing && (
          <BriefingPanel
            briefing={briefing}
            answers={answersAbout(plate, answers)}
            reason={reason}
            bookings={isForBooking ? [] : currentBookings(briefing, now, today)}
            booking={bookingOf(plate, answers)}
            errors={errors}
            today={today}
            onAnswer={setAnswer}
            onReason={setDriveReason}
            onBooking={setBooking}
          />
        )}
      </Fragment>
    );
  };

  const startNext = () => {
    flushSync(submission.clear);
    document.getElementById(FORM_ID)?.focus();
  };

  if (submitted) {
    return <SubmittedPanel submitted={submitted} list={list} onNew={startNext} />;
  }
  return (
    <form onSubmit={onSubmit} onKeyDown={onKeyDown} noValidate aria-busy={isBusy}>
      {/* Input during the request would be lost when the form is emptied. */}
      <div className="form" inert={isBusy}>
        <Problems
          problems={findings.problems}
          onGo={(target) => document.getElementById(firstInvalid(target, findings))?.focus()}
        />
        {draftSince && (
          <DraftNotice
            since={draftSince}
            otherVehicle={opened.otherVehicle}
            vehicle={props.vehicle}
            onKeep={hideDraftNotice}
            onDiscard={() => void discardDraft()}
          />
        )}
        {answers.booking && isForBooking && (
          <Notice kind="" text={<b>{describeStep(answers.booking)}</b>}>
            <button type="button" className="btn" onClick={() => setBooking()}>
              Only a check
            </button>
          </Notice>
        )}
        {reasons.length > 0 && (
          <StopArea subject={subject} reasons={reasons} phone={props.phone ?? ""} />
        )}
        <LoadFailure message={failure} onRetry={() => void load()} />
        <FieldFrame id={FORM_ID} label="Form" error={undefined}>
          <select
            id={FORM_ID}
            value={answers.formType}
            onChange={(event) => setType(event.target.value)}
          >
            {templates.map(({ key, label }) => (
              <option key={key} value={key}>
                {label}
              </option>
            ))}
          </select>
        </FieldFrame>
        <div className="two">
          {form.fields
            .filter((field) => field !== form.notes)
            .map((field) =>
              renderField(field, field === form.mileage || field.type === "textarea"),
            )}
          <CostField
            value={answers.cost}
            error={errors[COST_ID]}
            onChange={(cost) => {
              check.change({ cost });
              clearProblem(COST_ID);
            }}
          />
        </div>
        {renderField(form.notes, true)}
        <Photos
          album={album}
          queue={photos}
          error={errors[PHOTOS_ID]}
          caution={photoCaution(found)}
          onChange={() => clearProblem(PHOTOS_ID)}
        />
      </div>
      <Bar
        album={album}
        outcome={check.hasWork ? describeOutcome(found) : ""}
        savedAt={check.savedAt}
        isWaiting={isWaiting}
        isLoading={isLoading}
        isBusy={isBusy}
        onReset={() => void empty("Reset the check?", "Reset")}
      />
    </form>
  );
}
