/** The script of the widget stock-count. */
import { mountOf } from "../shared/widget";
import { StockCheck } from "./StockCheck";

export const mount = mountOf(StockCheck);
