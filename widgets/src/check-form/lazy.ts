/** The part of the script that sends: loaded once the page can be used. */
import { lazy } from "../shared/lazy";

export const { load: loadSending, preload } = lazy(() => import("./sending"));
