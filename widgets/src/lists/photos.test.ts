/** The photos of a check, opened in the page. */
import { fireEvent, screen, waitFor } from "@testing-library/dom";
import { afterEach, beforeEach, expect, test } from "vitest";
import { watchPhotos } from "./photos";

const link = (n: number) =>
  `<li><a href="/photos/${n}"><img alt="photo ${n}.jpg" src="/photos/${n}/thumbnail"></a></li>`;

watchPhotos();
document.addEventListener("click", (event) => event.preventDefault());

beforeEach(() => {
  document.body.innerHTML = `<ul data-photos="KN23 AWD">${[0, 1, 2].map(link).join("")}</ul>`;
});
afterEach(() => {
  document.querySelector("dialog")?.close();
});

const dialog = () => document.querySelector("dialog") as HTMLDialogElement;
const picture = () => dialog().querySelector("img") as HTMLImageElement;
const links = () => [...document.querySelectorAll<HTMLElement>("[data-photos] a")];
const place = () => dialog().querySelector("[role=status]")?.textContent;

async function open(index: number): Promise<void> {
  fireEvent.click(links()[index]?.firstElementChild as Element);
  await waitFor(() => expect(dialog()).not.toBeNull());
}

test("a thumbnail opens its photo, with the plate and its place", async () => {
  await open(1);
  expect(dialog().open).toBe(true);
  expect(dialog().querySelector("h1")).toHaveTextContent("KN23 AWD");
  expect(place()).toBe("Photo 2 of 3");
  expect(picture()).toHaveAttribute("alt", "photo 1.jpg");
  expect(picture().src).toContain("/photos/1");
  expect(dialog().querySelector("[data-close]")).toHaveFocus();
});

test("a button beside a photo is followed, and counts as no photo", async () => {
  const remove = '<li><a class="btn" href="/remove">Remove</a></li>';
  document.querySelector("ul")?.insertAdjacentHTML("afterbegin", remove);
  fireEvent.click(screen.getByText("Remove"));
  expect(dialog()).toBeNull();
  fireEvent.click(screen.getByAltText("photo 2.jpg"));
  await waitFor(() => expect(place()).toBe("Photo 3 of 3"));
});

test("buttons and arrow keys go round the photos", async () => {
  await open(0);
  fireEvent.click(screen.getByText("Next"));
  expect(place()).toBe("Photo 2 of 3");
  fireEvent.keyDown(dialog(), { key: "ArrowRight" });
  fireEvent.keyDown(dialog(), { key: "ArrowRight" });
  expect(place()).toBe("Photo 1 of 3");
  fireEvent.keyDown(dialog(), { key: "ArrowLeft" });
  expect(place()).toBe("Photo 3 of 3");
  fireEvent.keyDown(dialog(), { key: "ArrowLeft", altKey: true });
  fireEvent.click(screen.getByText("Previous"));
  expect(picture().src).toContain("/photos/1");
});

test("Close gives the focus to the thumbnail of the photo shown last", async () => {
  await open(0);
  fireEvent.click(screen.getByText("Next"));
  fireEvent.click(screen.getByText("Close"));
  expect(dialog()).toBeNull();
  expect(links()[1]).toHaveFocus();
});

test("a single photo has nothing to turn to, and one that fails to load says so", async () => {
  document.body.innerHTML = `<ul data-photos="KN23 AWD">${link(0)}</ul>`;
  await open(0);
  expect(screen.queryByText("Next")).toBeNull();
  fireEvent.error(picture());
  expect(place()).toBe("Photo 1 of 1: failed to load. Close it and try again.");
});

test("a click that opens a new tab is the browser's", async () => {
  fireEvent.click(links()[0] as Element, { ctrlKey: true });
  await Promise.resolve();
  expect(dialog()).toBeNull();
});
