/** The props of the stock check, from its page. */
import type { StockCountOfflineProps } from "../offline/props";
import type { Schemas } from "../shared/openapi";

/** Those of the shell have a reference, from which the count is shown without a connection. */
export type Props = Schemas["StockCountProps"] & Partial<Pick<StockCountOfflineProps, "reference">>;
