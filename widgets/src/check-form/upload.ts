/** A photo's way to the server: with progress, which fetch can't tell, and without a limit while it moves. */
import { NoConnection, readReply, renewingOnce } from "../shared/api";
import { csrfToken } from "../shared/session";

const STALLED_AFTER = 60_000;

interface Reply {
  status: number;
  text: string;
}

function ask(
  method: string,
  address: string,
  signal: AbortSignal,
  data?: Blob,
  hear?: (part: number) => void,
): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    const fail = () => reject(new NoConnection());
    let stalled: ReturnType<typeof setTimeout>;
    const moves = () => {
      clearTimeout(stalled);
      stalled = setTimeout(() => request.abort(), STALLED_AFTER);
    };
    const abort = () => request.abort();
    request.open(method, address);
    request.setRequestHeader("Accept", "application/json");
    request.setRequestHeader("X-CSRFToken", csrfToken());
    if (data) request.setRequestHeader("Content-Type", data.type);
    request.upload.onprogress = ({ loaded, total }) => {
      moves();
      hear?.(total ? loaded / total : 0);
    };
    request.onload = () => resolve({ status: request.status, text: request.responseText });
    request.onerror = fail;
    request.onabort = fail;
    request.onloadend = () => {
      clearTimeout(stalled);
      signal.removeEventListener("abort", abort);
    };
    signal.addEventListener("abort", abort);
    moves();
    if (signal.aborted) fail();
    else request.send(data);
  });
}

/** Tells whether what stands under an address has arrived. */
export async function isThere(address: string, signal: AbortSignal): Promise<boolean> {
  const { status, text } = await renewingOnce(() => ask("HEAD", address, signal));
  if (status !== 200 && status !== 404) readReply(status, text);
  return status === 200;
}

/** Sends a photo; rejects with the server's refusal, or NoConnection when nobody knows whether it arrived. */
export async function send(
  address: string,
  data: Blob,
  hear: (part: number) => void,
  signal: AbortSignal,
): Promise<void> {
  const { status, text } = await renewingOnce(() => ask("PUT", address, signal, data, hear));
  readReply(status, text);
}
