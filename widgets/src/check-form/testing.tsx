/** Opens the check form against a fake server, and finds its controls, for tests. */
import { act, fireEvent, render, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, vi } from "vitest";
import { emptyDatabase, giveLocks } from "../outbox/testing";
import { NoConnection } from "../shared/api";
import * as drafts from "../shared/drafts";
import { type Answer, type SentRequest, serve, sessionOf } from "../shared/testing";
import type { Briefings } from "./briefings";
import { CheckPage } from "./CheckPage";
import type { Field, Props, Template } from "./props";
import type { Tools } from "./queue";

export function field(
  name: string,
  type: Field["type"] = "text",
  part: Partial<Field> = {},
): Field {
  return {
    name,
    label: name,
    type,
    required: false,
    choices: [],
    role: "",
    needsPhoto: false,
    damage: null,
    ...part,
  };
}

export const TODAY = "2026-11-21";

const FIRST = [
  field("Name", "text", { required: true, role: "person" }),
  field("Date", "date", { role: "date" }),
  field("Department", "suggested", { role: "person" }),
  field("LicensePlate", "plate", { label: "Number plate", required: true, role: "plate" }),
  field("Mileage", "number", { required: true, role: "mileage" }),
  field("Cleanliness", "choice", {
    choices: ["Clean", "Acceptable", "Dirty"],
    fails: ["Dirty"],
    severity: "advisory",
  }),
  field("Damage", "suggested", { damage: "reports", needsPhoto: true }),
];
export const NOTES = field("Notes", "textarea", { role: "notes" });
export const TEMPLATES: Template[] = [
  { key: "vehicleCheckGPM", label: "Standard Vehicle Check", fields: [...FIRST, NOTES] },
  {
    key: "gardeningVan",
    label: "Gardening — Van Check",
    fields: [...FIRST, field("Equipment", "suggested"), NOTES],
  },
];
/** A field whose answer can stop the vehicle. */
export const BRAKES = field("Brakes", "choice", {
  choices: ["Good", "Fail"],
  fails: ["Fail"],
  severity: "stop",
  needsPhoto: true,
});
/** The forms with that field. */
export const WITH_BRAKES = TEMPLATES.map((template) => ({
  ...template,
  fields: [...template.fields.filter(({ name }) => name !== NOTES.name), BRAKES, NOTES],
}));
/** An open defect. */
export const MIRROR = {
  number: "D-0142",
  title: "nearside mirror cracked",
  part: "Damage",
  since: "2026-11-03",
  standing: "booked in for Mon 23 Nov",
  isStop: false,
};
export const PROPS: Props = {
  photos: "/api/photos",
  user: 7,
  division: "fleet",
  templates: TEMPLATES,
  suggestions: { Damage: ["Scratch, rear door"], Department: ["Gardening"] },
  start: { form: "", values: {}, vehicle: "", vehicles: [] },
  list: "/fleetChecksList",
  vehicle: "",
  booking: null,
  phone: "",
  now: `${TODAY}T12:00:00+00:00`,
};
export const OWNER = { user: 7, division: "fleet", site: "", kind: "check" };
export const VEHICLES = [
  { id: 1, reg: "LK19 VTE", make: "Ford", model: "Transit", odometer: 48210 },
  { id: 2, reg: "YD21 HMO", make: "Vauxhall", model: "Vivaro", odometer: null },
];
export const DONE: Answer = { status: 201, body: { id: 1, warnings: [] } };

export interface FakeServer {
  /** What drivers should know about the vehicles. */
  briefings: Briefings;
  requests: SentRequest[];
  /** Queued replies to POSTs; success when empty. */
  answers: Answer[];
  posts: () => SentRequest[];
  /** The hashes of all uploads, failed ones included. */
  sends: string[];
  /** The hashes of the photos that the server has. */
  arrived: Set<string>;
  /** Queued outcomes of uploads; success when empty. */
  outcomes: (Error | "lost reply" | "arrives")[];
  /** When set, uploads wait for this promise. */
  uploadGate: Promise<void> | null;
  /** Whether nothing reaches the server but what the page reads when it is opened. */
  isCut: boolean;
  tools: Tools;
}

const PHOTOS = "/api/photos/";

