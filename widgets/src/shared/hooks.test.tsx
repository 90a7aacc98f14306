import { act, render, renderHook, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { ApiError } from "./api";
import { DraftKey } from "./draft-key";
import * as drafts from "./drafts";
import { descriptionIds, errorAttributes, Field } from "./Field";
import { Listeners } from "./listeners";
import { type DraftParts, useAutosave } from "./useAutosave";
import { useLoad } from "./useLoad";
import { type AfterSubmit, useSubmit } from "./useSubmit";
import { LoadFailure, mountOf, Notice } from "./widget";

const OWNER = { user: 7, division: "gfm", site: "main", kind: "hooks" };

beforeEach(() => drafts.discard(OWNER));

describe("useLoad", () => {
  const failure = () => Promise.reject(new ApiError(404, "", {}, null));

  test("data are loaded at once", async () => {
    const fetchData = () => Promise.resolve(["a"]);
    const { result } = renderHook(() => useLoad(fetchData, "Failed"));
    expect(result.current).toMatchObject({ data: null, failure: "", isLoading: true });
    await waitFor(() => expect(result.current.data).toEqual(["a"]));
    expect(result.current.isLoading).toBe(false);
  });

  test("after a failure, loading can be retried", async () => {
    const fetchData = vi.fn(failure as () => Promise<string>);
    const { result } = renderHook(() => useLoad(fetchData, "Failed"));
    await waitFor(() => expect(result.current.failure).toBe("Failed"));
    expect(result.current.isLoading).toBe(false);
    fetchData.mockResolvedValue("b");
    await act(() => result.current.load());
    expect(result.current).toMatchObject({ data: "b", failure: "" });
  });

  test("a refresh replaces the data only when it succeeds", async () => {
    const fetchData = vi.fn(() => Promise.resolve(1));
    const { result } = renderHook(() => useLoad(fetchData, "Failed"));
    await waitFor(() => expect(result.current.data).toBe(1));
    fetchData.mockImplementation(failure as () => Promise<number>);
    await act(() => result.current.refresh());
    expect(result.current).toMatchObject({ data: 1, failure: "" });
    fetchData.mockResolvedValue(2);
    await act(() => result.current.refresh());
    expect(result.current.data).toBe(2);
  });
});

describe("useSubmit", () => {
  const submitted = async (send: () => Promise<AfterSubmit>) => {
    const onFailure = vi.fn();
    const { result } = renderHook(() => useSubmit());
    await act(() => result.current.submit(send, onFailure));
    return { isBusy: result.current.isBusy, failures: onFailure.mock.calls };
  };

  test("the form is usable again when the page stays", async () => {
    expect(await submitted(async () => "staying")).toEqual({ isBusy: false, failures: [] });
  });

  test("it stays busy while the page is being left", async () => {
    expect(await submitted(async () => "leaving")).toEqual({ isBusy: true, failures: [] });
  });

  test("a failure is passed on, and the form is usable again", async () => {
    const error = new Error("no");
    const send = () => Promise.reject(error);
    expect(await submitted(send)).toEqual({ isBusy: false, failures: [[error]] });
  });
});

describe("useAutosave", () => {
  const parts = async () => Object.fromEntries((await drafts.load(OWNER))?.parts ?? []);
  const start = (initial: DraftParts | null) => {
    const isTouched = { current: false };
    const onSaved = vi.fn();
    const { rerender } = renderHook(
      (props: { parts: DraftParts | null }) =>
        useAutosave({ owner: OWNER, isTouched, onSaved, ...props }),
      { initialProps: { parts: initial } },
    );
    return { isTouched, onSaved, change: (next: DraftParts | null) => rerender({ parts: next }) };
  };

  test("nothing is saved before the first change by the user", async () => {
    const { onSaved, change } = start([["form", 1]]);
    change([["form", 2]]);
    expect(await parts()).toEqual({});
    expect(onSaved).not.toHaveBeenCalled();
  });

  test("every change is saved, and the draft discarded when the form is empty again", async () => {
    const { isTouched, onSaved, change } = start(null);
    isTouched.current = true;
    change([["form", 1]]);
    await waitFor(async () => expect(await parts()).toEqual({ form: 1 }));
    await waitFor(() => expect(onSaved).toHaveBeenLastCalledWith(expect.any(Date)));
    change(null);
    await waitFor(async () => expect(await parts()).toEqual({}));
    await waitFor(() => expect(onSaved).toHaveBeenLastCalledWith(null));
  });
});

test("a draft keeps its key for the same content, even after a reload", async () => {
  const key = new DraftKey(OWNER);
  key.restore(null);
  const first = await key.keyFor("a");
  expect(await key.keyFor("a")).toBe(first);
  const reloaded = new DraftKey(OWNER);
  reloaded.restore(await drafts.load(OWNER));
  expect(await reloaded.keyFor("a")).toBe(first);
  expect(await reloaded.keyFor("b")).not.toBe(first);
});

test("listeners are called until they are removed", () => {
  const listeners = new Listeners();
  const listener = vi.fn();
  const remove = listeners.subscribe(listener);
  listeners.notify();
  remove();
  listeners.notify();
  expect(listener).toHaveBeenCalledOnce();
});

test("a field links its label, error and caution to its control", () => {
  render(
    <Field id="amount" label="Amount" isRequired isWide error="Too low" caution="Lower than last">
      <input id="amount" {...errorAttributes("amount", "Too low")} />
    </Field>,
  );
  expect(screen.getByLabelText(/^Amount/)).toBeInvalid();
  expect(screen.getByLabelText(/^Amount/)).toHaveAccessibleDescription("Too low");
  expect(screen.getByText("Too low").parentElement).toHaveClass("field wrong full");
  expect(descriptionIds("amount", "Too low", "Low")).toBe("amount-error amount-caution");
  expect(descriptionIds("amount", undefined)).toBeUndefined();
});

test("a failure to load is announced, and can be retried", async () => {
  const onRetry = vi.fn();
  const { rerender } = render(<LoadFailure message="" onRetry={onRetry} />);
  expect(screen.queryByRole("alert")).toBeNull();
  rerender(<LoadFailure message="Failed to load" onRetry={onRetry} />);
  expect(screen.getByRole("alert")).toHaveTextContent("Failed to load");
  await userEvent.click(screen.getByRole("button", { name: "Try again" }));
  expect(onRetry).toHaveBeenCalledOnce();
});

test.each(["", "warn"] as const)("a notice of the kind '%s' is a status", (kind) => {
  render(
    <Notice kind={kind} text="Kept">
      <button type="button">Discard</button>
    </Notice>,
  );
  expect(screen.getByRole("status")).toHaveClass("notice row");
});

test("a widget is mounted with its props, and unmounted", () => {
  const element = document.body.appendChild(document.createElement("div"));
  const mount = mountOf(({ props }: { props: { name: string } }) => <p>{props.name}</p>);
  let unmount = () => {};
  act(() => {
    unmount = mount(element, { name: "Desk" });
  });
  expect(element).toHaveTextContent("Desk");
  act(() => unmount());
  expect(element).toBeEmptyDOMElement();
});
