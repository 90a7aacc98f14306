/** Uploads a photo by XMLHttpRequest, which reports progress, unlike fetch. */
import { NoConnection, readReply, renewingOnce } from "../shared/api";
import { csrfToken } from "../shared/session";

/** An upload without progress for this long is given up; there is no limit for the whole. */
const STALLED_AFTER_MS = 60_000;

interface Reply {
  status: number;
  text: string;
}

function sendRequest(
  method: string,
  address: string,
  signal: AbortSignal,
  data?: Blob,
  onProgress?: (part: number) => void,
): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    const fail = () => reject(new NoConnection());
    let stallTimer: ReturnType<typeof setTimeout>;
    const restartStallTimer = () => {
      clearTimeout(stallTimer);
      stallTimer = setTimeout(() => request.abort(), STALLED_AFTER_MS);
    };
    const abort = () => request.abort();
    request.open(method, address);
    request.setRequestHeader("Accept", "application/json");
    request.setRequestHeader("X-CSRFToken", csrfToken());
    if (data) request.setRequestHeader("Content-Type", data.type);
    request.upload.onprogress = ({ loaded, total }) => {
      restartStallTimer();
      onProgress?.(total ? loaded / total : 0);
    };
    request.onload = () => resolve({ status: request.status, text: request.responseText });
    request.onerror = fail;
    request.onabort = fail;
    request.onloadend = () => {
      clearTimeout(stallTimer);
      signal.removeEventListener("abort", abort);
    };
    signal.addEventListener("abort", abort);
    restartStallTimer();
    if (signal.aborted) fail();
    else request.send(data);
  });
}

/** Returns whether the server has the photo with this address. */
export async function isStored(address: string, signal: AbortSignal): Promise<boolean> {
  const { status, text } = await renewingOnce(() => sendRequest("HEAD", address, signal));
  if (status !== 200 && status !== 404) readReply(status, text);
  return status === 200;
}

/** Sends a photo; throws ApiError when it is refused, NoConnection when it may not have arrived. */
export async function send(
  address: string,
  data: Blob,
  onProgress: (part: number) => void,
  signal: AbortSignal,
): Promise<void> {
  const { status, text } = await renewingOnce(() =>
    sendRequest("PUT", address, signal, data, onProgress),
  );
  readReply(status, text);
}
