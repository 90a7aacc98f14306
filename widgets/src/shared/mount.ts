/** Brings widgets to life: the page names the script and its props, React comes only with it. */

export type Unmount = () => void;
/** What a widget's script exports: it returns how to take the widget away again. */
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
    // Its dialog may have closed while the script was on its way.
    if (!mounted.has(element)) return;
    mounted.set(element, widget.mount(element, JSON.parse(element.dataset.props ?? "{}")));
  } catch {
    if (!mounted.delete(element)) return;
    offerAgain(element, load);
  }
}

function offerAgain(element: HTMLElement, load: (address: string) => Promise<Widget>): void {
  const said = document.createElement("p");
  said.className = "notice bad";
  said.setAttribute("role", "alert");
  said.textContent = "No connection. ";
  const again = document.createElement("button");
  again.type = "button";
  again.className = "btn";
  again.textContent = "Try again";
  again.addEventListener("click", () => {
    said.remove();
    void mountOne(element, load);
  });
  said.append(again);
  // A list that reads without the script stays; what only says that it loads goes.
  if (element.querySelector(".loading")) element.replaceChildren(said);
  else element.prepend(said);
}

/** Mounts the widgets under a root that are not there yet. */
export function mountWidgets(
  root: ParentNode,
  load: (address: string) => Promise<Widget> = (address) => import(address) as Promise<Widget>,
): void {
  // A swap takes elements out without asking.
  for (const element of mounted.keys()) if (!element.isConnected) unmountWidgets(element);
  root.querySelectorAll<HTMLElement>("[data-widget]").forEach((element) => {
    if (!mounted.has(element)) void mountOne(element, load);
  });
}

/** Takes away the widgets under a root. */
export function unmountWidgets(root: Node): void {
  for (const [element, unmount] of mounted) {
    if (!root.contains(element)) continue;
    mounted.delete(element);
    unmount?.();
  }
}
