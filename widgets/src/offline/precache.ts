/**
 * The caches of built files, one for each build, with what the server renders for use without a
 * connection.
 */
import { MOVE_DIALOG, SHELL } from "./addresses";

/** What the names of our caches begin with. */
export const PREFIX = "quartermaster-";

/** The addresses of what the server renders. */
const RENDERED = [SHELL, MOVE_DIALOG];

const AT_ONCE = 3;
/** Builds whose files are kept: pages of the last ones may still be open, and load more of them. */
const BUILDS_KEPT = 3;
const BUILT = /\/static\/built\/[\w.-]+/g;

/** A build: its name, and the addresses of its files. */
export interface Build {
  version: string;
  files: readonly string[];
  /** Names of scripts that aren't kept, each with the name of the one that is imported in its place. */
  standIns: readonly (readonly [name: string, kept: string])[];
}

const cacheOf = ({ version }: Build): Promise<Cache> => caches.open(PREFIX + version);

const TYPES: Record<string, string> = { css: "text/css", js: "text/javascript" };

/** Returns whether a reply has the headers of our server: a captive portal sends a page for all. */
function isOwn({ headers }: Response, address: string): boolean {
  const type = TYPES[address.split(".").at(-1) ?? ""] ?? "text/html";
  const hasPolicy = headers.get("Cross-Origin-Resource-Policy") === "same-origin";
  return hasPolicy && (headers.get("Content-Type") ?? "").startsWith(type);
}

/** Fetches a file; throws unless it is ours and whole. */
async function fetchOwn(address: string, options: RequestInit = {}): Promise<Response> {
  const reply = await fetch(address, { priority: "low", ...options });
  const isWhole = reply.status === 200 && reply.type === "basic" && !reply.redirected;
  if (!isWhole || !isOwn(reply, address))
    throw new Error(`${address}: ${reply.status} ${reply.type}`);
  return reply;
}

/** Fetches what may be of another build while servers are updated: then it is refused. */
async function fetchRendered(address: string, build: Build): Promise<Response> {
  const reply = await fetchOwn(address, { cache: "no-cache" });
  const used = (await reply.clone().text()).match(BUILT) ?? [];
  if (used.length === 0 || used.some((file) => !build.files.includes(file)))
    throw new Error(`${address} is of another build.`);
  return reply;
}

/**
 * Puts a build into its cache. On a bad line it fails, and goes on with what is missing the next
 * time; what older builds have is taken from them.
 */
export async function install(build: Build): Promise<void> {
  const cache = await cacheOf(build);
  const kept = new Set((await cache.keys()).map(({ url }) => new URL(url).pathname));
  const missing = build.files.filter((file) => !kept.has(file));
  const work = async () => {
    for (let file = missing.shift(); file; file = missing.shift()) {
      const reply = (await findBuilt(file)) ?? (await fetchOwn(file));
      await cache.put(file, reply);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  for (const [name, kept] of build.standIns) {
    const headers = { "Content-Type": "text/javascript" };
    await cache.put(
      `/static/built/${name}`,
      new Response(`export * from "./${kept}";`, { headers }),
    );
  }
  for (const address of RENDERED) await cache.put(address, await fetchRendered(address, build));
}

/** Deletes the caches of old builds. */
export async function deleteOld(build: Build): Promise<void> {
  const ours = (await caches.keys()).filter((name) => name.startsWith(PREFIX));
  // They are in the order in which they were made.
  const others = ours.filter((name) => name !== PREFIX + build.version);
  const old = others.slice(0, Math.max(0, others.length - (BUILDS_KEPT - 1)));
  await Promise.all(old.map((name) => caches.delete(name)));
}

/** Deletes the caches of all builds. */
export async function deleteAll(): Promise<void> {
  const ours = (await caches.keys()).filter((name) => name.startsWith(PREFIX));
  await Promise.all(ours.map((name) => caches.delete(name)));
}

/** Returns a built file of any build; undefined if it isn't cached. */
export async function findBuilt(address: string): Promise<Response | undefined> {
  try {
    return await caches.match(address, { ignoreVary: true });
  } catch {
    // Storage that fails must not break what the line can serve.
    return undefined;
  }
}

/** Returns what the server rendered for a build; undefined if it isn't cached. */
export async function findRendered(build: Build, address: string): Promise<Response | undefined> {
  try {
    return await (await cacheOf(build)).match(address, { ignoreVary: true });
  } catch {
    return undefined;
  }
}
