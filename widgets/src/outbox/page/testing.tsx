/** The page of k.lee's outbox, for tests. */
import { render, screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { vi } from "vitest";
import type { Entry, Failure } from "../entry";
import * as kinds from "../kinds";
import * as store from "../store";
import { emptyDatabase, giveLocks, Server } from "../testing";
import { OutboxPage } from "./OutboxPage";

/** Starts a test without a line, with entries of this kind. */
export async function start(kind: () => kinds.KindOfEntry | null = () => null): Promise<Server> {
  vi.restoreAllMocks();
  giveLocks();
  const server = new Server();
  server.before = () => "no reply";
  await emptyDatabase();
  vi.spyOn(kinds, "kindOf").mockImplementation(kind);
  vi.spyOn(URL, "createObjectURL").mockReturnValue("blob:file");
  vi.spyOn(HTMLAnchorElement.prototype, "click").mockReturnValue();
  return server;
}

export const failure = (status: number, message: string, more: Partial<Failure> = {}): Failure => ({
  status,
  code: "",
  message,
  fields: {},
  body: null,
  ...more,
});

/** Shows the page of k.lee with these entries. */
export async function show(...entries: Entry[]): Promise<void> {
  for (const entry of entries) await store.put(entry, []);
  render(<OutboxPage props={{ user: 3, username: "k.lee" }} />);
  await screen.findByRole("heading", { name: "Not sent yet" });
}

export const card = (name: string) =>
  screen.getByRole("listitem", { name: new RegExp(`${name}$`) });
export const press = (name: string, label: string) =>
  userEvent.click(within(card(name)).getByRole("button", { name: label }));
export const confirm = async (label: string) =>
  userEvent.click(within(await screen.findByRole("dialog")).getByRole("button", { name: label }));
