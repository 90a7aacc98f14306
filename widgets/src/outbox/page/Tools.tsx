/** What concerns all entries: send them, save them, and load those of a file. */
import { type ChangeEvent, useRef } from "react";
import { sendNow } from "..";
import { announce } from "../announcements";
import { registerSync } from "../background";
import type { Entry } from "../entry";
import { describeLoaded, loadFile } from "../files";
import { type Action, save } from "./actions";

interface Props {
  user: number;
  entries: readonly Entry[];
  isBusy: boolean;
  onAct: (action: Action) => void;
}

async function load(file: File, user: number): Promise<string> {
  const loaded = await loadFile(await file.text(), user);
  announce({ type: "changed" });
  void registerSync();
  return describeLoaded(loaded);
}

export function Tools({ user, entries, isBusy, onAct }: Props) {
  const input = useRef<HTMLInputElement>(null);
  const choose = ({ target }: ChangeEvent<HTMLInputElement>) => {
    const [file] = target.files ?? [];
    // So that the same file can be chosen again.
    if (file) onAct(() => load(file, user).finally(() => (target.value = "")));
  };
  const sendAll = async () => {
    await sendNow();
    return "";
  };
  return (
    <div className="row">
      {entries.length > 0 && (
        <>
          <button
            type="button"
            className="btn primary"
            disabled={isBusy}
            onClick={() => onAct(sendAll)}
          >
            Send all now
          </button>
          <button
            type="button"
            className="btn"
            disabled={isBusy}
            onClick={() => onAct(() => save(entries))}
          >
            Save all as a file
          </button>
        </>
      )}
      <button
        type="button"
        className="btn"
        disabled={isBusy}
        onClick={() => input.current?.click()}
      >
        Load a file
      </button>
      <input
        ref={input}
        type="file"
        accept=".json,application/json"
        aria-label="File of unsent work"
        hidden
        onChange={choose}
      />
    </div>
  );
}
