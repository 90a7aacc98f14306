/** Delivers, withdraws or transfers many items at once: all lines, or none. */
import { type FormEvent, useCallback, useEffect, useMemo, useRef, useState } from "react";
import { ApiError, call, failureMessage } from "../shared/api";
import { announce } from "../shared/operations";
import { type Problem, Problems } from "../shared/Problems";
import { isRecord } from "../shared/requests";
import { since } from "../shared/times";
import { useLeaveWarning } from "../shared/useLeaveWarning";
import { type AfterSubmit, useSubmit } from "../shared/useSubmit";
import { LoadFailure, Notice } from "../shared/widget";
import { ActionChoice, Details } from "./Details";
import { bodyOf, nameId, problemsIn, problemsOf, quantityId } from "./form";
import { LineFields } from "./LineFields";
import { isBlank, newLine, previews } from "./lines";
import type { Props } from "./props";
import { useBulk } from "./useBulk";
import { useStock } from "./useStock";

const FAILED = "Bulk update failed";
const TIMEOUT_SECONDS = 60;
const VERBS = { delivery: "Deliver", withdrawal: "Withdraw", transfer: "Transfer" } as const;

/** Returns the problems without those of some controls; the same list when nothing changes. */
function withoutTargets(problems: Problem[], ids: string[]): Problem[] {
  const left = problems.filter(({ target }) => target === null || !ids.includes(target));
  return left.length === problems.length ? problems : left;
}

export function BulkUpdate({ props }: { props: Props }) {
  const { division, site, sites, teams, today, back } = props;
  const bulk = useBulk(props);
  const { fields, lines, resumedFrom, edit, focus } = bulk;
  const { offers, stock, failure, load } = useStock(props);
  const [problems, setProblems] = useState<Problem[]>([]);
  const [resembled, setResembled] = useState<string[]>([]);
  const { isBusy, submit } = useSubmit();
  const form = useRef<HTMLFormElement>(null);
  useLeaveWarning(bulk.hasUnsent);
  useEffect(() => document.getElementById("bulk-action")?.focus(), []);

  const linePreviews = useMemo(
    () => previews(lines, fields.action, fields.autoCreate, stock),
    [lines, fields.action, fields.autoCreate, stock],
  );
  const errorAt = (id: string) => problems.find(({ target }) => target === id)?.message;
  const clearProblems = useCallback(
    (...ids: string[]) => setProblems((now) => withoutTargets(now, ids)),
    [],
  );

  const { changeLine } = bulk;
  const onChangeLine = useCallback<typeof changeLine>(
    (id, part) => {
      changeLine(id, part);
      const changed = Object.keys(part);
      clearProblems(...changed.map((field) => (field === "qty" ? quantityId(id) : nameId(id))));
    },
    [changeLine, clearProblems],
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
      const index = lines.findIndex((line) => line.id === id);
      const left = lines.filter((line) => line.id !== id);
      const rest = left.length > 0 ? left : [newLine()];
      edit(() => rest);
      clearProblems(nameId(id), quantityId(id));
      focus(nameId((rest[index] ?? rest.at(-1))?.id ?? ""));
    },
    [lines, edit, focus, clearProblems],
  );

  const send = async (team: string, newTeam: boolean): Promise<AfterSubmit> => {
    const dialog = form.current?.closest("dialog");
    const { body } = bodyOf({ ...fields, team }, lines, newTeam);
    const { operation } = await call("POST", `/api/${division}/inventory/{site}/bulk`, {
      path: { site },
      body,
      key: await bulk.keyFor(JSON.stringify(body)),
      seconds: TIMEOUT_SECONDS,
    });
    await bulk.discard();
    if (!dialog) {
      location.assign(`${back}?done=${operation}`);
    } else {
      // If the dialog was closed meanwhile, it may contain another form by now.
      if (form.current) dialog.close();
      announce(props.resultUrl, operation);
    }
    return "leaving";
  };
  const onFailure = (error: unknown) => {
    if (error instanceof ApiError && isRecord(error.body) && Array.isArray(error.body.resembles))
      return setResembled(error.body.resembles.map(String));
    const { sent } = bodyOf(fields, lines);
    const errors = error instanceof ApiError ? error.fields : {};
    setProblems(problemsOf(errors, sent, failureMessage(error, FAILED)));
  };
  const sendFor = (team: string, newTeam: boolean) => {
    bulk.setField({ team });
    setResembled([]);
    void submit(() => send(team, newTeam), onFailure);
  };
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    const found = problemsIn(fields, lines, sites.length, today);
    setProblems(found);
    if (found.length === 0) sendFor(fields.team, false);
  };

  const count = lines.filter((line) => !isBlank(line)).length;
  return (
    <form className="form bulk" ref={form} onSubmit={onSubmit} noValidate aria-busy={isBusy}>
      <div className="fields" inert={isBusy}>
        <Problems problems={problems} onGo={(id) => document.getElementById(id)?.focus()} />
        {resumedFrom && (
          <Notice
            kind=""
            text={`Lines resumed. They were entered at ${since(resumedFrom)} and are saved in this browser.`}
          >
            <button type="button" className="btn" onClick={bulk.startAgain}>
              Start again
            </button>
          </Notice>
        )}
        <LoadFailure message={failure} onRetry={() => void load()} />
        <ActionChoice
          fields={fields}
          site={site}
          sites={sites}
          problems={problems}
          onChange={(part) => {
            bulk.setField(part);
            clearProblems("bulk-destination");
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
                preview={linePreviews[index] ?? null}
                nameError={errorAt(nameId(line.id))}
                quantityError={errorAt(quantityId(line.id))}
                onChange={onChangeLine}
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
          recentTeams={bulk.recentTeams}
          today={today}
          problems={problems}
          resembled={resembled}
          onTeam={sendFor}
          onChange={(part) => {
            bulk.setField(part);
            if ("team" in part) setResembled([]);
            clearProblems(...Object.keys(part).map((field) => `bulk-${field}`));
          }}
        />
      </div>
      <footer>
        <a className="btn" href={back} data-close>
          Cancel
        </a>
        <button type="submit" className="btn primary" disabled={isBusy}>
          {VERBS[fields.action]}
          {count > 0 && ` ${count} ${count === 1 ? "line" : "lines"}`}
        </button>
      </footer>
    </form>
  );
}
