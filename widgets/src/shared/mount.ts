/** Mounts widgets: the page names the script and its props, and only the script loads React. */

export type Unmount = () => void;
/** The exports of a widget's script; `mount` returns a function that unmounts it. */
export interface Widget {
  mount(element: HTMLElement, props: unknown): Unmount;
}

const mounted = new Map<HTMLElement, Unmount | null>();

async function mountOne(
  element: HTMLElement,
  load: (address: string) => Promise<Widget>,
): Promise<void> {
  mounted.set(element, null);
  try {
    const widget = await load(element.dataset.src ?? "");
    // Its dialog may have been closed while the script was loading.
    if (!mounted.has(element)) return;
    mounted.set(element, widget.mount(element, JSON.parse(element.dataset.props ?? "{}")));
  } catch {
    if (!mounted.delete(element)) return;
    offerRetry(element, load);
  }
}

function offerRetry(element: HTMLElement, load: (address: string) => Promise<Widget>): void {
  const failure = document.createElement("p");
  failure.className = "notice bad";
  failure.setAttribute("role", "alert");
  failure.textContent = "No connection. ";
  const retry = document.createElement("button");
  retry.type = "button";
  retry.className = "btn";
  retry.textContent = "Try again";
  retry.addEventListener("click", () => {
    failure.remove();
    void mountOne(element, load);
  });
  failure.append(retry);
  // A list that can be read without the script stays; a 'Loading…' is replaced.
  if (element.querySelector(".loading")) element.replaceChildren(failure);
  else element.prepend(failure);
}

/** Mounts the widgets under a root that are not mounted yet. */
export function mountWidgets(
  root: ParentNode,
  load: (address: string) => Promise<Widget> = (address) => import(address) as Promise<Widget>,
): void {
  // htmx removes elements without notice.
  for (const element of mounted.keys()) if (!element.isConnected) unmountWidgets(element);
  root.querySelectorAll<HTMLElement>("[data-widget]").forEach((element) => {
    if (!mounted.has(element)) void mountOne(element, load);
  });
}

/** Unmounts the widgets under a root. */
export function unmountWidgets(root: Node): void {
  for (const [element, unmount] of mounted) {
    if (!root.contains(element)) continue;
    mounted.delete(element);
    unmount?.();
  }
}
