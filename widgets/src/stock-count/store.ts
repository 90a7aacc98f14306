/**
 * The count, outside React: a keystroke changes one line and tells that line's row and the
 * summary, and nothing else. Every change is kept in the browser in the same step.
 */
import * as drafts from "../shared/drafts";
import type { Item } from "../shared/inventory";
import { COUNT_LIST } from "../shared/kept-count";
import { nameKey } from "../shared/names";
import { keyFor, type Sent } from "../shared/once";
import type { Schemas } from "../shared/openapi";
import { type Found, isBlank, newFound } from "./found";
import { added, countOf, decided, type Line, type Moved, NOTHING, type Summary } from "./line";

type Hear = () => void;
type Base = "expected" | "zero";

const LINE = "line:";
const KEEP_AFTER = 50;
const KEEP_LIST_AFTER = 1_000;

/** The list is kept apart, so that a list alone isn't taken for a count. */
const listOf = (owner: drafts.Owner): drafts.Owner => ({ ...owner, kind: COUNT_LIST });

export class CountStore {
  /** When the oldest kept part was kept; null for a count that begins now. */
  readonly resumedFrom: Date | null;
  found: Found[] = [];
  errors: Record<string, string> = {};
  /** Changes whenever many lines changed at once, so that what is filtered by them is found anew. */
  edition = 0;
  keptAt: Date | null;
  private lines: Line[] = [];
  private indexes = new Map<string, number>();
  private base: Base = "expected";
  private sent: Sent | null;
  private sum: Summary = NOTHING;
  private hearers = new Map<number, Set<Hear>>();
  private watchers = new Set<Hear>();
  private touched = false;
  private isListKept: boolean;
  private unkept = new Map<string, unknown>();
  private dropped: string[] = [];
  private keeping: ReturnType<typeof setTimeout> | undefined;

  constructor(
    readonly items: Item[],
    private readonly owner: drafts.Owner,
    kept: drafts.Draft | null = null,
  ) {
    this.resumedFrom = kept?.since ?? null;
    this.keptAt = kept?.until ?? null;
    this.touched = kept !== null;
    this.isListKept = false;
    this.base = (kept?.parts.get("base") as Base | undefined) ?? "expected";
    this.sent = (kept?.parts.get("sent") as Sent | undefined) ?? null;
    this.found = (kept?.parts.get("found") as Found[] | undefined) ?? [];
    this.fill((item) => kept?.parts.get(LINE + item) as Line | undefined);
  }

  /** Resumes the count that is kept, or begins one; what its list lacks is asked of `load`. */
  static async open(owner: drafts.Owner, load: () => Promise<Item[]>): Promise<CountStore> {
    const kept = await drafts.load(owner);
    const list = kept && (await drafts.load(listOf(owner)));
    const items = list?.parts.get("items") as Item[] | undefined;
    const store = new CountStore(items ?? (await load()), owner, kept);
    if (!items) setTimeout(() => store.keepList(), KEEP_LIST_AFTER);
    else store.isListKept = true;
    return store;
  }

  private fill(keptLine: (item: string) => Line | undefined): void {
    this.indexes = new Map(this.items.map(({ item }, index) => [nameKey(item), index]));
    this.lines = this.items.map(({ item, amount }) => keptLine(item) ?? this.fresh(amount));
    this.recount();
  }

  private fresh(amount: number): Line {
    return {
      expected: amount,
      counted: this.base === "zero" ? "0" : String(amount),
      looked: false,
    };
  }

  private recount(): void {
    this.sum = this.lines.reduce(
      (sum, line, index) => added(sum, line, this.penceOf(index), 1),
      NOTHING,
    );
    this.edition += 1;
  }

  private penceOf(index: number): number {
    return Math.round((this.items[index]?.unitPrice ?? 0) * 100);
  }

  subscribeLine(index: number, hear: Hear): Hear {
    const hearers = this.hearers.get(index) ?? new Set();
    this.hearers.set(index, hearers.add(hear));
    return () => hearers.delete(hear);
  }

  subscribe = (hear: Hear): Hear => {
    this.watchers.add(hear);
    return () => this.watchers.delete(hear);
  };

  line = (index: number): Line => this.lines[index] as Line;
  summary = (): Summary => this.sum;
  currentEdition = (): number => this.edition;
  foundItems = (): Found[] => this.found;

  /** Returns where a name stands in the list. */
  indexOf(name: string): number | undefined {
    return this.indexes.get(nameKey(name));
  }

  hasWork(): boolean {
    return this.touched;
  }

  /** Tells whether setting all counts anew would lose any. */
  hasCounts(): boolean {
    return this.lines.some(({ looked }) => looked);
  }

  private keep(parts: [string, unknown][], dropped: string[] = []): void {
    // Written once, it tells since when there is a count; the lines tell when each was last typed.
    if (!this.touched) this.unkept.set("begun", true);
    this.touched = true;
    this.keptAt = new Date();
    for (const part of dropped) this.unkept.delete(part);
    for (const [part, value] of parts) this.unkept.set(part, value);
    this.dropped.push(...dropped);
    // After the frame that shows it: on a slow phone the writing itself would make a key feel late.
    this.keeping ??= setTimeout(() => void this.flush(), KEEP_AFTER);
  }

  /** Keeps the list as it was loaded: without it, counts could not be resumed without a connection. */
  private keepList(): void {
    if (this.isListKept) return;
    this.isListKept = true;
    void drafts.put(listOf(this.owner), "items", this.items);
  }

