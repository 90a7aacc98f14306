/** The props of the stock check, from its page. */
import type { Schemas } from "../shared/openapi";

export type Props = Schemas["StockCountProps"];
