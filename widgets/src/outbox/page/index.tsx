/** What isn't sent yet: each entry, why it waits, and what its person can do. */
import { mountOf } from "../../shared/widget";
import { OutboxPage } from "./OutboxPage";

export const mount = mountOf(OutboxPage);
