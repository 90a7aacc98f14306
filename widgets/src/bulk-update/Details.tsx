/** The fields beside the lines: action, person and date. */
import { useEffect, useRef, useState } from "react";
import { errorAttributes, Field } from "../shared/Field";
import type { Problem } from "../shared/Problems";
import type { Fields } from "./form";
import type { SiteChoice } from "./props";

interface Props {
  fields: Fields;
  teams: string[];
  /** The teams of the user's last deliveries or withdrawals. */
  recentTeams: string[];
  today: string;
  problems: Problem[];
  /** The teams in use that the typed one resembles, if the server refused it for that. */
  resembled: string[];
  onTeam: (team: string, isNew: boolean) => void;
  onChange: (part: Partial<Fields>) => void;
}

function TeamQuestion({ fields: { team }, resembled, onTeam }: Props) {
  const first = useRef<HTMLButtonElement>(null);
  useEffect(() => first.current?.focus(), []);
  const isNew = `New team "${team.trim()}"`;
  return (
    <div className="notice warn row full" role="group" aria-labelledby="team-question">
      <p id="team-question">{isNew}? Or</p>
      {resembled.map((name, index) => (
        <button
          key={name}
          type="button"
          className="btn"
          ref={index === 0 ? first : undefined}
          onClick={() => onTeam(name, false)}
        >
          {name}
        </button>
      ))}
      <button type="button" className="btn" onClick={() => onTeam(team, true)}>
        {isNew}
      </button>
    </div>
  );
}

function errorAt(problems: Problem[], id: string): string | undefined {
  return problems.find(({ target }) => target === id)?.message;
}

export function Details(props: Props) {
  const { fields, teams, recentTeams, today, problems, resembled, onChange } = props;
  const dateError = errorAt(problems, "bulk-date");
  const teamError = errorAt(problems, "bulk-team");
  const [isTyping, setIsTyping] = useState(false);
  const picks = recentTeams.length > 0 ? [...recentTeams, ""] : [];
  const isTyped = isTyping || !picks.includes(fields.team);
  const choose = (team: string, typed: boolean) => {
    setIsTyping(typed);
    onChange({ team });
  };
  return (
    <>
      {picks.length > 0 && (
        <fieldset>
          <legend>Team</legend>
          <div className="picks">
            {picks.map((team) => (
              <label className="pick" key={team}>
                <input
                  type="radio"
                  name="recent_team"
                  checked={!isTyped && fields.team === team}
                  onChange={() => choose(team, false)}
                />{" "}
                {team || "No team"}
              </label>
            ))}
          </div>
        </fieldset>
      )}
      <div className="two">
        <Field
          id="bulk-team"
          label={picks.length > 0 ? "Another team" : "Team (optional)"}
          error={teamError}
        >
          <input
            id="bulk-team"
            list="bulk-teams"
            autoComplete="off"
            value={isTyped ? fields.team : ""}
            {...errorAttributes("bulk-team", teamError)}
            onChange={(event) => choose(event.target.value, true)}
          />
          <datalist id="bulk-teams">
            {teams.map((team) => (
              <option key={team} value={team} />
            ))}
          </datalist>
        </Field>
        <Field id="bulk-date" label="Date" error={dateError}>
          <input
            id="bulk-date"
            type="date"
            max={today}
            value={fields.date}
            {...errorAttributes("bulk-date", dateError)}
            onChange={(event) => onChange({ date: event.target.value })}
          />
        </Field>
        {resembled.length > 0 && <TeamQuestion {...props} />}
      </div>
    </>
  );
}

const ACTIONS = [
  { value: "delivery", label: "Delivery" },
  { value: "withdrawal", label: "Withdrawal" },
  { value: "transfer", label: "Transfer" },
] as const;

interface ActionProps {
  fields: Fields;
  site: string;
  sites: SiteChoice[];
  problems: Problem[];
  onChange: (part: Partial<Fields>) => void;
}

export function ActionChoice({ fields, site, sites, problems, onChange }: ActionProps) {
  const actions = ACTIONS.filter(({ value }) => value !== "transfer" || sites.length > 1);
  const error = errorAt(problems, "bulk-destination");
  return (
    <>
      <fieldset>
        <legend>Action</legend>
        <div className="seg">
          {actions.map(({ value, label }, index) => (
            <label key={value}>
              <input
                type="radio"
                name="action"
                id={index === 0 ? "bulk-action" : undefined}
                value={value}
                checked={fields.action === value}
                onChange={() => onChange({ action: value })}
              />{" "}
              {label}
            </label>
          ))}
        </div>
      </fieldset>
      {fields.action === "transfer" && (
        <Field id="bulk-destination" label="Destination site" error={error}>
          <select
            id="bulk-destination"
            value={fields.destination}
            {...errorAttributes("bulk-destination", error)}
            onChange={(event) =>
              onChange({ destination: event.target.value as Fields["destination"] })
            }
          >
            <option value="">Choose a site</option>
            {sites
              .filter(({ value }) => value !== site)
              .map(({ value, label }) => (
                <option key={value} value={value}>
                  {label}
                </option>
              ))}
          </select>
        </Field>
      )}
    </>
  );
}
