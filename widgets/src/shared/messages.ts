/** What a script says: a failure above the content, a result in the live region. */

const STAYS = 8_000;

/** Says in a place above the content what went wrong, and brings it into sight. */
export function sayAbove(place: Element | null, message: string): void {
  const said = document.createElement("p");
  said.className = "notice bad";
  said.setAttribute("role", "alert");
  said.textContent = message;
  place?.replaceChildren(said);
  said.scrollIntoView({ block: "nearest" });
}

let ends = 0;

/** Empties the live region after a while. */
export function clearLater(place: Element, stays: number = STAYS): void {
  clearTimeout(ends);
  ends = window.setTimeout(() => place.replaceChildren(), stays);
}

/** Says a result in the live region. */
export function sayLive(message: string): void {
  const place = document.getElementById("live");
  const said = document.createElement("p");
  said.textContent = message;
  place?.replaceChildren(said);
  if (place) clearLater(place);
}
