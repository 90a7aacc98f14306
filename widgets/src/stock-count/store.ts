/**
 * The state of the count, outside React: a keystroke changes one line and notifies that line's row
 * and the summary, nothing else. Every change is saved in the browser.
 */
import * as drafts from "../shared/drafts";
import { LINE, STALE } from "../shared/drafts";
import type { Item } from "../shared/inventory";
import { Listeners } from "../shared/listeners";
import { penceOf } from "../shared/money";
import { nameKey } from "../shared/names";
import type { Schemas } from "../shared/openapi";
import { CountDraft, linePart, listOwnerOf } from "./count-draft";
import { type Found, isBlank, newFound } from "./found";
import {
  addToSummary,
  type CountLine,
  countOf,
  EMPTY_SUMMARY,
  isApplied,
  type Resolution,
  resolveStale,
  type Summary,
} from "./line";
import type { List } from "./list";

type StaleReply = Schemas["StaleAmountReply"];
type Base = "expected" | "zero";

export class CountStore {
  readonly items: Item[];
  /** When the list was read, in ms of this browser's clock; null for the server's of the start. */
  readonly asOf: number | null;
  /** When the count was started that is resumed; null for a new one. */
  readonly resumedFrom: Date | null;
  found: Found[];
  errors: Record<string, string> = {};
  private readonly watchers = new Listeners();
  private readonly lineListeners = new Map<number, Listeners>();
  private lines: CountLine[] = [];
  private indexes = new Map<string, number>();
  private base: Base;
  private sum: Summary = EMPTY_SUMMARY;
  private keys: string[] = [];

  subscribe = this.watchers.subscribe;

  constructor(
    { items, asOf }: List,
    readonly draft: CountDraft,
    resumedFrom: Date | null = null,
  ) {
    this.items = items;
    this.asOf = asOf;
    this.resumedFrom = resumedFrom;
    this.base = draft.part<Base>("base") ?? "expected";
    this.found = draft.part<Found[]>("found") ?? [];
    this.keys = items.map(({ item }) => nameKey(item));
    this.indexes = new Map(this.keys.map((key, index) => [key, index]));
    this.lines = items.map(({ item, amount }) => draft.line(item) ?? this.newLine(amount));
    this.updateSummary();
    const stale = draft.part<StaleReply[]>(STALE);
    if (stale) this.setStale(stale);
  }

  /** Resumes the saved count, or starts one; `load` loads the list where none is saved. */
  static async open(owner: drafts.Owner, load: () => Promise<List>): Promise<CountStore> {
    const saved = await drafts.load(owner);
    const savedList = saved && (await drafts.load(listOwnerOf(owner)));
    const items = savedList?.parts.get("items") as Item[] | undefined;
    const asOf = (savedList?.parts.get("asOf") ?? null) as number | null;
    const list = items ? { items, asOf } : await load();
    const draft = new CountDraft(owner, list, saved, items !== undefined);
    return new CountStore(list, draft, saved?.since ?? null);
  }

  /** Returns the parts of its draft, of which an entry of the outbox keeps a copy. */
  parts(): [string, unknown][] {
    const lines = this.items.flatMap(({ item }, index): [string, unknown][] => {
      const line = this.line(index);
      const isUntouched = !isApplied(line) && !line.looked && !line.moved;
      return isUntouched ? [] : [[linePart(item), line]];
    });
    return [["base", this.base], ["found", this.found], ...lines];
  }

  subscribeLine(index: number, listener: () => void): () => void {
    const listeners = this.lineListeners.get(index) ?? new Listeners();
    this.lineListeners.set(index, listeners);
    return listeners.subscribe(listener);
  }

  line = (index: number): CountLine => this.lines[index] as CountLine;
  summary = (): Summary => this.sum;
  /** The items' keys for a search; another array whenever many lines have changed at once. */
  searchKeys = (): string[] => this.keys;
  foundItems = (): Found[] => this.found;

  /** Returns the index of the item with a name. */
  indexOf(name: string): number | undefined {
    return this.indexes.get(nameKey(name));
  }

  /** Returns the unit price of a line's item. */
  penceOf(index: number): number {
    return penceOf(this.items[index]?.unitPrice ?? 0);
  }

  /** Returns whether the user has counted any line. */
  hasCounts(): boolean {
    return this.lines.some(({ looked }) => looked);
  }

  /** Returns the lines whose stock has changed since it was read, in the list's order. */
  staleLines(): number[] {
    return this.lines.flatMap((line, index) => (line.moved ? [index] : []));
  }

  /** Returns the first lines whose count is not a number, at most as many. */
  invalidLines(most: number): number[] {
    if (this.sum.wrong === 0) return [];
    const invalid = this.lines.flatMap((line, index) => (countOf(line) === null ? [index] : []));
    return invalid.slice(0, most);
  }

