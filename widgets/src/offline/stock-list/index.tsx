/** The script of the stock list without a connection. */
import { mountOf } from "../../shared/widget";
import { StockList } from "./StockList";

export const mount = mountOf(StockList);
