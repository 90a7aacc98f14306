/** The part of the script about a vehicle and what its check finds, loaded once there is a vehicle or input. */
export { BriefingPanel, StopArea } from "./BriefingPanel";
export { describeOutcome, foundIn, photoCaution, stopReasons } from "./findings";
export { questionMiles } from "./readings";
