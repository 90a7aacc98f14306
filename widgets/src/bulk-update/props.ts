/** The props of the bulk update, from its page. */
import type { Schemas } from "../shared/openapi";

export type Site = Schemas["TransferBody"]["destination"];

export type SiteChoice = Schemas["SiteChoice"];

export type Props = Schemas["BulkUpdateProps"];