/** Starts a fake server with two vehicles, at noon of TODAY; it accepts every check and photo by default. */
export async function startServer(
  vehicles: () => Answer = () => ({ body: VEHICLES }),
): Promise<FakeServer> {
  vi.setSystemTime(`${TODAY}T12:00:00Z`);
  for (const user of [7, 8]) {
    await drafts.discard({ user, division: "fleet", site: "", kind: "check" });
  }
  const answers: Answer[] = [];
  await emptyDatabase();
  giveLocks();
  const requests = serve(({ method, url }) => {
    const hash = decodeURIComponent(url.slice(PHOTOS.length));
    if (server.isCut && (method !== "GET" || url === "/session")) return "no connection";
    if (url === "/session") return sessionOf(7);
    if (url === "/fleetChecks/briefings") return { body: { briefings: server.briefings } };
    if (method === "HEAD") return { status: server.arrived.has(hash) ? 200 : 404 };
    if (method === "PUT") {
      server.sends.push(hash);
      server.arrived.add(hash);
      return { status: 201, body: { id: hash } };
    }
    return method === "GET" ? vehicles() : (answers.shift() ?? DONE);
  });
  const server: FakeServer = {
    briefings: {},
    requests,
    answers,
    posts: () => requests.filter(({ method }) => method === "POST"),
    sends: [],
    arrived: new Set(),
    outcomes: [],
    uploadGate: null,
    isCut: false,
    tools: {
      shrink: async (file) => {
        const text = await file.text();
        if (text === "broken") throw new Error("not a picture");
        return new Blob([`small ${text}`], { type: "image/jpeg" });
      },
      sha256: async (data) => `hash of ${await data.text()}`,
      isStored: async (address) => server.arrived.has(address.slice(PHOTOS.length)),
      send: async (address, _data, onProgress) => {
        const hash = address.slice(PHOTOS.length);
        server.sends.push(hash);
        onProgress(0.6);
        if (server.isCut) throw new NoConnection();
        await server.uploadGate;
        const outcome = server.outcomes.shift() ?? "arrives";
        if (outcome instanceof Error) throw outcome;
        server.arrived.add(hash);
        if (outcome === "lost reply") throw new NoConnection();
      },
    },
  };
  return server;
}

export function stopServer(): void {
  for (const dialog of document.querySelectorAll("dialog")) dialog.remove();
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
}

/** Opens the page, and waits until the vehicles are loaded. */
export async function open(server: FakeServer, props: Partial<Props> = {}): Promise<() => void> {
  const { unmount } = render(<CheckPage props={{ ...PROPS, ...props }} tools={server.tools} />);
  await screen.findByRole("region", { name: "Send the check" });
  await waitFor(() => expect(screen.queryByPlaceholderText("Loading plates…")).toBeNull());
  return unmount;
}

/** Waits until the draft is saved as the form is now: a read comes after the writes before it. */
export async function saved(): Promise<void> {
  await act(async () => {});
  await drafts.load(OWNER);
}
/** Returns a control by its label, without the asterisk of a required field. */
export const control = (name: string): HTMLInputElement =>
  screen.getByLabelText((label) => label.replace(/ \*$/, "") === name);
/** Returns a control's description texts. */
export const describedBy = (name: string): (string | null | undefined)[] =>
  (control(name).getAttribute("aria-describedby") ?? "")
    .split(" ")
    .map((id) => document.getElementById(id)?.textContent);
export const button = (name: string | RegExp): HTMLElement => screen.getByRole("button", { name });
export const bar = (): HTMLElement => screen.getByRole("region", { name: "Send the check" });
export const photoRows = (): (string | null)[] =>
  [...document.querySelectorAll(".photos li .grow")].map((row) => row.textContent);
export const picture = (name: string, content = name): File =>
  new File([content], name, { type: "image/jpeg" });

/** Replaces the text of a control at once, wherever the focus is: each letter would draw the form anew. */
export async function type(name: string, text: string): Promise<void> {
  await userEvent.clear(control(name));
  fireEvent.change(control(name), { target: { value: text } });
}

/** Fills in the required fields. */
export async function fill(): Promise<void> {
  await type("Name", "Jo Marsh");
  await type("Number plate", "lk19vte");
  await type("Mileage", "48,300");
}

export async function pick(...files: File[]): Promise<void> {
  await userEvent.upload(control("Add photos"), files, { applyAccept: false });
}

export async function submit(): Promise<void> {
  await userEvent.click(button("Submit Check"));
}

export const findSuccess = (): Promise<HTMLElement> =>
  screen.findByText("Vehicle check submitted.");
/** Opens the empty form after a check was submitted. */
export const startNext = (): Promise<void> => userEvent.click(button("New check"));
export const problems = (): string[] =>
  [...document.querySelectorAll(".notice.bad li")].map((each) => each.textContent ?? "");
/** Returns the question about an open defect. */
export const group = (number: RegExp): HTMLElement =>
  screen.getByRole("radiogroup", { name: number });
/** Answers the question about an open defect. */
export const answer = (number: RegExp, name: string): Promise<void> =>
  userEvent.click(within(group(number)).getByRole("radio", { name }));
