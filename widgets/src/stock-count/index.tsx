/** The stock check, as a page mounts it. */
import { createRoot } from "react-dom/client";
import type { Unmount } from "../shared/mount";
import type { Props } from "./props";
import { StockCheck } from "./StockCheck";

export function mount(element: HTMLElement, props: Props): Unmount {
  const root = createRoot(element);
  root.render(<StockCheck props={props} />);
  return () => root.unmount();
}
