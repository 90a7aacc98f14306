import { act, render, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { type Answer, type SentRequest, serve } from "../shared/testing";
import { AssetGroups } from "./AssetGroups";
import type { Group, Groups, Props } from "./props";

const group = (name: string, value: number): Group => ({ name, assets: 1, quantity: 2, value });
const groups = (...all: Group[]): Groups => ({
  groups: all,
  total: all.length,
  most: Math.max(0, ...all.map(({ value }) => value)),
  sums: {
    assets: all.length,
    quantity: 2 * all.length,
    value: all.reduce((sum, { value }) => sum + value, 0),
  },
});
const PLACES = groups(group("Depot", 1234.5), group("", 617.25), group("Attic", 0.1));
const KINDS = groups(group("IT", 1000), group("", 234.5));
const PROPS: Props = {
  page: "/assets/groups",
  register: "/assets",
  dimensions: [
    { value: "location", label: "Location", plural: "locations" },
    { value: "item", label: "Item", plural: "items" },
    { value: "category", label: "Category", plural: "categories" },
    { value: "make", label: "Make", plural: "makes" },
  ],
  filters: {},
  choice: { by: "location", then: "category", sort: "-value" },
  found: PLACES,
  opened: [],
  mostOpen: 2,
};

let requests: SentRequest[];
let answer: (query: URLSearchParams) => Answer;

beforeEach(() => {
  history.replaceState(null, "", "/assets/groups");
  answer = (query) => ({ body: query.get("by") === "location" ? PLACES : KINDS });
  requests = serve(({ url }) => answer(new URL(url, location.href).searchParams));
});
afterEach(() => vi.unstubAllGlobals());

const open = (props: Partial<Props> = {}) => render(<AssetGroups props={{ ...PROPS, ...props }} />);
const button = (name: string) => screen.getByRole("button", { name });
const click = (name: string) => userEvent.click(button(name));
const cells = (row: HTMLElement) =>
  [...row.querySelectorAll("th, td")].map((cell) => cell.textContent?.trim());
const names = () =>
  [...document.querySelectorAll("tbody tr")].map(
    (row) => row.querySelector("th a")?.textContent ?? row.textContent,
  );
const queries = () =>
  requests.map(({ url }) => Object.fromEntries(new URL(url, location.href).searchParams));
const chosen = () => Object.fromEntries(new URLSearchParams(location.search));
const offered = (label: string) =>
  within(screen.getByLabelText(label))
    .getAllByRole("option")
    .map((option) => option.textContent);

/** Returns functions that each release one reply, in any order. */
function deferReplies(): ((found: Groups) => Promise<void>)[] {
  const deferred: ((found: Groups) => Promise<void>)[] = [];
  vi.stubGlobal("fetch", (url: string) => {
    requests.push({ method: "GET", url, body: undefined, key: undefined, token: undefined });
    return new Promise((resolve) => {
      deferred.push((found) =>
        act(async () => {
          resolve(new Response(JSON.stringify(found)));
          await new Promise((done) => setTimeout(done, 5));
        }),
      );
    });
  });
  return deferred;
}

test("the first groups render from props", () => {
  open();
  const rows = screen.getAllByRole("row").map(cells);
  expect(rows).toEqual([
    ["Location", "Assets", "Quantity", "Value"],
    ["Depot", "1", "2", "£1,234.50"],
    ["No location", "1", "2", "£617.25"],
    ["Attic", "1", "2", "£0.10"],
    ["Total", "3", "6", "£1,851.85"],
  ]);
  const bars = [...document.querySelectorAll(".share rect")].map((bar) =>
    bar.getAttribute("width"),
  );
  expect(bars).toEqual(["100.0", "50.0", "0.0"]);
  expect(screen.getByText("3 locations")).toBeVisible();
  expect(requests).toEqual([]);
});

test("opening a group loads its subgroups, once", async () => {
  open();
  await click("Depot by category");
  await waitFor(() =>
    expect(names()).toEqual(["Depot", "IT", "No category", "No location", "Attic"]),
  );
  expect(queries()).toEqual([
    { location: "Depot", by: "category", sort: "-value", limit: "100", offset: "0" },
  ]);
  expect(button("Depot by category")).toHaveAttribute("aria-expanded", "true");
  await click("Depot by category");
  expect(names()).toEqual(["Depot", "No location", "Attic"]);
  expect(button("Depot by category")).toHaveAttribute("aria-expanded", "false");
  await click("Depot by category");
  expect(names()).toEqual(["Depot", "IT", "No category", "No location", "Attic"]);
  expect(requests).toHaveLength(1);
});

test("the group without a name", async () => {
  open();
  await click("No location by category");
  await waitFor(() =>
    expect(names()).toEqual(["Depot", "No location", "IT", "No category", "Attic"]),
  );
  expect(queries()[0]).toMatchObject({ location: "–" });
  expect(chosen()).toMatchObject({ open: "–" });
});

test("subgroups that fail to load show an error in their group, and can be retried", async () => {
  answer = () => ({ status: 500, body: { error: "" } });
  open();
  await click("Depot by category");
  expect(await screen.findByRole("alert")).toHaveTextContent("Failed to load assets");
  expect(names()).toHaveLength(4);
  answer = () => ({ body: KINDS });
  await click("Try again of Depot");
  await waitFor(() =>
    expect(names()).toEqual(["Depot", "IT", "No category", "No location", "Attic"]),
  );
  expect(screen.queryByRole("alert")).toBeNull();
});

test.each<[Answer, string]>([
  [{ status: 422, body: { error: "" } }, "Failed to load assets"],
  ["no connection", "Failed to load assets. No connection. Try again."],
])(
  "another sorting that fails leaves the groups and offers to try again",
  async (reply, message) => {
    answer = () => reply;
    open();
    await click("Location");
    const alert = await screen.findByRole("alert");
    expect(within(alert).getByText(message)).toBeVisible();
    expect(names()).toEqual(["Depot", "No location", "Attic"]);
    expect(chosen()).toEqual({});
    await click("Try again");
    await waitFor(() => expect(button("Try again")).toHaveFocus());
    answer = () => ({ body: groups(group("Attic", 1)) });
    await click("Try again");
    await waitFor(() => expect(names()).toEqual(["Attic"]));
    expect(screen.queryByRole("alert")).toBeNull();
    expect(button("Location")).toHaveFocus();
  },
);

test("sorting loads from the server, announces the order and keeps the focus", async () => {
  open();
  const head = (name: string) => screen.getByRole("columnheader", { name });
  expect(head("Value")).toHaveAttribute("aria-sort", "descending");
  await click("Quantity");
  await waitFor(() => expect(head("Quantity")).toHaveAttribute("aria-sort", "descending"));
  expect(head("Value")).not.toHaveAttribute("aria-sort");
  await click("Quantity");
  await waitFor(() => expect(head("Quantity")).toHaveAttribute("aria-sort", "ascending"));
  await click("Location");
  await waitFor(() => expect(head("Location")).toHaveAttribute("aria-sort", "ascending"));
  expect(queries().map(({ sort }) => sort)).toEqual(["-quantity", "quantity", "name"]);
  expect(button("Location")).toHaveFocus();
  expect(chosen()).toEqual({ by: "location", then: "category", sort: "name" });
});

test("open groups are sorted too, and stay open", async () => {
  open({ opened: [["Depot", KINDS]] });
  answer = (query) => ({
    body: query.get("by") === "location" ? PLACES : groups(group("Zip", 1), group("IT", 2)),
  });
  await click("Location");
  await waitFor(() => expect(names()).toEqual(["Depot", "Zip", "IT", "No location", "Attic"]));
  expect(queries().map(({ by, sort }) => [by, sort])).toEqual([
    ["location", "name"],
    ["category", "name"],
  ]);
});

test("an older reply never overwrites a newer one", async () => {
  const deferred = deferReplies();
  open();
  await click("Location");
  expect(screen.getByText("Loading…")).toBeVisible();
  await click("Quantity");
  await deferred[1]?.(groups(group("Newer", 1)));
  await deferred[0]?.(groups(group("Older", 1)));
  expect(names()).toEqual(["Newer"]);
  expect(chosen()).toMatchObject({ sort: "-quantity" });
});

test("subgroups that arrive after another choice are ignored", async () => {
  const deferred = deferReplies();
  open();
  await click("Depot by category");
  await userEvent.selectOptions(screen.getByLabelText("then by"), "make");
  await deferred[1]?.(groups(group("Bosch", 1)));
  await deferred[0]?.(KINDS);
  expect(names()).toEqual(["Depot", "Bosch", "No location", "Attic"]);
  expect(button("Depot by make")).toHaveAttribute("aria-expanded", "true");
});

test("an error is removed by the next choice", async () => {
  answer = () => ({ status: 422, body: { error: "" } });
  open();
  await click("Location");
  await screen.findByRole("alert");
  await userEvent.selectOptions(screen.getByLabelText("then by"), "make");
  expect(screen.queryByRole("alert")).toBeNull();
});

test("the second level is never the same as the first", async () => {
  open();
  expect(offered("Group by")).toEqual(["Location", "Item", "Category", "Make"]);
  expect(offered("then by")).toEqual(["Item", "Category", "Make", "Nothing"]);
  await userEvent.selectOptions(screen.getByLabelText("Group by"), "category");
  await waitFor(() =>
    expect(chosen()).toEqual({ by: "category", then: "location", sort: "-value" }),
  );
  expect(offered("then by")).toEqual(["Location", "Item", "Make", "Nothing"]);
  expect(screen.getByLabelText("then by")).toHaveValue("location");
  expect(screen.getByText("2 categories")).toBeVisible();
});

test("without a second level, no group can be opened", async () => {
  open({ opened: [["Depot", KINDS]] });
  await userEvent.selectOptions(screen.getByLabelText("then by"), "nothing");
  expect(names()).toEqual(["Depot", "No location", "Attic"]);
  expect(screen.queryByRole("button", { name: /Depot|Expand|Collapse/ })).toBeNull();
  expect(chosen()).toEqual({ by: "location", then: "nothing", sort: "-value" });
  expect(requests).toEqual([]);
});

test("Show more appends the next groups and focuses the first of them", async () => {
  const part = { ...PLACES, total: 5 };
  const rest = { ...part, groups: [group("Attic", 0.1), group("Shed", 0.1), group("Van", 0)] };
  answer = () => ({ body: rest });
  open({ found: part });
  expect(screen.getByText("Showing 3 of 5")).toBeVisible();
  await click("Show more");
  await waitFor(() => expect(names()).toEqual(["Depot", "No location", "Attic", "Shed", "Van"]));
  expect(queries()[0]).toMatchObject({ offset: "3" });
  expect(button("Shed by category")).toHaveFocus();
  expect(screen.queryByRole("button", { name: "Show more" })).toBeNull();
});

test("Show more that fails shows an error beside its button, and keeps the groups", async () => {
  answer = () => "no connection";
  open({ found: { ...PLACES, total: 5 } });
  await click("Show more");
  expect(await screen.findByRole("alert")).toHaveTextContent(
    "Failed to load assets. No connection. Try again.",
  );
  expect(names()).toEqual(["Depot", "No location", "Attic"]);
  answer = () => ({ body: { ...PLACES, total: 5, groups: [group("Shed", 0), group("Van", 0)] } });
  await click("Try again");
  await waitFor(() => expect(names()).toHaveLength(5));
});

test("subgroups have Show more too", async () => {
  answer = () => ({ body: { ...KINDS, total: 3, groups: [group("Tools", 1)] } });
  open({ opened: [["Depot", { ...KINDS, total: 3 }]] });
  expect(screen.getByText("2 of 3")).toBeVisible();
  await click("Show more of Depot");
  await waitFor(() =>
    expect(names()).toEqual(["Depot", "IT", "No category", "Tools", "No location", "Attic"]),
  );
  expect(queries()[0]).toMatchObject({ location: "Depot", offset: "2" });
  expect(screen.getByRole("link", { name: "Tools" })).toHaveFocus();
});

test("the address contains the choice and the first open groups", async () => {
  open({ filters: { status: "In use" } });
  await click("Depot by category");
  expect(location.pathname + location.search).toBe(
    "/assets/groups?status=In+use&by=location&then=category&sort=-value&open=Depot",
  );
  await click("Expand all");
  expect(new URLSearchParams(location.search).getAll("open")).toEqual(["Depot", "–"]);
  await click("Collapse all");
  expect(chosen()).not.toHaveProperty("open");
});

test("Expand all opens every group, four requests at a time, and Collapse all closes them", async () => {
  const deferred = deferReplies();
  const many = groups(...Array.from({ length: 6 }, (_, n) => group(`Place ${n}`, 6 - n)));
  open({ found: many });
  await click("Expand all");
  expect(deferred).toHaveLength(4);
  await deferred[0]?.(KINDS);
  expect(deferred).toHaveLength(5);
  for (const n of [1, 2, 3, 4, 5]) await deferred[n]?.(KINDS);
  expect(names()).toHaveLength(6 + 2 * 6);
  await click("Collapse all");
  expect(names()).toHaveLength(6);
});

test("Expand all opens only the first of very many groups", async () => {
  open({ found: groups(...Array.from({ length: 30 }, (_, n) => group(`Place ${n}`, 30 - n))) });
  await click("Expand first 25");
  await waitFor(() => expect(names()).toHaveLength(30 + 2 * 25));
  expect(requests).toHaveLength(25);
});

test("links to the register contain the group, the subgroup and the page's filters", () => {
  open({ filters: { q: "red desk", location: "Depot" }, opened: [["", KINDS]] });
  const leads = screen.getAllByRole("link").filter((link) => link.closest("tbody"));
  const address = (link: HTMLElement) => decodeURIComponent(link.getAttribute("href") ?? "");
  expect(leads.map(address)).toEqual([
    "/assets?q=red+desk&location=Depot",
    "/assets?q=red+desk&location=–",
    "/assets?q=red+desk&location=–&category=IT",
    "/assets?q=red+desk&location=–&category=–",
    "/assets?q=red+desk&location=Attic",
  ]);
});

test("active filters are shown, and Reset keeps the choice", () => {
  open({ filters: { q: "desk", status: "In use" } });
  expect(screen.getByText("Search: desk")).toBeVisible();
  expect(screen.getByText("Status: In use")).toBeVisible();
  expect(screen.getByRole("link", { name: "Reset" })).toHaveAttribute(
    "href",
    "/assets/groups?by=location&then=category&sort=-value",
  );
});

test("a register without assets says so", () => {
  open({ found: groups() });
  expect(screen.getByText("No assets found.")).toBeVisible();
  expect(screen.queryByRole("table")).toBeNull();
  expect(screen.queryByText("0 locations")).toBeNull();
  expect(screen.queryByRole("button")).toBeNull();
});
