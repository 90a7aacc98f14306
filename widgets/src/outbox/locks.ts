/** Lets one page or worker at a time send: by a Web Lock, else by a lease in the database. */
import { newKey } from "../shared/once";
import { openDatabase } from "./database";

const NAME = "quartermaster-outbox";
const LEASE_MS = 30_000;
const RENEW_MS = 10_000;
const LOOK_MS = 1_000;

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Takes or renews the lease, unless another page has it; a clock that was set back doesn't keep it. */
async function takeLease(holder: string): Promise<boolean> {
  const database = await openDatabase();
  const transaction = database.transaction("leases", "readwrite");
  const lease = await transaction.store.get(NAME);
  const left = lease ? lease.until - Date.now() : 0;
  const isFree = !lease || lease.holder === holder || left <= 0 || left > LEASE_MS;
  if (isFree) await transaction.store.put({ holder, until: Date.now() + LEASE_MS }, NAME);
  await transaction.done;
  return isFree;
}

async function endLease(holder: string): Promise<void> {
  const database = await openDatabase();
  const transaction = database.transaction("leases", "readwrite");
  if ((await transaction.store.get(NAME))?.holder === holder) await transaction.store.delete(NAME);
  await transaction.done;
}

async function withLease<Result>(work: () => Promise<Result>): Promise<Result> {
  const holder = newKey();
  while (!(await takeLease(holder))) await pause(LOOK_MS);
  const renewal = setInterval(() => void takeLease(holder).catch(() => {}), RENEW_MS);
  try {
    return await work();
  } finally {
    clearInterval(renewal);
    await endLease(holder);
  }
}

const webLocks = (): LockManager | undefined => (navigator as { locks?: LockManager }).locks;

/** Does something while nobody else sends. */
export async function alone<Result>(work: () => Promise<Result>): Promise<Result> {
  const locks = webLocks();
  if (!locks) return withLease(work);
  return (await locks.request(NAME, work)) as Result;
}

/** Shares a lock with other pages, until it is let go or the page ends. */
export function share(name: string): Promise<() => void> {
  return new Promise((resolve) => {
    const untilLetGo = () => new Promise<void>((letGo) => resolve(letGo));
    const locks = webLocks();
    if (locks) locks.request(name, { mode: "shared" }, untilLetGo).catch(() => resolve(() => {}));
    else resolve(() => {});
  });
}

/** Whether no page has a lock; null where the browser has none. */
export async function isFree(name: string): Promise<boolean | null> {
  const locks = webLocks();
  if (!locks) return null;
  return (await locks.request(
    name,
    { ifAvailable: true },
    async (lock) => lock !== null,
  )) as boolean;
}
