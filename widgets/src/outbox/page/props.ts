/** Whose outbox the page shows. */
import type { Schemas } from "../../shared/openapi";

export type Props = Schemas["OutboxProps"];
