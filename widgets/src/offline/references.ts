/** What was read from the server for use without a connection, in the browser's database by user. */
import { openDatabase, type Reference } from "../outbox/database";
import { isOurs } from "../shared/failures";
import type { Schemas } from "../shared/openapi";
import { endsAfter } from "../shared/requests";
import type { StockName } from "../shared/stores";
import { type CheckName, type ReferenceName, sourceOf } from "./addresses";

export type StockReference = Schemas["StockReference"];
export type CheckFormReference = Schemas["CheckFormReference"];

export type ValueOf<Name extends ReferenceName> = Name extends StockName
  ? StockReference
  : Name extends CheckName
    ? CheckFormReference
    : never;

/** A reference, and when it was read, in ms of this browser's clock. */
export interface Loaded<Value> {
  value: Value;
  fetchedAt: number;
}

/** How long a reference isn't read again. */
export const FRESH_FOR_MS = 2 * 60_000;
const LIMIT_SECONDS = 60;

/** Returns a user's reference; null if it wasn't read. */
export async function loadReference<Name extends ReferenceName>(
  user: number,
  name: Name,
): Promise<Loaded<ValueOf<Name>> | null> {
  const reference = await (await openDatabase()).get("references", [user, name]);
  if (!reference) return null;
  return { value: reference.value as ValueOf<Name>, fetchedAt: reference.fetchedAt };
}

/** A user's reference without its content. */
export interface Listed {
  name: ReferenceName;
  fetchedAt: number;
}

/** Returns which references a user has, by name. */
export async function listReferences(user: number): Promise<Listed[]> {
  const all = await (await openDatabase()).getAll("references", rangeOf(user));
  return all.map(({ name, fetchedAt }) => ({ name: name as ReferenceName, fetchedAt }));
}

/** Returns the first of some references that a user has; null if there is none of them. */
export async function firstReference(
  user: number,
  names: readonly ReferenceName[],
): Promise<ReferenceName | null> {
  const database = await openDatabase();
  for (const name of names) {
    if (await database.getKey("references", [user, name])) return name;
  }
  return null;
}

/** Stores a reference, unless its person has signed out meanwhile. */
async function putOwn(reference: Reference): Promise<void> {
  const database = await openDatabase();
  const storing = database.transaction(["device", "references"], "readwrite");
  const [person] = await storing.objectStore("device").getAll();
  if (person?.user === reference.user) await storing.objectStore("references").put(reference);
  await storing.done;
}

/**
 * Reads a reference from the server, unless that was done just now and after `changedAt`, in ms of
 * this browser's clock; what has changed is stored.
 */
export async function refreshReference(
  user: number,
  name: ReferenceName,
  changedAt = 0,
): Promise<void> {
  const database = await openDatabase();
  const before = await database.get("references", [user, name]);
  const age = before ? Date.now() - before.fetchedAt : Number.POSITIVE_INFINITY;
  if (before && before.fetchedAt > changedAt && age >= 0 && age < FRESH_FOR_MS) return;
  // What changes while the reply is on its way may be missing in it.
  const fetchedAt = Date.now();
  const reply = await fetch(sourceOf(name), {
    headers: {
      Accept: "application/json",
      // Another tab may have signed in somebody else since.
      "Outbox-User": String(user),
      ...(before ? { "If-None-Match": before.etag } : {}),
    },
    cache: "no-store",
    priority: "low",
    signal: endsAfter(LIMIT_SECONDS),
  });
  if (!isOurs((header) => reply.headers.get(header))) return;
  if (reply.status === 304 && before) {
    await putOwn({ ...before, fetchedAt });
  } else if (reply.ok) {
    const reference: Reference = {
      user,
      name,
      value: await reply.json(),
      etag: reply.headers.get("ETag") ?? "",
      fetchedAt,
    };
    await putOwn(reference);
  } else if (reply.status === 403 || reply.status === 404) {
    await database.delete("references", [user, name]);
  }
}

/** Deletes the references of everybody but one person, and of that one all that `keeps` refuses. */
export async function deleteReferences(
  user: number | null,
  keeps: (name: ReferenceName) => boolean = () => true,
): Promise<void> {
  const database = await openDatabase();
  const deleting = database.transaction("references", "readwrite");
  for (const key of await deleting.store.getAllKeys()) {
    const isKept = key[0] === user && keeps(key[1] as ReferenceName);
    if (!isKept) void deleting.store.delete(key);
  }
  await deleting.done;
}

const rangeOf = (user: number): IDBKeyRange => IDBKeyRange.bound([user], [user, []]);
