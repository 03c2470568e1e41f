// The type of an answer to POST /mcp. A client gets an event stream only if its Accept header names text/event-stream. Every
// other client (Accept is missing, */* or application/json) gets the same answer as JSON.
//
// The SDK answers requests of older protocol revisions with 406 unless Accept names both types, so the header is set to both.
// Limits: an answer as JSON has no notifications of its call, such as progress. A subscription stays a stream.

import { LISTEN } from "./listen-request.ts";

const BOTH_TYPES = "application/json, text/event-stream";
const STREAM = "text/event-stream";
/** The client is gone and does not read this status. The SDK uses the same. */
const CLIENT_CLOSED_REQUEST = 499;

/** Answers the request, of which `body` is the parsed body, in a type that its client reads. */
export async function inAcceptedType(
  request: Request,
  body: unknown,
  answer: (request: Request) => Promise<Response>,
): Promise<Response> {
  const isStreamRead = readsStreams(request);
  request.headers.set("Accept", BOTH_TYPES);
  const response = await answer(request);
  const isStream = response.headers.get("Content-Type")?.startsWith(STREAM) ?? false;
  return isStream && !isStreamRead && !isSubscription(body)
    ? await asJson(response, { isBatch: Array.isArray(body) })
    : response;
}

/** Whether the client accepts event streams. */
export function readsStreams({ headers }: Request): boolean {
  return headers.get("Accept")?.toLowerCase().includes(STREAM) ?? false;
}

function isSubscription(body: unknown): boolean {
  return typeof body === "object" && body !== null && Reflect.get(body, "method") === LISTEN;
}

/** The response to a client that has disconnected. */
export function disconnected(): Response {
  return new Response(null, { status: CLIENT_CLOSED_REQUEST });
}

/** Waits for the end of the stream. A batch gets an array. A stream without a response has lost its client. */
async function asJson(stream: Response, { isBatch }: { readonly isBatch: boolean }): Promise<Response> {
  const responses = messagesOf(await stream.text()).filter((message) => !("method" in message));
  if (responses.length === 0) return disconnected();
  const headers = new Headers(stream.headers);
  for (const name of ["Cache-Control", "Connection", "X-Accel-Buffering"]) headers.delete(name);
  headers.set("Content-Type", "application/json");
  return new Response(JSON.stringify(isBatch ? responses : responses[0]), { status: stream.status, headers });
}

/** The messages of a stream in which each event has one line of data, as the SDK writes it. */
function messagesOf(stream: string): object[] {
  return stream.split("\n").filter((line) => line.startsWith("data: ")).map((line) =>
    JSON.parse(line.slice(6)) as object
  );
}
