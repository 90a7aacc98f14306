/** The name of a photo is its content's SHA-256. */

/** Returns it in hexadecimal, also where the browser has no crypto.subtle (http on a depot's own network). */
export async function sha256(
  data: Blob,
  subtle: SubtleCrypto | null = crypto.subtle ?? null,
): Promise<string> {
  const bytes = new Uint8Array(await data.arrayBuffer());
  const digest = subtle
    ? new Uint8Array(await subtle.digest("SHA-256", bytes))
    : (await import("@noble/hashes/sha2.js")).sha256(bytes);
  return [...digest].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
