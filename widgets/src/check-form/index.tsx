/** The check form, as a page mounts it. */
import { createRoot } from "react-dom/client";
import type { Unmount } from "../shared/mount";
import { CheckPage } from "./CheckPage";
import type { Props } from "./props";

export function mount(element: HTMLElement, props: Props): Unmount {
  const root = createRoot(element);
  root.render(<CheckPage props={props} />);
  return () => root.unmount();
}
