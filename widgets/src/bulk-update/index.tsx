/** The bulk update, as a dialog mounts it. */
import { createRoot } from "react-dom/client";
import type { Unmount } from "../shared/mount";
import { BulkUpdate } from "./BulkUpdate";
import type { Props } from "./props";

export function mount(element: HTMLElement, props: Props): Unmount {
  const root = createRoot(element);
  root.render(<BulkUpdate props={props} />);
  return () => root.unmount();
}
