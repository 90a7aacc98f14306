/** The script of the offline stock list. */
import { mountOf } from "../../shared/widget";
import { StockList } from "./StockList";

export const mount = mountOf(StockList);
