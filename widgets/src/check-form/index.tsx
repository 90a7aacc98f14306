/** The script of the widget check-form. */
import { mountOf } from "../shared/widget";
import { CheckPage } from "./CheckPage";

export const mount = mountOf(CheckPage);
