/** The group view of the assets, as its page mounts it. */
import { createRoot } from "react-dom/client";
import type { Unmount } from "../shared/mount";
import { AssetGroups } from "./AssetGroups";
import type { Props } from "./props";

export function mount(element: HTMLElement, props: Props): Unmount {
  const root = createRoot(element);
  root.render(<AssetGroups props={props} />);
  return () => root.unmount();
}
