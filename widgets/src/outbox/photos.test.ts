import { expect, test } from "vitest";
import { deliver, entry, keep } from ".";
import { sendDue } from "./sender";
import * as store from "./store";
import { type Call, entryOf, refusal, server, startServers } from "./testing";

startServers();

const CHECK = entryOf("a", { kind: "check", photos: ["h1"] });
const PHOTO = { hash: "h1", name: "front.jpg", data: new ArrayBuffer(3) };
const AT = "/api/photos/h1";

const calls = () => server.calls.map(({ method, path }) => `${method} ${path}`);
const after = (method: string, answer: ReturnType<typeof refusal> | "no reply") => {
  server.before = (call: Call) => (call.method === method && call.path === AT ? answer : undefined);
};

test.each(["HEAD", "PUT"])("a cut in the %s of a photo leaves the check unsent", async (method) => {
  after(method, "no reply");
  expect(await deliver(CHECK, [PHOTO])).toMatchObject({ state: "waiting" });
  expect(await store.get("a")).toMatchObject({ isUnanswered: false, tries: 1 });
  expect(server.sent()).toEqual([]);
});

test("a busy server lets the photo wait", async () => {
  after("HEAD", refusal(429));
  expect(await deliver(CHECK, [PHOTO])).toMatchObject({ state: "waiting" });
  expect(await store.get("a")).toMatchObject({ answeredTries: 1 });
});

test("a photo that the server refuses is reported", async () => {
  after("PUT", refusal(413, "too_large"));
  expect(await deliver(CHECK, [PHOTO])).toMatchObject({
    state: "refused",
    failure: { code: "too_large" },
  });
});

test("a check of somebody whose division was taken away keeps its photo, and says why", async () => {
  const reason = "This call belongs to Fleet.";
  server.before = ({ path }) =>
    path === AT ? refusal(403, "forbidden", { error: reason }) : undefined;
  await keep(CHECK, [PHOTO]);
  await sendDue();
  expect(await entry("a")).toMatchObject({
    state: "refused",
    isUnanswered: false,
    failure: { code: "forbidden", message: reason },
  });
  expect(await store.photosOf("a")).toHaveLength(1);
});

test("a photo that was deleted from the device is reported", async () => {
  expect(await deliver(CHECK, [])).toMatchObject({
    state: "refused",
    failure: { code: "photo_lost" },
  });
});

test("photos that the server has lost are sent again, once", async () => {
  server.photos.add(AT);
  server.before = ({ path }) =>
    path === "/do/a" && !calls().includes(`PUT ${AT}`) ? refusal(422, "photos_missing") : undefined;
  expect(await deliver(CHECK, [PHOTO])).toMatchObject({ state: "sent" });
  expect(calls().slice(1)).toEqual([`HEAD ${AT}`, "POST /do/a", `PUT ${AT}`, "POST /do/a"]);
});

test("photos that stay missing are reported", async () => {
  server.before = ({ path }) => (path === "/do/a" ? refusal(422, "photos_missing") : undefined);
  expect(await deliver(CHECK, [PHOTO])).toMatchObject({
    state: "refused",
    failure: { code: "photos_missing" },
  });
});

test("a fault of the server before the change was sent leaves no doubt", async () => {
  server.before = ({ method }) => (method === "HEAD" ? refusal(503) : undefined);
  await store.put(entryOf("a", { kind: "check", photos: ["h1"] }), []);
  await sendDue();
  expect(await entry("a")).toMatchObject({ isUnanswered: false, tries: 1 });
});

test("a check that is sent once more with its photos leaves no doubt if it is refused", async () => {
  const answers = [refusal(422, "photos_missing"), refusal(429)];
  server.before = ({ path }) => (path === "/do/a" ? answers.shift() : undefined);
  await keep(entryOf("a", { kind: "check", photos: ["h1"] }), [
    { hash: "h1", name: "h1.jpg", data: new ArrayBuffer(3) },
  ]);
  await sendDue();
  expect(answers).toEqual([]);
  expect(await entry("a")).toMatchObject({ state: "waiting", isUnanswered: false });
});
