import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { ApiError, NoConnection, SignedOut } from "../shared/api";
import { RENEWED, recordNavigations, SIGN_IN } from "../shared/testing";
import { sha256 } from "./hash";
import { isStored, send } from "./upload";

interface Request {
  method: string;
  address: string;
  headers: Record<string, string>;
  body: unknown;
}
type Answer = { status: number; text?: string } | "no connection" | "silence";

let requests: Request[];
let answers: Answer[];

/** A fake XMLHttpRequest for uploads, with queued `answers`. */
class Line {
  upload: { onprogress?: (event: { loaded: number; total: number }) => void } = {};
  onload = () => {};
  onerror = () => {};
  onabort = () => {};
  onloadend = () => {};
  status = 0;
  responseText = "";
  private request: Request = { method: "", address: "", headers: {}, body: undefined };

  open(method: string, address: string) {
    this.request = { ...this.request, method, address };
  }

  setRequestHeader(name: string, value: string) {
    this.request.headers[name] = value;
  }

  abort() {
    this.onabort();
    this.onloadend();
  }

  send(body: unknown) {
    requests.push({ ...this.request, body });
    const answer = answers.shift() ?? { status: 200, text: "{}" };
    if (answer === "silence") return;
    queueMicrotask(() => {
      if (answer === "no connection") this.onerror();
      else {
        this.upload.onprogress?.({ loaded: 3, total: 4 });
        this.status = answer.status;
        this.responseText = answer.text ?? "{}";
        this.onload();
      }
      this.onloadend();
    });
  }
}

beforeEach(() => {
  requests = [];
  answers = [];
  document.body.innerHTML = '<input type="hidden" name="csrf_token" value="token">';
  vi.stubGlobal("XMLHttpRequest", Line);
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

const PHOTO = new Blob(["picture"], { type: "image/jpeg" });
const { signal } = new AbortController();
const put = (onProgress: (part: number) => void = () => {}) =>
  send("/api/photos/abc", PHOTO, onProgress, signal);

test("a photo is sent unchanged with the CSRF token, and reports its progress", async () => {
  const events: number[] = [];
  await put((part) => events.push(part));
  expect(events).toEqual([0.75]);
  const headers = {
    "X-CSRFToken": "token",
    "Content-Type": "image/jpeg",
    Accept: "application/json",
  };
  expect(requests).toEqual([{ method: "PUT", address: "/api/photos/abc", headers, body: PHOTO }]);
});

test("an error has the server's message", async () => {
  answers = [{ status: 422, text: '{"error": "The photo arrived damaged. Send it again."}' }];
  await expect(put()).rejects.toThrow(ApiError);
});

test.each<[Answer]>([["no connection"], [{ status: 502, text: "<h1>Bad gateway</h1>" }]])(
  "after %o it is uncertain whether the photo arrived",
  async (answer) => {
    answers = [answer];
    await expect(put()).rejects.toThrow(NoConnection);
  },
);

test("an upload without progress for a minute is aborted", async () => {
  vi.useFakeTimers();
  answers = ["silence"];
  const sending = expect(put()).rejects.toThrow(NoConnection);
  await vi.advanceTimersByTimeAsync(60_000);
  await sending;
});

test("removing a photo aborts its upload", async () => {
  answers = ["silence"];
  const stop = new AbortController();
  const sending = expect(send("/api/photos/abc", PHOTO, () => {}, stop.signal)).rejects.toThrow(
    NoConnection,
  );
  stop.abort();
  await sending;
});

test("an expired session is renewed once, and the photo sent again", async () => {
  answers = [{ status: 401 }];
  const renewed = vi.fn(async () => new Response(JSON.stringify(RENEWED.body)));
  vi.stubGlobal("fetch", renewed);
  await put();
  expect(renewed).toHaveBeenCalledOnce();
  expect(requests).toHaveLength(2);
});

test.each([put, () => isStored("/api/photos/abc", signal)])(
  "a session that can't be renewed leads to the sign-in",
  async (asking) => {
    answers = [{ status: 401 }];
    const navigations = recordNavigations();
    vi.stubGlobal("fetch", async () => new Response(JSON.stringify(SIGN_IN.body), { status: 401 }));
    await expect(asking()).rejects.toThrow(SignedOut);
    expect(navigations).toHaveLength(1);
  },
);

test("a stored photo is found without sending it", async () => {
  answers = [
    { status: 200, text: "" },
    { status: 404, text: "" },
    { status: 500, text: "" },
  ];
  expect(await isStored("/api/photos/abc", signal)).toBe(true);
  expect(await isStored("/api/photos/abc", signal)).toBe(false);
  await expect(isStored("/api/photos/abc", signal)).rejects.toThrow(NoConnection);
  expect(requests.map(({ method, body }) => [method, body])).toEqual(
    Array(3).fill(["HEAD", undefined]),
  );
});

test.each([400, 403])("a %i to the lookup of a photo is final", async (status) => {
  answers = [{ status, text: "" }];
  await expect(isStored("/api/photos/abc", signal)).rejects.toThrow(ApiError);
});

test("a photo's name is its content's SHA-256, even without crypto.subtle", async () => {
  const expected = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
  expect(await sha256(new Blob(["abc"]))).toBe(expected);
  expect(await sha256(new Blob(["abc"]), null)).toBe(expected);
});
