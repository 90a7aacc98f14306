/** Failures of the outbox as a form shows them. */
import { ApiError } from "../shared/api";
import type { Failure } from "./entry";
import { isForPeople } from "./store";

/** Returns the error of a reply. */
export function errorOf({ status, message, fields, body }: Failure): ApiError {
  return new ApiError(status, message, fields, body);
}

/** Does something with the outbox; what it says for people is thrown as an ApiError. */
export async function forPeople<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (!isForPeople(error)) throw error;
    throw new ApiError(0, error.message, {}, null);
  }
}
