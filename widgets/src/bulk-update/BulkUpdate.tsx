/** Delivers, withdraws or transfers many items at once: all lines, or none. */
import { type FormEvent, useCallback, useEffect, useMemo, useRef, useState } from "react";
import { ApiError, call, sayFailure } from "../shared/api";
import { useAskBeforeLeaving } from "../shared/leaving";
import { announce } from "../shared/operations";
import { type Problem, Problems } from "../shared/Problems";
import { since } from "../shared/times";
import { ActionChoice, Details } from "./Details";
import { bodyOf, complaints, nameId, problemsIn, quantityId } from "./form";
import { LineFields } from "./LineFields";
import { isBlank, newLine, previews } from "./lines";
import type { Props } from "./props";
import { useBulk } from "./useBulk";
import { useStock } from "./useStock";

const FAILED = "Bulk update failed";
const APPLY_SECONDS = 60;
const VERBS = { delivery: "Deliver", withdrawal: "Withdraw", transfer: "Transfer" } as const;

export function BulkUpdate({ props }: { props: Props }) {
  const { division, site, sites, teams, today, back } = props;
  const bulk = useBulk(props);
  const { fields, lines, edit, focus } = bulk;
  const { offers, stock, failure, load } = useStock(props);
  const [problems, setProblems] = useState<Problem[]>([]);
  const [busy, setBusy] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  useAskBeforeLeaving(bulk.hasUnsent);
  useEffect(() => document.getElementById("bulk-action")?.focus(), []);

  const shown = useMemo(
    () => previews(lines, fields.action, fields.autoCreate, stock),
    [lines, fields.action, fields.autoCreate, stock],
  );
  const errorAt = (id: string) => problems.find(({ target }) => target === id)?.message;

  const mended = useCallback((...ids: string[]) => {
    setProblems((now) =>
      now.some(({ target }) => target && ids.includes(target))
        ? now.filter(({ target }) => !target || !ids.includes(target))
        : now,
    );
  }, []);
  const { changeLine } = bulk;
  const onChange = useCallback<typeof changeLine>(
    (id, part) => {
      changeLine(id, part);
      mended(...Object.keys(part).map((field) => (field === "qty" ? quantityId(id) : nameId(id))));
    },
    [changeLine, mended],
  );
  const addLine = useCallback(() => {
    const line = newLine();
    edit((all) => [...all, line]);
    focus(nameId(line.id));
  }, [edit, focus]);
  const onNext = useCallback(
    (id: string) => {
      const next = lines[lines.findIndex((line) => line.id === id) + 1];
      if (next) focus(nameId(next.id));
      else addLine();
    },
    [lines, focus, addLine],
  );
  const onRemove = useCallback(
    (id: string) => {
      const at = lines.findIndex((line) => line.id === id);
      const left = lines.filter((line) => line.id !== id);
      const rest = left.length > 0 ? left : [newLine()];
      edit(() => rest);
      mended(nameId(id), quantityId(id));
      focus(nameId((rest[at] ?? rest.at(-1))?.id ?? ""));
    },
    [lines, edit, focus, mended],
  );

  const finish = async (operation: number, dialog: HTMLDialogElement | null | undefined) => {
    await bulk.discard();
    if (!dialog) return location.assign(`${back ?? ""}?done=${operation}`);
    // Closed meanwhile, it may hold something else by now.
    if (form.current) dialog.close();
    announce(props.said, operation);
  };

  const send = async () => {
    const found = problemsIn(fields, lines, sites.length, today);
    setProblems(found);
    if (found.length > 0) return;
    const dialog = form.current?.closest("dialog");
    const { body, sent } = bodyOf(fields, lines);
    setBusy(true);
    try {
      const key = await bulk.keyOf(JSON.stringify(body));
      const { operation } = await call("POST", `/api/${division}/inventory/{site}/bulk`, {
        path: { site },
        body,
        key,
        seconds: APPLY_SECONDS,
      });
      await finish(operation, dialog);
    } catch (error) {
      const message = sayFailure(error, FAILED);
      setProblems(complaints(error instanceof ApiError ? error.fields : {}, sent, message));
      setBusy(false);
    }
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void send();
  };

  const named = lines.filter((line) => !isBlank(line)).length;
  return (
    <form className="form bulk" ref={form} onSubmit={submit} noValidate aria-busy={busy}>
      <div className="fields" inert={busy}>
        <Problems problems={problems} onGo={(id) => document.getElementById(id)?.focus()} />
        {bulk.offered && (
          <div className="notice warn row" role="status">
            <p className="grow">Lines from {since(bulk.offered.since)} are kept in this browser.</p>
            <button type="button" className="btn" onClick={bulk.takeOffered}>
              Use them
            </button>
            <button type="button" className="btn danger" onClick={bulk.dropOffered}>
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
        <ActionChoice
          fields={fields}
          site={site}
          sites={sites}
          problems={problems}
          onChange={(part) => {
            bulk.setField(part);
            mended("bulk-destination");
          }}
        />
        <fieldset>
          <legend>Lines</legend>
          <p className="note">Several lines can be pasted from a spreadsheet: name, tab, number.</p>
          <p className="note row bulk-head" aria-hidden="true">
            <span>Item</span>
            <span>Quantity</span>
          </p>
          <ol className="bulk-lines">
            {lines.map((line, index) => (
              <LineFields
                key={line.id}
                line={line}
                number={index + 1}
                items={offers}
                preview={shown[index] ?? null}
                nameError={errorAt(nameId(line.id))}
                quantityError={errorAt(quantityId(line.id))}
                onChange={onChange}
                onRemove={onRemove}
                onNext={onNext}
                onPasteLines={bulk.pasteLines}
              />
            ))}
          </ol>
          <button type="button" className="btn" onClick={addLine}>
            Add line
          </button>
        </fieldset>
        {fields.action === "delivery" && (
          <label className="check">
            <input
              type="checkbox"
              checked={fields.autoCreate}
              onChange={(event) => bulk.setField({ autoCreate: event.target.checked })}
            />{" "}
            Auto-create items that don’t exist yet
          </label>
        )}
        <Details
          fields={fields}
          teams={teams}
          today={today}
          problems={problems}
          onChange={(part) => {
            bulk.setField(part);
            mended(...Object.keys(part).map((field) => `bulk-${field}`));
          }}
        />
      </div>
      <footer>
        {back && (
          <a className="btn" href={back} data-close>
            Cancel
          </a>
        )}
        {!back && (
          <button type="button" className="btn" data-close>
            Cancel
          </button>
        )}
        <button className="btn primary" disabled={busy}>
          {VERBS[fields.action]}
          {named > 0 && ` ${named} ${named === 1 ? "line" : "lines"}`}
        </button>
      </footer>
    </form>
  );
}
