import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { ApiError, NoConnection } from "../shared/api";
import {
  bar,
  button,
  control,
  type FakeServer,
  fill,
  findSuccess,
  open,
  photoRows,
  pick,
  picture,
  problems,
  saved,
  startServer,
  stopServer,
  submit,
} from "./testing";

let server: FakeServer;

beforeEach(async () => {
  server = await startServer();
});
afterEach(stopServer);

const hashOf = (content: string): string => `hash of small ${content}`;
const arrive = (count: number, all = count): Promise<void> =>
  waitFor(() =>
    expect(bar()).toHaveTextContent(`${count} of ${all} ${all === 1 ? "photo" : "photos"} sent`),
  );

/** Blocks all uploads until the returned function is called. */
function blockUploads(): () => void {
  let open = () => {};
  server.uploadGate = new Promise((resolve) => {
    open = () => resolve();
  });
  return () => {
    server.uploadGate = null;
    open();
  };
}

test("several photos can be picked at once and added to, and the check names them in order", async () => {
  await open(server);
  await fill();
  await pick(picture("rear.jpg"), picture("strap.jpg"));
  await pick(picture("dash.jpg"));
  await arrive(3);
  expect(photoRows()).toEqual([
    "rear.jpgSent · 1 KB",
    "strap.jpgSent · 1 KB",
    "dash.jpgSent · 1 KB",
  ]);
  await submit();
  await findSuccess();
  const names = ["rear.jpg", "strap.jpg", "dash.jpg"];
  expect(server.posts()[0]?.body).toMatchObject({
    photos: names.map((name) => ({ name, id: hashOf(name) })),
  });
  expect(photoRows()).toEqual([]);
});

test("the picker accepts several pictures, and lets the phone offer its camera", async () => {
  await open(server);
  const input = control("Add photos");
  expect([input.accept, input.multiple, input.hasAttribute("capture")]).toEqual([
    "image/*",
    true,
    false,
  ]);
});

test("a file that isn't a picture, or can't be read, is refused by name", async () => {
  await open(server);
  await pick(
    new File(["%PDF"], "notes.pdf", { type: "application/pdf" }),
    picture("torn.jpg", "broken"),
    picture("rear.jpg"),
  );
  await arrive(1);
  expect(photoRows()).toEqual(["rear.jpgSent · 1 KB"]);
  expect(screen.getByText("notes.pdf is not a picture. Only pictures can be added.")).toBeVisible();
  expect(
    screen.getByText("torn.jpg can't be read as a picture. Add it as JPEG, PNG or WebP."),
  ).toBeVisible();
});

test("a picture that is picked twice is added once", async () => {
  await open(server);
  await pick(
    picture("image.jpg", "door"),
    picture("image.jpg", "strap"),
    picture("copy.jpg", "door"),
  );
  expect(await screen.findByText("copy.jpg is already added.")).toBeVisible();
  await arrive(2);
  expect(server.sends).toEqual([hashOf("door"), hashOf("strap")]);
});

test("two duplicate pictures with the same name get an error each", async () => {
  const warned = vi.spyOn(console, "error").mockImplementation(() => {});
  await open(server);
  await pick(
    picture("image.jpg", "door"),
    picture("image.jpg", "door"),
    picture("image.jpg", "door"),
  );
  await waitFor(() => expect(screen.getAllByText("image.jpg is already added.")).toHaveLength(2));
  expect(warned).not.toHaveBeenCalled();
});

test("at most 12 photos can be added", async () => {
  await open(server);
  await pick(...Array.from({ length: 13 }, (_, n) => picture(`${n}.jpg`)));
  expect(await screen.findByText("At most 12 photos")).toBeVisible();
  await arrive(12);
});

test("one photo can be removed, or all cleared", async () => {
  await open(server);
  await pick(picture("rear.jpg"), picture("strap.jpg"), picture("dash.jpg"));
  await arrive(3);
  await userEvent.click(button("Remove strap.jpg"));
  expect(photoRows()).toHaveLength(2);
  await userEvent.click(button("Clear"));
  expect(photoRows()).toEqual([]);
  expect(screen.queryByRole("button", { name: "Clear" })).toBeNull();
});

test("submitting waits for the photos, shows that it waits, then sends the form's current content", async () => {
  const release = blockUploads();
  await open(server);
  await fill();
  await pick(picture("rear.jpg"), picture("strap.jpg"), picture("dash.jpg"));
  await waitFor(() => expect(server.sends).toHaveLength(2));
  expect(screen.getAllByRole("progressbar").map((each) => each.getAttribute("value"))).toEqual([
    "60",
    "60",
    "0",
  ]);
  await submit();
  expect(bar()).toHaveTextContent("Waiting for 3 photos…");
  expect(server.posts()).toEqual([]);
  await userEvent.type(control("Notes"), "Typed while waiting");
  release();
  await findSuccess();
  expect(server.sends).toHaveLength(3);
  expect(server.posts()).toHaveLength(1);
  expect(server.posts()[0]?.body).toMatchObject({ notes: "Typed while waiting" });
});

test("a required field that is emptied during the uploads is reported", async () => {
  const release = blockUploads();
  await open(server);
  await fill();
  await pick(picture("rear.jpg"));
  await submit();
  await userEvent.clear(control("Name"));
  release();
  await waitFor(() => expect(problems()).toEqual(["Please fill the required fields: Name"]));
  expect(server.posts()).toEqual([]);
});

