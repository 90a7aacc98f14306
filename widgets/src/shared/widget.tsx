/** Mounts a React component as the widget of a page. */
import type { ComponentType } from "react";
import { createRoot } from "react-dom/client";
import type { Unmount } from "./mount";

/** Returns the `mount` function that a widget's script exports. */
export function mountOf<Props>(Component: ComponentType<{ props: Props }>) {
  return (element: HTMLElement, props: Props): Unmount => {
    const root = createRoot(element);
    root.render(<Component props={props} />);
    return () => root.unmount();
  };
}
