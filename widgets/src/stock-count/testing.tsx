/** Opens the stock check against a fake server, and finds its controls, for tests. */

import { fireEvent, render, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, vi } from "vitest";
import { emptyDatabase, giveLocks } from "../outbox/testing";
import * as drafts from "../shared/drafts";
import { COUNT, COUNT_LIST, LINE } from "../shared/drafts";
import {
  type Answer,
  ITEMS,
  recordNavigations,
  type SentRequest,
  serve,
  sessionOf,
} from "../shared/testing";
import type { Props } from "./props";
import { StockCheck } from "./StockCheck";

export const PROPS: Props = {
  user: 7,
  division: "gfm",
  site: "main",
  siteLabel: "Main",
  today: "2026-11-21",
  todayText: "21 Nov 2026",
  back: "/inventory/main",
  sheet: "/inventory/main/count-sheet",
  sheetCsv: "/inventory/main/count-sheet.csv",
};
export const OWNER = { user: 7, division: "gfm", site: "main", kind: COUNT };
export const DONE: Answer = { body: { operation: 12, items: [] } };

export interface FakeServer {
  /** Who is signed in. */
  user: number;
  /** Whether nothing reaches the server but what the page reads when it is opened. */
  isCut: boolean;
  requests: SentRequest[];
  answers: Answer[];
  navigations: string[];
  /** The requests that change stock. */
  sent: () => SentRequest[];
}

/** Starts a fake server: GET returns the items, changes get queued replies or success. */
export async function startServer(items: unknown = ITEMS): Promise<FakeServer> {
  await drafts.discard(OWNER);
  await drafts.discard({ ...OWNER, kind: COUNT_LIST });
  const answers: Answer[] = [];
  await emptyDatabase();
  giveLocks();
  const requests = serve(({ method, url }) => {
    if (server.isCut && (method !== "GET" || url === "/session")) return "no connection";
    if (url === "/session") return sessionOf(server.user);
    return method === "GET" ? { body: items } : (answers.shift() ?? DONE);
  });
  const server: FakeServer = {
    user: 7,
    isCut: false,
    requests,
    answers,
    navigations: recordNavigations(),
    sent: () => requests.filter(({ method }) => method === "PATCH"),
  };
  return server;
}

export function stopServer(): void {
  for (const dialog of document.querySelectorAll("dialog")) dialog.remove();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
}

/** Opens the page, and waits until the lines are loaded. */
export async function open(props: Partial<Props> = {}): Promise<() => void> {
  const { unmount } = render(<StockCheck props={{ ...PROPS, ...props }} />);
  await screen.findByRole("region", { name: "Finish the stock check" });
  return unmount;
}

/** Waits until a part of the draft is saved. */
export const saved = (part: string, value: unknown): Promise<void> =>
  waitFor(async () => expect((await drafts.load(OWNER))?.parts.get(part)).toEqual(value));
/** Waits until the count of an item is saved. */
export const savedLine = (item: string, counted: string): Promise<void> =>
  saved(LINE + item, expect.objectContaining({ counted }));
/** Waits until a failed Apply can be tried again. */
export const idle = (): Promise<void> => waitFor(() => expect(button("Apply")).toBeEnabled());
export const count = (item: string): HTMLInputElement =>
  screen.getByRole("textbox", { name: `Counted ${item}` });
export const row = (item: string): HTMLElement => count(item).closest("tr") as HTMLElement;
export const bar = (): HTMLElement =>
  screen.getByRole("region", { name: "Finish the stock check" });
export const button = (name: string | RegExp): HTMLElement => screen.getByRole("button", { name });

/** Chooses Apply, which asks first. */
export const chooseApply = (): Promise<void> => userEvent.click(button("Apply"));
export const question = (): HTMLElement => screen.getByRole("dialog");
/** Chooses Apply and confirms it. */
export async function apply(): Promise<void> {
  await chooseApply();
  await userEvent.click(within(question()).getByRole("button", { name: /^(Apply|Record) \d/ }));
}

/** Replaces the count of an item at once, wherever the focus is. */
export async function type(item: string, text: string): Promise<void> {
  await userEvent.clear(count(item));
  fireEvent.change(count(item), { target: { value: text } });
}