test("a photo waits for a connection, and one that arrived is never sent again", async () => {
  server.outcomes = ["arrives", new NoConnection()];
  await open(server);
  await pick(picture("rear.jpg"), picture("strap.jpg"));
  await waitFor(() =>
    expect(photoRows()).toEqual(["rear.jpgSent · 1 KB", "strap.jpgWaits for a connection"]),
  );
  expect(screen.queryByRole("button", { name: /^Retry/ })).toBeNull();
  dispatchEvent(new Event("online"));
  await arrive(2);
  expect(server.sends).toEqual([hashOf("rear.jpg"), hashOf("strap.jpg"), hashOf("strap.jpg")]);
});

test("a photo that the server can't take for now can be retried", async () => {
  server.outcomes = [new ApiError(503, "Busy", {}, null)];
  await open(server);
  await pick(picture("rear.jpg"));
  await waitFor(() => expect(photoRows()).toEqual(["rear.jpgNot sent"]));
  await userEvent.click(button("Retry rear.jpg"));
  await arrive(1);
});

test("photos are sent again automatically when the connection is back", async () => {
  server.outcomes = [new NoConnection(), new NoConnection()];
  await open(server);
  await pick(picture("rear.jpg"), picture("strap.jpg"));
  await waitFor(() => expect(screen.getAllByText("Waits for a connection")).toHaveLength(2));
  expect(bar()).toHaveTextContent("No connection. 2 photos are kept and will be sent.");
  dispatchEvent(new Event("online"));
  await arrive(2);
});

test("submitting doesn't wait for photos that the line has lost: they are sent with their check", async () => {
  server.outcomes = ["arrives", new NoConnection()];
  await open(server);
  await fill();
  await pick(picture("rear.jpg"), picture("strap.jpg"));
  await screen.findByText("Waits for a connection");
  await submit();
  await findSuccess();
  expect(server.sends).toEqual([hashOf("rear.jpg"), hashOf("strap.jpg"), hashOf("strap.jpg")]);
  expect(server.posts()).toHaveLength(1);
});

test("a photo that makes no progress is waited for only for a while", async () => {
  server.uploadGate = new Promise(() => {});
  await open(server);
  await fill();
  await pick(picture("rear.jpg"));
  await waitFor(() => expect(server.sends).toHaveLength(1));
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"], shouldAdvanceTime: true });
  await userEvent.setup({ advanceTimers: vi.advanceTimersByTime }).click(button("Submit Check"));
  expect(bar()).toHaveTextContent("Waiting for 1 photo…");
  await vi.advanceTimersByTimeAsync(8_000);
  await findSuccess();
  expect(server.sends).toEqual([hashOf("rear.jpg"), hashOf("rear.jpg")]);
});

test("stuck photos are retried after a pause, without an online event", async () => {
  server.outcomes = [new NoConnection()];
  await open(server);
  await pick(picture("rear.jpg"));
  await screen.findByText("Waits for a connection");
  await waitFor(() => expect(bar()).toHaveTextContent("1 of 1 photo sent"), { timeout: 4_000 });
});

test("a photo whose reply was lost is looked up before it is sent again", async () => {
  server.outcomes = ["lost reply"];
  await open(server);
  await pick(picture("rear.jpg"));
  await screen.findByText("Waits for a connection");
  dispatchEvent(new Event("online"));
  await arrive(1);
  expect(server.sends).toEqual([hashOf("rear.jpg")]);
});

test("a refused photo shows the reason and blocks submitting until it is removed", async () => {
  server.outcomes = [new ApiError(413, "The photo has more than 40 megapixels.", {}, null)];
  await open(server);
  await fill();
  await pick(picture("wide.jpg"));
  const row = await screen.findByText("Not sent: The photo has more than 40 megapixels.");
  expect(
    within(row.closest("li") as HTMLElement).getByRole("button", { name: "Retry wide.jpg" }),
  ).toBeVisible();
  await submit();
  expect(problems()).toEqual(["wide.jpg: The photo has more than 40 megapixels."]);
  await saved();
  expect(server.posts()).toEqual([]);
  await userEvent.click(button("Remove wide.jpg"));
  expect(problems()).toEqual([]);
  await submit();
  await findSuccess();
});

test("a photo that is refused while submitting waits stops the submission", async () => {
  const release = blockUploads();
  server.outcomes = [new ApiError(422, "The photo arrived damaged. Send it again.", {}, null)];
  await open(server);
  await fill();
  await pick(picture("rear.jpg"));
  await submit();
  release();
  await waitFor(() =>
    expect(problems()).toEqual(["rear.jpg: The photo arrived damaged. Send it again."]),
  );
  await userEvent.click(button("Retry rear.jpg"));
  await arrive(1);
  await submit();
  await findSuccess();
});

const MISSED = "Photo 1 was not sent by you. Send it again.";
const missing = () => ({ status: 422, body: { error: MISSED, fields: { photos: MISSED } } });

test("photos that the server deleted are sent again automatically, then the check", async () => {
  await open(server);
  await fill();
  await pick(picture("rear.jpg"));
  await arrive(1);
  server.arrived.clear();
  server.answers.push(missing());
  await submit();
  await findSuccess();
  expect(new Set(server.sends)).toEqual(new Set([hashOf("rear.jpg")]));
  expect(server.posts()).toHaveLength(2);
});

test("after repeated reports of a missing photo, the user sees an error", async () => {
  server.answers.push(missing(), missing());
  await open(server);
  await fill();
  await pick(picture("rear.jpg"));
  await submit();
  await waitFor(() => expect(problems()).toEqual([MISSED]));
  expect(server.posts()).toHaveLength(2);
});
