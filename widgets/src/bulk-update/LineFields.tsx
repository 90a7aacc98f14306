/** One line: name, quantity, preview and the button that removes it. */
import { type ClipboardEvent, type KeyboardEvent, memo } from "react";
import { formatNumber } from "../shared/money";
import { readPasted } from "../shared/pasted";
import { nameId, quantityId } from "./form";
import type { Line, Preview } from "./lines";
import { NameField, type Offer } from "./NameField";

function PreviewText({ preview }: { preview: Preview }) {
  const { before, after, isNew, times } = preview;
  if (before === null || after === null) return null;
  return (
    <>
      {formatNumber(before)} → {formatNumber(after)}
      {isNew && (
        <>
          {" "}
          <span className="badge ok">New item</span>
        </>
      )}
      {times > 1 && <span className="muted"> {times} lines, summed</span>}
    </>
  );
}

interface Props {
  line: Line;
  /** Its number, from 1. */
  number: number;
  items: Offer[];
  preview: Preview | null;
  nameError: string | undefined;
  quantityError: string | undefined;
  onChange: (id: string, part: Partial<Line>) => void;
  onRemove: (id: string) => void;
  onNext: (id: string) => void;
  onPasteLines: (id: string, lines: { name: string; qty: string }[]) => void;
}

export const LineFields = memo(function LineFields(props: Props) {
  const { line, number, items, preview, onChange, onRemove, onNext, onPasteLines } = props;
  const nameError = props.nameError ?? preview?.error ?? undefined;
  const error = nameError ?? props.quantityError;
  const errorId = `${line.id}-error`;

  const onPaste = (event: ClipboardEvent<HTMLInputElement>) => {
    const pasted = readPasted(event.clipboardData.getData("text"));
    if (!pasted) return;
    event.preventDefault();
    onPasteLines(line.id, pasted);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== "Enter") return;
    event.preventDefault();
    onNext(line.id);
  };

  return (
    <li className={error ? "bulk-line wrong" : "bulk-line"}>
      {error && (
        <p className="error" id={errorId}>
          {error}
        </p>
      )}
      <NameField
        id={nameId(line.id)}
        label={`Item, line ${number}`}
        value={line.name}
        items={items}
        isInvalid={nameError !== undefined}
        describedBy={nameError ? errorId : undefined}
        onChange={(name) => onChange(line.id, { name })}
        onDone={() => document.getElementById(quantityId(line.id))?.focus()}
        onPaste={onPaste}
      />
      <input
        id={quantityId(line.id)}
        className="quantity"
        inputMode="numeric"
        enterKeyHint="next"
        autoComplete="off"
        aria-label={`Quantity, line ${number}`}
        aria-invalid={props.quantityError ? true : undefined}
        aria-describedby={props.quantityError ? errorId : undefined}
        value={line.qty}
        onChange={(event) => onChange(line.id, { qty: event.target.value })}
        onFocus={(event) => event.target.select()}
        onKeyDown={onKeyDown}
        onPaste={onPaste}
      />
      <button
        type="button"
        className="btn quiet"
        aria-label={`Remove line ${number}`}
        onClick={() => onRemove(line.id)}
      >
        ×
      </button>
      <p className="after num">{preview && <PreviewText preview={preview} />}</p>
    </li>
  );
});
