import { getByRole, queryByRole, screen, waitFor } from "@testing-library/dom";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { RENEWED, recordNavigations, SIGN_IN, serve } from "../shared/testing";
import { extendInPlace, pingFirst } from "./dashboard";

const reload = vi.fn();

beforeEach(() => {
  document.body.innerHTML = `<div id="alerts"></div>
    <a href="/dashboard" data-ping="/api/ping">Refresh</a>
    <form method="post" action="/session/renew"><input type="hidden" name="csrf_token" value="token">
      <button>Extend Login Time</button></form>
    <p>Signed in until <time id="signed-in-until" datetime="2026-11-21T14:02:00+00:00">14:02</time></p>
    <div id="live" role="status"></div>`;
  pingFirst(getByRole(document.body, "link"));
  extendInPlace(document.querySelector("form") as HTMLFormElement);
  reload.mockReset();
  vi.spyOn(location, "reload").mockImplementation(reload);
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

const refresh = () => userEvent.click(screen.getByRole("link", { name: "Refresh" }));
const extend = () => userEvent.click(screen.getByRole("button", { name: "Extend Login Time" }));
const alert = () => screen.findByRole("alert");

test("Refresh reloads the page once the server has replied", async () => {
  const requests = serve(() => ({ body: { ok: true, time: "2026-11-21T13:32:00+00:00" } }));
  await refresh();
  await waitFor(() => expect(reload).toHaveBeenCalledOnce());
  expect(requests).toMatchObject([{ method: "GET", url: "/api/ping" }]);
  expect(queryByRole(document.body, "alert")).toBeNull();
});

test("Refresh without a connection shows an error and doesn't reload the page", async () => {
  serve(() => "no connection");
  await refresh();
  expect(await alert()).toHaveTextContent("Ping failed. No connection.");
  expect(reload).not.toHaveBeenCalled();
});

test("an error of the ping shows the server's message", async () => {
  serve(() => ({ status: 503, body: { error: "The database is busy. Try again in a moment." } }));
  await refresh();
  expect(await alert()).toHaveTextContent("The database is busy. Try again in a moment.");
  serve(() => ({ status: 500, body: { error: "" } }));
  await refresh();
  await waitFor(() => expect(screen.getByRole("alert")).toHaveTextContent(/^Ping failed$/));
});

test("an expired session is renewed and the ping sent again", async () => {
  let isExtended = false;
  serve(({ url }) => {
    if (url !== "/session/renew") return isExtended ? { body: {} } : SIGN_IN;
    isExtended = true;
    return RENEWED;
  });
  await refresh();
  await waitFor(() => expect(reload).toHaveBeenCalledOnce());
});

test("Extend Login Time shows the server's message with the new time", async () => {
  const requests = serve(() => ({
    body: {
      until: "2026-11-21T14:32:00+00:00",
      time: "14:32",
      message: "You are signed in until 14:32.",
    },
  }));
  await extend();
  await waitFor(() =>
    expect(screen.getByRole("status")).toHaveTextContent("You are signed in until 14:32."),
  );
  expect(screen.getByText("14:32")).toHaveAttribute("datetime", "2026-11-21T14:32:00+00:00");
  expect(requests).toMatchObject([{ method: "POST", url: "/session/renew", token: "token" }]);
});

test("Extend Login Time without a connection shows an error until it works", async () => {
  serve(() => "no connection");
  await extend();
  expect(await alert()).toHaveTextContent("Refresh failed. No connection.");
  expect(screen.getByText("14:02")).toBeInTheDocument();
  serve(() => ({
    body: { until: "2026-11-21T14:32:00+00:00", time: "14:32", message: "Until 14:32." },
  }));
  await extend();
  await waitFor(() => expect(screen.getByRole("status")).toHaveTextContent("Until 14:32."));
  expect(queryByRole(document.body, "alert")).toBeNull();
});

test("a session that can't be renewed leads to the sign-in", async () => {
  const navigations = recordNavigations();
  serve(() => ({ status: 401, body: { error: "Please sign in." } }));
  await extend();
  await waitFor(() => expect(navigations).toHaveLength(1));
  expect(navigations[0]).toMatch(/^\/login\?next=/);
  expect(queryByRole(document.body, "alert")).toBeNull();
});
