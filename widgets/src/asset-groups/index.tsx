/** The script of the widget asset-groups. */
import { mountOf } from "../shared/widget";
import { AssetGroups } from "./AssetGroups";

export const mount = mountOf(AssetGroups);
