import { render, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import axe from "axe-core";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { type Asked, catchLeaving, serve } from "../shared/testing";
import { AssetGroups } from "./AssetGroups";
import type { Group, Groups, Props } from "./props";

const DIMENSIONS = ["location", "item", "category"].map((value) => ({
  value,
  label: value[0]?.toUpperCase() + value.slice(1),
  plural: `${value.replace(/y$/, "ie")}s`,
}));

const group = (name: string, value: number, quantity = 1, assets = 1): Group => ({ name, assets, quantity, value });

function found(groups: Group[], total = groups.length): Groups {
  const sum = (field: "assets" | "quantity" | "value") => groups.reduce((all, each) => all + each[field], 0);
  const most = Math.max(0, ...groups.map(({ value }) => value));
  return { groups, total, most, sums: { assets: sum("assets"), quantity: sum("quantity"), value: sum("value") } };
}

const LOCATIONS = found([group("Main", 1234.5, 30, 12), group("Attic", 617.25, 4, 2), group("", 0.1)]);
const CATEGORIES = found([group("IT", 1000, 10, 4), group("", 234.5, 20, 8)]);

const PROPS: Props = {
  api: "/api/assets/groups",
  page: "/assets/groups",
  register: "/assets",
  dimensions: DIMENSIONS,
  filters: {},
  choice: { by: "location", then: "category", sort: "-value" },
  found: LOCATIONS,
  opened: [],
  mostOpen: 10,
};

interface Question {
  url: URL;
  answer: (found: Groups) => void;
  fail: (status?: number) => void;
}

let waiting: Question[];

/** A server that answers when the test says so. */
function serveLater(): void {
  waiting = [];
  vi.stubGlobal("fetch", (url: string) => new Promise((resolve) => {
    const reply = (body: unknown, status: number) => resolve(new Response(JSON.stringify(body), { status }));
    waiting.push({
      url: new URL(url, "http://here"),
      answer: (groups) => reply(groups, 200),
      fail: (status = 500) => reply({}, status),
    });
  }));
}

async function asked(index = 0): Promise<Question> {
  await waitFor(() => expect(waiting.length).toBeGreaterThan(index));
  return waiting[index] as Question;
}

beforeEach(() => {
  history.replaceState(null, "", "/assets/groups");
  serveLater();
});
afterEach(() => vi.unstubAllGlobals());

const show = (props: Partial<Props> = {}) => render(<AssetGroups props={{ ...PROPS, ...props }} />);
const opener = (name: string) => screen.getByRole("button", { name });
const head = (name: string) => screen.getByRole("columnheader", { name });
const names = () => screen.getAllByRole("rowheader").map((cell) => cell.textContent);
const cells = (name: string) =>
  within(screen.getByRole("rowheader", { name }).closest("tr") as HTMLElement).getAllByRole("cell").map((cell) => cell.textContent?.trim());
const query = () => Object.fromEntries(new URLSearchParams(location.search));

test("the groups that came with the page stand there, with sums, a total and bars, and nothing is asked", () => {
  show();
  expect(names()).toEqual(["Main", "Attic", "–", "Total"]);
  expect(cells("Main")).toEqual(["12", "30", "£1,234.50"]);
  expect(cells("Total")).toEqual(["15", "35", "£1,851.85"]);
  expect([...document.querySelectorAll("rect")].map((bar) => bar.getAttribute("width"))).toEqual(["100.0", "50.0", "0.0"]);
  expect(screen.getByText("3 locations")).toBeVisible();
  expect(waiting).toEqual([]);
  expect(location.search).toBe("");
});

test("a group opens by keyboard, keeps the focus, closes, and is asked for once", async () => {
  show({ filters: { q: "lap" } });
  opener("– by category").focus();
  await userEvent.keyboard("{Enter}");
  expect(opener("– by category")).toHaveAttribute("aria-expanded", "true");
  expect(screen.getByText("Loading…")).toBeInTheDocument();
  const { url, answer } = await asked();
  expect(Object.fromEntries(url.searchParams)).toEqual({ q: "lap", location: "–", by: "category", sort: "-value", limit: "100", offset: "0" });
  answer(CATEGORIES);
  await waitFor(() => expect(names()).toEqual(["Main", "Attic", "–", "IT", "–", "Total"]));
  expect(opener("– by category")).toHaveFocus();
  await userEvent.keyboard("{Enter}");
  expect(names()).toEqual(["Main", "Attic", "–", "Total"]);
  await userEvent.keyboard("{Enter}");
  expect(names()).toHaveLength(6);
  expect(waiting).toHaveLength(1);
});

test("groups and sub-groups lead to the register filtered by them, with the page's own filters", () => {
  show({ filters: { supplier: "A & B" }, opened: [["", CATEGORIES]] });
  const leads = screen.getAllByRole("rowheader").slice(0, -1).map((cell) => cell.querySelector("a")?.getAttribute("href"));
  const read = leads.map((lead) => Object.fromEntries(new URL(lead ?? "", "http://here").searchParams));
  expect(read).toEqual([
    { supplier: "A & B", location: "Main" },
    { supplier: "A & B", location: "Attic" },
    { supplier: "A & B", location: "–" },
    { supplier: "A & B", location: "–", category: "IT" },
    { supplier: "A & B", location: "–", category: "–" },
  ]);
  expect(leads[0]).toMatch(/^\/assets\?/);
});

test("a head sorts, turns round, keeps the focus, and what is open is sorted too", async () => {
  show({ opened: [["Main", CATEGORIES]] });
  expect(head("Value")).toHaveAttribute("aria-sort", "descending");
  const button = within(head("Location")).getByRole("button");
  await userEvent.click(button);
  const first = await asked();
  expect(first.url.searchParams.get("sort")).toBe("name");
  first.answer(found([...LOCATIONS.groups].reverse()));
  await waitFor(() => expect(head("Location")).toHaveAttribute("aria-sort", "ascending"));
  expect(button).toHaveFocus();
  const inner = await asked(1);
  expect(inner.url.searchParams.get("location")).toBe("Main");
  expect(inner.url.searchParams.get("sort")).toBe("name");
  inner.answer(found([...CATEGORIES.groups].reverse()));
  await waitFor(() => expect(names()).toEqual(["–", "Attic", "Main", "–", "IT", "Total"]));
  expect(query()).toEqual({ by: "location", then: "category", sort: "name", open: "Main" });
  await userEvent.click(button);
  expect((await asked(2)).url.searchParams.get("sort")).toBe("-name");
});

test("quantity and value begin with the greatest", async () => {
  show();
  await userEvent.click(within(head("Quantity")).getByRole("button"));
  expect((await asked()).url.searchParams.get("sort")).toBe("-quantity");
  await userEvent.click(within(head("Value")).getByRole("button"));
  expect((await asked(1)).url.searchParams.get("sort")).toBe("-value");
});

test("a reply that was overtaken by another choice is passed over", async () => {
  show();
  await userEvent.selectOptions(screen.getByLabelText("Group by"), "item");
  await userEvent.selectOptions(screen.getByLabelText("Group by"), "category");
  const [slow, quick] = [await asked(0), await asked(1)];
  quick.answer(CATEGORIES);
  await screen.findByText("2 categories");
  slow.answer(found([group("Laptop", 5)]));
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(names()).toEqual(["IT", "–", "Total"]);
  expect(query()).toEqual({ by: "category", then: "item", sort: "-value" });
});

test("sub-groups that were asked for by another order don't overwrite newer ones", async () => {
  show();
  await userEvent.click(opener("Main by category"));
  await userEvent.click(within(head("Location")).getByRole("button"));
  (await asked(1)).answer(LOCATIONS);
  const newer = await asked(2);
  newer.answer(CATEGORIES);
  await waitFor(() => expect(names()).toContain("IT"));
  (await asked(0)).answer(found([group("Old", 1)]));
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(names()).not.toContain("Old");
});

test("the second level can't be the first, takes its place when that is chosen, and may be nothing", async () => {
  show({ opened: [["Main", CATEGORIES]] });
  const second = screen.getByLabelText<HTMLSelectElement>("then by");
  expect([...second.options].map(({ text }) => text)).toEqual(["Item", "Category", "Nothing"]);
  await userEvent.selectOptions(second, "nothing");
  expect(screen.queryByRole("button", { name: /by category/ })).toBeNull();
  expect(names()).toEqual(["Main", "Attic", "–", "Total"]);
  expect(waiting).toEqual([]);
  expect(query()).toEqual({ by: "location", then: "nothing", sort: "-value" });
  await userEvent.selectOptions(second, "category");
  await userEvent.selectOptions(screen.getByLabelText("Group by"), "category");
  (await asked()).answer(CATEGORIES);
  await waitFor(() => expect(query()).toMatchObject({ by: "category", then: "location" }));
});

test("another second level asks anew for what is open", async () => {
  show({ opened: [["Main", CATEGORIES]] });
  await userEvent.selectOptions(screen.getByLabelText("then by"), "item");
  const { url, answer } = await asked();
  expect([url.searchParams.get("location"), url.searchParams.get("by")]).toEqual(["Main", "item"]);
  expect(names()).not.toContain("IT");
  answer(found([group("Laptop", 5)]));
  await waitFor(() => expect(names()).toEqual(["Main", "Laptop", "Attic", "–", "Total"]));
});

test("more groups follow where there are more, and the focus goes to the first of them", async () => {
  show({ found: { ...LOCATIONS, total: 5 } });
  expect(screen.getByText("Showing 3 of 5")).toBeVisible();
  await userEvent.click(screen.getByRole("button", { name: "Show more" }));
  const { url, answer } = await asked();
  expect(url.searchParams.get("offset")).toBe("3");
  answer({ ...LOCATIONS, total: 5, groups: [group("", 0.1), group("Hall", 3), group("Shed", 2)] });
  await waitFor(() => expect(names()).toEqual(["Main", "Attic", "–", "Hall", "Shed", "Total"]));
  expect(opener("Hall by category")).toHaveFocus();
  expect(screen.queryByRole("button", { name: "Show more" })).toBeNull();
});

test("more sub-groups follow where there are more", async () => {
  show({ opened: [["Main", { ...CATEGORIES, total: 3 }]] });
  await userEvent.click(screen.getByRole("button", { name: "Show more of Main" }));
  const { url, answer } = await asked();
  expect(url.searchParams.get("offset")).toBe("2");
  answer({ ...CATEGORIES, total: 3, groups: [group("Tools", 3)] });
  await waitFor(() => expect(names().slice(0, 4)).toEqual(["Main", "IT", "–", "Tools"]));
  expect(screen.getByRole("link", { name: "Tools" })).toHaveFocus();
});

test("all open at once, few at a time, and close again", async () => {
  const many = found(Array.from({ length: 30 }, (_, n) => group(`Site ${n}`, 30 - n)));
  show({ found: many });
  await userEvent.click(screen.getByRole("button", { name: "Expand first 25" }));
  expect(document.querySelectorAll("[aria-expanded=true]")).toHaveLength(25);
  expect(waiting).toHaveLength(4);
  (await asked()).answer(CATEGORIES);
  await waitFor(() => expect(waiting).toHaveLength(5));
  expect(new URLSearchParams(location.search).getAll("open")).toHaveLength(10);
  await userEvent.click(screen.getByRole("button", { name: "Collapse all" }));
  expect(document.querySelectorAll("[aria-expanded=true]")).toHaveLength(0);
  for (const question of waiting.slice(1)) question.answer(CATEGORIES);
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(waiting).toHaveLength(5);
});

test("a failure says so, leaves what is there, and is tried again", async () => {
  show();
  await userEvent.selectOptions(screen.getByLabelText("Group by"), "item");
  (await asked()).fail();
  expect(await screen.findByRole("alert")).toHaveTextContent("Failed to load assets");
  expect(names()).toEqual(["Main", "Attic", "–", "Total"]);
  expect(screen.getByLabelText("Group by")).toHaveValue("location");
  expect(location.search).toBe("");
  await userEvent.click(screen.getByRole("button", { name: "Try again" }));
  const { url, answer } = await asked(1);
  expect(url.searchParams.get("by")).toBe("item");
  answer(found([group("Laptop", 5)]));
  await screen.findByText("1 item");
  expect(screen.queryByRole("alert")).toBeNull();
  expect(document.body).not.toHaveFocus();
});

test("sub-groups and further groups that fail are tried again where they stand", async () => {
  show({ found: { ...LOCATIONS, total: 5 } });
  await userEvent.click(opener("Main by category"));
  (await asked()).fail();
  await userEvent.click(await screen.findByRole("button", { name: "Try again of Main" }));
  (await asked(1)).answer(CATEGORIES);
  await waitFor(() => expect(names()).toContain("IT"));
  await userEvent.click(screen.getByRole("button", { name: "Show more" }));
  (await asked(2)).fail();
  await userEvent.click(await screen.findByRole("button", { name: "Try again" }));
  const { url } = await asked(3);
  expect(url.searchParams.get("offset")).toBe("3");
});

test("without a connection it says so", async () => {
  serve(() => "no connection");
  show();
  await userEvent.click(opener("Main by category"));
  expect(await screen.findByRole("alert")).toHaveTextContent("Failed to load assets. No connection.");
});

test("an ended session leads to the sign-in and back to this choice", async () => {
  const calls: Asked[] = serve(() => ({ status: 401 }));
  const led = catchLeaving();
  show({ filters: { q: "lap" } });
  await userEvent.selectOptions(screen.getByLabelText("then by"), "item");
  await userEvent.click(opener("Main by item"));
  await waitFor(() => expect(led).toHaveLength(1));
  expect(decodeURIComponent(led[0] ?? "")).toBe("/login?next=/assets/groups?q=lap&by=location&then=item&sort=-value&open=Main");
  expect(calls.some(({ url }) => url === "/session/renew")).toBe(true);
});

test("the filters are said, with the way to take them off that keeps the choice", async () => {
  show({ filters: { q: "lap", supplier: "–" } });
  expect(screen.getByText("Search: lap")).toBeVisible();
  expect(screen.getByText("Supplier: –")).toBeVisible();
  await userEvent.selectOptions(screen.getByLabelText("then by"), "item");
  expect(screen.getByRole("link", { name: "Reset" })).toHaveAttribute("href", "/assets/groups?by=location&then=item&sort=-value");
});

test("no assets are said to be none", () => {
  show({ found: found([]) });
  expect(screen.getByText("No assets found.")).toBeVisible();
  expect(screen.queryByRole("table")).toBeNull();
});

test("it has no flaws that a machine finds", async () => {
  const { container } = show({ filters: { q: "lap" }, opened: [["Main", { ...CATEGORIES, total: 3 }]], found: { ...LOCATIONS, total: 5 } });
  const { violations } = await axe.run(container, { rules: { "color-contrast": { enabled: false } } });
  expect(violations).toEqual([]);
});