  /** Sets a line's count to the text typed. */
  type(index: number, counted: string): void {
    const line = this.line(index);
    const next: CountLine = { ...line, counted, looked: countOf({ ...line, counted }) !== null };
    // Typing in a line whose stock has changed is a count of the current stock.
    const amount = line.moved?.amount;
    if (line.moved && typeof amount === "number") {
      next.expected = amount;
      next.moved = { ...line.moved, choice: "count" };
    }
    this.change(index, next);
  }

  /** Counts one more or one less, from the expected amount where the count is not a number. */
  step(index: number, by: 1 | -1): void {
    const line = this.line(index);
    this.type(index, String(Math.max(0, (countOf(line) ?? line.expected) + by)));
  }

  /** Marks a line as looked at. */
  look(index: number): void {
    const line = this.line(index);
    if (!line.looked) this.change(index, { ...line, looked: true });
  }

  /** Sets all counts to the expected amounts, or to 0. */
  setAll(base: Base): void {
    this.changeMany(() => {
      this.base = base;
      this.lines = this.lines.map(({ expected }) => this.newLine(expected));
      // A line whose expected amount isn't that of the list must be saved with it.
      const changed = this.lines.flatMap((line, index): [string, CountLine][] => {
        const { item = "", amount } = this.items[index] ?? {};
        return line.expected === amount ? [] : [[linePart(item), line]];
      });
      this.errors = {};
      this.draft.put([["base", base], ...changed], [LINE]);
    });
  }

  /** Fills in the counts and found items of a sheet. */
  fillFrom(sheet: Schemas["SheetReply"]): void {
    this.changeMany(() => {
      const parts: [string, unknown][] = [];
      for (const { id, expected, counted } of sheet.lines) {
        const index = this.indexOf(id) ?? this.addItem(id, expected);
        const line: CountLine = { expected, counted: String(counted), looked: true };
        this.lines[index] = line;
        parts.push([linePart(this.items[index]?.item ?? id), line]);
      }
      const found = sheet.found.map(({ name, qty, category, unitPrice }) =>
        newFound({
          name,
          qty: String(qty),
          category,
          price: unitPrice ? unitPrice.toFixed(2) : "",
        }),
      );
      this.found = [...this.found.filter((each) => !isBlank(each)), ...found];
      this.draft.changeList();
      this.draft.put([["found", this.found], ...parts]);
    });
  }

  setFound(found: Found[]): void {
    this.found = found;
    this.draft.put([["found", found]]);
    this.watchers.notify();
  }

  /** Marks the lines whose stock has changed, by the server's refusal. */
  setStale(stale: StaleReply[]): void {
    this.changeMany(() => {
      const parts: [string, CountLine][] = [];
      for (const { id, amount } of stale) {
        const index = this.indexOf(id);
        if (index === undefined) continue;
        const { expected, counted, looked } = this.line(index);
        const was = { expected, counted: Number(counted.replaceAll(",", "")) };
        const line: CountLine = { expected, counted, looked, moved: { amount, was } };
        this.lines[index] = line;
        parts.push([linePart(this.items[index]?.item ?? id), line]);
      }
      this.draft.put(parts, [STALE]);
    });
  }

  /** Applies the user's decision about a line whose stock has changed. */
  resolve(index: number, choice: Resolution): void {
    const line = this.line(index);
    if (line.moved) this.change(index, resolveStale(line, line.moved, choice));
  }

  setErrors(errors: Record<string, string>): void {
    this.changeMany(() => {
      this.errors = errors;
    });
  }

  private newLine(amount: number): CountLine {
    const counted = this.base === "zero" ? "0" : String(amount);
    return { expected: amount, counted, looked: false };
  }

  private addItem(item: string, amount: number): number {
    const index = this.items.push({ item, amount, category: "", unitPrice: 0, unit: "pcs" }) - 1;
    const key = nameKey(item);
    this.keys.push(key);
    this.indexes.set(key, index);
    return index;
  }

  private updateSummary(): void {
    this.sum = this.lines.reduce(
      (sum, line, index) => addToSummary(sum, line, this.penceOf(index), 1),
      EMPTY_SUMMARY,
    );
  }

  private change(index: number, line: CountLine): void {
    const pence = this.penceOf(index);
    const without = addToSummary(this.sum, this.line(index), pence, -1);
    this.sum = addToSummary(without, line, pence, 1);
    this.lines[index] = line;
    const item = this.items[index]?.item ?? "";
    if (this.errors[item]) {
      const { [item]: _removed, ...others } = this.errors;
      this.errors = others;
    }
    this.draft.put([[linePart(item), line]]);
    this.lineListeners.get(index)?.notify();
    this.watchers.notify();
  }

  private changeMany(change: () => void): void {
    change();
    this.keys = [...this.keys];
    this.updateSummary();
    for (const listeners of this.lineListeners.values()) listeners.notify();
    this.watchers.notify();
  }
}
