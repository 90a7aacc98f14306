/** The script of the shell. */
import { mountOf } from "../shared/widget";
import { Shell } from "./Shell";

export const mount = mountOf(Shell);
