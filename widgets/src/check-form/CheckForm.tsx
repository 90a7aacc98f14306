/** The check of a vehicle, on the form that is chosen. */
import { type FormEvent, type KeyboardEvent, useEffect, useMemo, useRef, useState } from "react";
import { ask } from "../shared/ask";
import { useAskBeforeLeaving } from "../shared/leaving";
import { formatNumber } from "../shared/money";
import { Problems } from "../shared/Problems";
import { since } from "../shared/times";
import { Bar } from "./Bar";
import { parseMiles, stillWrong, valueOf } from "./check";
import { FieldInput, Frame, saidAbout } from "./FieldInput";
import { COST_ID, FORM_ID, type Form, formOf, idOf, PHOTOS_ID } from "./fields";
import type { Opened } from "./kept";
import { Photos } from "./Photos";
import type { Field, Props } from "./props";
import type { Tools } from "./queue";
import { type Check, useCheck } from "./useCheck";
import { useSubmit } from "./useSubmit";
import { useVehicles, type Vehicle, vehicleWith } from "./vehicles";

const LOST = "What was filled in and picked is lost.";

/** Returns a word of caution where the mileage went down. */
function cautionOf(form: Form, check: Check, vehicles: Vehicle[] | null): string | undefined {
  const { plate, mileage } = form;
  const last = plate && vehicleWith(valueOf(form, plate, check.filled), vehicles)?.odometer;
  const miles = mileage ? parseMiles(valueOf(form, mileage, check.filled)) : null;
  const hasFallen = typeof last === "number" && miles !== null && miles < last;
  return hasFallen
    ? `Lower than the last reading, ${formatNumber(last)}. You can still send it.`
    : undefined;
}

interface CheckFormProps {
  props: Props;
  opened: Opened;
  tools?: Tools;
}

export function CheckForm({ props, opened, tools }: CheckFormProps) {
  const { templates, suggestions, list } = props;
  const check = useCheck(props, opened, tools);
  const { filled, album, photos } = check;
  const form = useMemo(() => {
    const template = templates.find(({ key }) => key === filled.formType);
    return formOf(template ?? { key: "", label: "", fields: [] });
  }, [templates, filled.formType]);
  const { vehicles, failure, load, refresh } = useVehicles(props.division);
  const isLoading = vehicles === null && failure === "";
  const { findings, isWaiting, busy, said, submit, mended, forget } = useSubmit(
    check,
    form,
    vehicles,
    isLoading,
  );
  const { errors } = findings;
  const [keptSince, setKeptSince] = useState(opened.kept?.since ?? null);
  const [other, setOther] = useState(opened.other);
  const success = useRef<HTMLDivElement>(null);
  useAskBeforeLeaving(check.hasUnsent);
  useEffect(() => {
    // The button that was pressed is at the end of a form that is empty again.
    if (said.length === 0) return;
    success.current?.focus();
    // The next check is compared with this one's reading.
    refresh();
  }, [said, refresh]);

  const keep = () => {
    setKeptSince(null);
    setOther("");
  };
  const empty = async (title: string, yes: string, values?: Record<string, string>) => {
    if (check.hasWork && !(await ask({ title, text: LOST, yes }))) return;
    keep();
    forget();
    await check.reset(values);
  };
  const beginOther = () => {
    const mine = form.plate ? { [form.plate.name]: props.vehicle } : {};
    return empty("Discard the check?", "Discard", { ...check.clean.values, ...mine });
  };
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    keep();
    submit();
  };
  // A check can't be taken back, so only its button sends it.
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "Enter" && event.target instanceof HTMLInputElement) event.preventDefault();
  };
  const setType = (formType: string) => {
    forget();
    check.change({ formType });
  };

  const caution = cautionOf(form, check, vehicles);
  const show = (field: Field, isWhole: boolean) => {
    const id = idOf(form, field);
    return (
      <FieldInput
        key={field.name}
        id={id}
        field={field}
        value={valueOf(form, field, filled)}
        error={errors[id]}
        caution={field === form.mileage ? caution : undefined}
        isWhole={isWhole}
        said={suggestions[field.name] ?? []}
        vehicles={vehicles}
        hasFailed={failure !== ""}
        onChange={(text) => {
          check.setValue(field.name, text);
          mended(id);
        }}
      />
    );
  };

  return (
    <form onSubmit={onSubmit} onKeyDown={onKeyDown} noValidate aria-busy={busy}>
      {/* What is typed while it is sent would be gone with the form. */}
      <div className="form" inert={busy}>
        <Problems
          problems={findings.problems}
          onGo={(target) => document.getElementById(stillWrong(target, findings))?.focus()}
        />
        <div role="status" tabIndex={-1} ref={success}>
          {said.length > 0 && (
            <div className="notice ok">
              {said.map((text) => (
                <p key={text}>{text}</p>
              ))}
              <p>
                <a href={list}>Checks list</a>
              </p>
            </div>
          )}
        </div>
        {keptSince && other && (
          <div className="notice warn row" role="status">
            <p className="grow">
              A check of {other} is kept from {since(keptSince)}.
            </p>
            <button type="button" className="btn" onClick={keep}>
              Keep
            </button>
            <button type="button" className="btn danger" onClick={() => void beginOther()}>
              Discard and begin {props.vehicle}
            </button>
          </div>
        )}
        {keptSince && !other && (
          <div className="notice warn row" role="status">
            <p className="grow">Kept from {since(keptSince)}.</p>
            <button
              type="button"
              className="btn danger"
              onClick={() => void empty("Discard the check?", "Discard")}
            >
              Discard
            </button>
          </div>
        )}
        {failure && (
          <div className="notice bad row" role="alert">
            <p className="grow">{failure}</p>
            <button type="button" className="btn" onClick={() => void load()}>
              Try again
            </button>
          </div>
        )}
        <Frame id={FORM_ID} label="Form" error={undefined}>
          <select
            id={FORM_ID}
            value={filled.formType}
            onChange={(event) => setType(event.target.value)}
          >
            {templates.map(({ key, label }) => (
              <option key={key} value={key}>
                {label}
              </option>
            ))}
          </select>
        </Frame>
        <div className="two">
          {form.fields
            .filter((field) => field !== form.notes)
            .map((field) => show(field, field === form.mileage || field.type === "textarea"))}
          <Frame id={COST_ID} label="Repair/Expense (£)" error={errors[COST_ID]}>
            <div className="money">
              <input
                id={COST_ID}
                inputMode="decimal"
                autoComplete="off"
                value={filled.cost}
                aria-invalid={errors[COST_ID] ? true : undefined}
                aria-describedby={saidAbout(COST_ID, errors[COST_ID])}
                onFocus={(event) => event.target.select()}
                onChange={(event) => {
                  check.change({ cost: event.target.value });
                  mended(COST_ID);
                }}
              />
            </div>
          </Frame>
        </div>
        {show(form.notes, true)}
        <Photos
          album={album}
          queue={photos}
          error={errors[PHOTOS_ID]}
          onMended={() => mended(PHOTOS_ID)}
        />
      </div>
      <Bar
        album={album}
        keptAt={check.keptAt}
        isWaiting={isWaiting}
        isLoading={isLoading}
        busy={busy}
        onReset={() => void empty("Reset the check?", "Reset")}
      />
    </form>
  );
}