  /** Writes what isn't written yet, as before the page goes away. */
  flush = async (): Promise<void> => {
    clearTimeout(this.keeping);
    this.keeping = undefined;
    if (this.unkept.size === 0 && this.dropped.length === 0) return;
    this.keepList();
    const [parts, dropped] = [this.unkept, this.dropped];
    this.unkept = new Map();
    this.dropped = [];
    await drafts.putMany(this.owner, parts, dropped);
  };

  private tell(): void {
    this.watchers.forEach((hear) => hear());
  }

  private change(index: number, line: Line): void {
    const pence = this.penceOf(index);
    this.sum = added(added(this.sum, this.line(index), pence, -1), line, pence, 1);
    this.lines[index] = line;
    const item = this.items[index]?.item ?? "";
    if (this.errors[item]) {
      const { [item]: _mended, ...others } = this.errors;
      this.errors = others;
    }
    this.keep([[LINE + item, line]]);
    this.hearers.get(index)?.forEach((hear) => hear());
    this.tell();
  }

  private changeAll(change: () => void): void {
    change();
    this.recount();
    this.hearers.forEach((hearers) => hearers.forEach((hear) => hear()));
    this.tell();
  }

  /** Takes what was typed as the line's count. */
  type(index: number, counted: string): void {
    const line = this.line(index);
    const next: Line = { ...line, counted, looked: countOf({ ...line, counted }) !== null };
    // Typing at a line whose stock moved is a count of what is there now.
    const amount = line.moved?.amount;
    if (line.moved && typeof amount === "number") {
      next.expected = amount;
      next.moved = { ...line.moved, choice: "count" };
    }
    this.change(index, next);
  }

  /** Counts one more or one less; a text that is no number starts again from what was expected. */
  step(index: number, by: 1 | -1): void {
    const line = this.line(index);
    this.type(index, String(Math.max(0, (countOf(line) ?? line.expected) + by)));
  }

  look(index: number): void {
    const line = this.line(index);
    if (!line.looked) this.change(index, { ...line, looked: true });
  }

  /** Starts every count from what was expected, or from 0. */
  setAll(base: Base): void {
    this.changeAll(() => {
      const dropped = this.items.map(({ item }) => LINE + item);
      this.base = base;
      this.lines = this.lines.map(({ expected }) => this.fresh(expected));
      const moved = this.lines.flatMap((line, index): [string, Line][] => {
        const { item = "", amount } = this.items[index] ?? {};
        return line.expected === amount ? [] : [[LINE + item, line]];
      });
      this.errors = {};
      this.keep([["base", base], ...moved], dropped);
    });
  }

  /** Takes over a filled-in sheet: what it lists is expected, counted and looked at. */
  fillFrom(sheet: Schemas["SheetReply"]): void {
    this.changeAll(() => {
      const parts: [string, unknown][] = [];
      for (const { id, expected, counted } of sheet.lines) {
        let index = this.indexOf(id);
        if (index === undefined) {
          index =
            this.items.push({
              item: id,
              amount: expected,
              category: "",
              unitPrice: 0,
              unit: "pcs",
            }) - 1;
          this.indexes.set(nameKey(id), index);
        }
        const line: Line = { expected, counted: String(counted), looked: true };
        this.lines[index] = line;
        parts.push([LINE + (this.items[index]?.item ?? id), line]);
      }
      const brought = sheet.found.map((each) =>
        newFound({
          name: each.name,
          qty: String(each.qty),
          category: each.category,
          price: each.unitPrice ? each.unitPrice.toFixed(2) : "",
        }),
      );
      this.found = [...this.found.filter((each) => !isBlank(each)), ...brought];
      this.isListKept = false;
      this.keep([["found", this.found], ...parts]);
    });
  }

  setFound(found: Found[]): void {
    this.found = found;
    this.keep([["found", found]]);
    this.tell();
  }

  /** Marks the lines whose stock the server found changed. */
  setMoved(moved: Schemas["MovedReply"][]): void {
    this.changeAll(() => {
      const parts: [string, Line][] = [];
      for (const { id, amount } of moved) {
        const index = this.indexOf(id);
        if (index === undefined) continue;
        const { expected, counted, looked } = this.line(index);
        const was = { expected, counted: Number(counted.replaceAll(",", "")) };
        const line: Line = { expected, counted, looked, moved: { amount, was } };
        this.lines[index] = line;
        parts.push([LINE + (this.items[index]?.item ?? id), line]);
      }
      this.keep(parts);
    });
  }

  decide(index: number, choice: NonNullable<Moved["choice"]>): void {
    const line = this.line(index);
    if (line.moved) this.change(index, decided(line, line.moved, choice));
  }

  /** Returns the lines whose stock moved, in the list's order. */
  movedLines(): number[] {
    return this.lines.flatMap((line, index) => (line.moved ? [index] : []));
  }

  /** Returns the first line whose count is no number. */
  firstWrong(): number | undefined {
    const index = this.lines.findIndex((line) => countOf(line) === null);
    return index < 0 ? undefined : index;
  }

  setErrors(errors: Record<string, string>): void {
    this.changeAll(() => {
      this.errors = errors;
    });
  }

  /** Returns the key for this content, kept with the count: also a reload sends it under the same one. */
  async keyFor(content: string): Promise<string> {
    const before = this.sent;
    this.sent = keyFor(content, before);
    if (this.sent !== before) this.unkept.set("sent", this.sent);
    await this.flush();
    return this.sent.key;
  }

  async discard(): Promise<void> {
    this.touched = false;
    this.isListKept = true;
    clearTimeout(this.keeping);
    this.keeping = undefined;
    this.unkept.clear();
    this.dropped = [];
    await Promise.all([drafts.discard(this.owner), drafts.discard(listOf(this.owner))]);
  }
}
