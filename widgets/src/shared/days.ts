/** The first day that can be chosen, with the message outside the range: as app/dates.py has them. */
export const EARLIEST_DAY = "2000-01-01";
export const TOO_EARLY = "Date can't be before 1 Jan 2000.";
export const TOO_LATE = "Date can't be in the future.";
