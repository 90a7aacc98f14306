/** A check that is opened again for an edit has all that it was submitted with. */
import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, expect, test } from "vitest";
import { entriesOf } from "../outbox";
import { kindOf } from "../outbox/kinds";
import { sendDue } from "../outbox/sender";
import {
  answer,
  control,
  type FakeServer,
  fill,
  findSuccess,
  group,
  MIRROR,
  open,
  photoRows,
  pick,
  picture,
  startServer,
  stopServer,
  submit,
  type,
  WITH_BRAKES,
} from "./testing";

let server: FakeServer;
beforeEach(async () => {
  server = await startServer();
  const defects = [MIRROR, { ...MIRROR, number: "D-0139", title: "rear wiper torn", standing: "" }];
  server.briefings = {
    lk19vte: {
      miles: 48_190,
      day: "2026-11-20",
      notices: [],
      offRoad: "",
      offRoadSince: null,
      defects,
      bookings: [],
    },
  };
});
afterEach(stopServer);

const openWith = () => open(server, { templates: WITH_BRAKES });
const chosen = (number: RegExp) =>
  within(group(number))
    .getAllByRole<HTMLInputElement>("radio")
    .filter(({ checked }) => checked)
    .map(({ labels }) => labels?.[0]?.textContent?.trim());

/** Submits a check with all that a form can have, without a connection. */
async function keep(): Promise<void> {
  server.isCut = true;
  const close = await openWith();
  await fill();
  await userEvent.selectOptions(control("Brakes"), "Fail");
  await type("Damage", "Scratch, rear door");
  await type("Notes", "Grinds when it is wet");
  await type("Repair/Expense (£)", "12.50");
  await answer(/D-0142/, "Worse");
  await answer(/D-0139/, "Gone");
  await pick(picture("brake.jpg"), picture("door.jpg"));
  await submit();
  await screen.findByText("Kept on this phone. It counts once it is sent.");
  close();
  server.isCut = false;
}

/** Opens the form on the check that is kept, as 'Edit' in the outbox does. */
async function edit(): Promise<void> {
  const [kept] = await entriesOf(7);
  if (!kept) throw new Error("nothing is kept");
  await kindOf(kept)?.edit(kept);
  await openWith();
  await waitFor(() => expect(screen.getAllByRole("radiogroup")).toHaveLength(2));
}

const REFUSED = { status: 422, body: { error: "No", fields: { odometer: "No" } } };

test.each([
  ["still waits", async () => {}],
  [
    "was refused",
    async () => {
      server.answers.push(REFUSED);
      await sendDue();
      expect((await entriesOf(7))[0]?.state).toBe("refused");
    },
  ],
])(
  "a check that %s comes back with its failing answers, details, answers and photos",
  async (_, before) => {
    await keep();
    await before();
    const sentBefore = server.posts().length;
    await edit();
    expect([control("Number plate").value, control("Mileage").value]).toEqual([
      "lk19vte",
      "48,300",
    ]);
    expect(control("Brakes")).toHaveValue("Fail");
    expect(control("Damage")).toHaveValue("Scratch, rear door");
    expect(control("Notes")).toHaveValue("Grinds when it is wet");
    expect(control("Repair/Expense (£)")).toHaveValue("12.50");
    expect([chosen(/D-0142/), chosen(/D-0139/)]).toEqual([["Worse"], ["Gone"]]);
    expect(screen.getByRole("alert")).toHaveTextContent("Stop: do not drive LK19 VTE");
    await waitFor(() =>
      expect(photoRows()).toEqual(["brake.jpgSent · 1 KB", "door.jpgSent · 1 KB"]),
    );
    await type("Mileage", "48,310");
    await submit();
    await findSuccess();
    expect(server.posts().slice(sentBefore)).toMatchObject([
      {
        body: {
          odometer: 48_310,
          items: { Brakes: "Fail", Damage: "Scratch, rear door" },
          notes: "Grinds when it is wet",
          costGBP: 12.5,
          photos: [{ name: "brake.jpg" }, { name: "door.jpg" }],
          defects: [
            { number: "D-0142", answer: "worse" },
            { number: "D-0139", answer: "gone" },
          ],
        },
      },
    ]);
    expect(await entriesOf(7)).toEqual([]);
  },
);
