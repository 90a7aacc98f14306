/** The part of the script that sends: loaded once there is something to send. */
import { lazy } from "../shared/lazy";

export const { load: loadSending, preload } = lazy(() => import("./sending"));
