/** The script of the widget bulk-update. */
import { mountOf } from "../shared/widget";
import { BulkUpdate } from "./BulkUpdate";

export const mount = mountOf(BulkUpdate);
