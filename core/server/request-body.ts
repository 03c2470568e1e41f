// Reading a request's body within its limits: size, time, and what all bodies together may hold at once.
//
// One client may hold only its share of what all may hold. A body above MAX_BODY_SIZE is answered with 413 as soon as that is known, from Content-Length or while reading; one that
// takes too long with 408; one that does not fit beside those under way with 503. None is buffered beyond its limit.

import type { Context, Env, MiddlewareHandler } from "hono";
import { Capacity } from "./capacity.ts";

export interface RequestBodyOptions<Routes extends Env> {
  readonly maxBytes: number;
  /** For the whole body, from its first byte to its last, milliseconds. */
  readonly deadlineMs: number;
  /** Bytes of all bodies that are being read or worked on. */
  readonly maxTotalBytes: number;
  /** Those of one client. */
  readonly maxClientBytes: () => number;
  readonly clientOf: (context: Context<Routes>) => string;
}

export interface WithBody {
  readonly bodyText: string;
}

type BodyLimits = Pick<RequestBodyOptions<Env>, "maxBytes" | "deadlineMs">;

type Body =
  | { readonly kind: "whole"; readonly text: string }
  | { readonly kind: "too_large" | "too_slow" | "too_many" | "broken_off" | "not_text" };

/** Reads the body, which is then `bodyText`. */
export function requestBody<Routes extends { Variables: WithBody }>(
  options: RequestBodyOptions<Routes>,
): MiddlewareHandler<Routes> {
  const capacity = new Capacity(options.maxTotalBytes, options.maxClientBytes);
  return async function requestBody(context, next) {
    const client = options.clientOf(context);
    let held = 0;
    const hold = (bytes: number) => {
      if (capacity.take(client, bytes) !== "taken") return false;
      held += bytes;
      return true;
    };
    try {
      const body = await read(context.req.raw, options, hold);
      if (body.kind !== "whole") return refusal(context, body.kind, options);
      context.set("bodyText", body.text);
      await next();
    } finally {
      capacity.release(client, held);
    }
  };
}

/** `hold` says whether there is room for so many bytes more. */
async function read(
  request: Request,
  { maxBytes, deadlineMs }: BodyLimits,
  hold: (bytes: number) => boolean,
): Promise<Body> {
  if (Number(request.headers.get("Content-Length")) > maxBytes) return { kind: "too_large" };
  if (request.body === null) return { kind: "whole", text: "" };
  const { promise: deadline, resolve: expire } = Promise.withResolvers<"expired">();
  const timer = setTimeout(() => expire("expired"), deadlineMs);
  const reader = request.body.getReader();
  const chunks: Uint8Array[] = [];
  let received = 0;
  try {
    for (;;) {
      // It rejects where the client goes away in the middle of its body, and for no other reason.
      const part = await Promise.race([reader.read().catch(() => "broken" as const), deadline]);
      if (part === "expired") return { kind: "too_slow" };
      if (part === "broken") return { kind: "broken_off" };
      if (part.done) return decoded(chunks);
      received += part.value.byteLength;
      if (received > maxBytes) return { kind: "too_large" };
      if (!hold(part.value.byteLength)) return { kind: "too_many" };
      chunks.push(part.value);
    }
  } finally {
    clearTimeout(timer);
    // A read that is under way ends with the connection, which is closed after a refusal.
    reader.cancel().catch(() => {});
  }
}

function decoded(chunks: readonly Uint8Array[]): Body {
  try {
    return { kind: "whole", text: new TextDecoder("utf-8", { fatal: true }).decode(Buffer.concat(chunks)) };
  } catch (error) {
    if (error instanceof TypeError) return { kind: "not_text" };
    throw error;
  }
}

/** The connection ends with it: the rest of the body is not waited for. */
function refusal(
  context: Context,
  kind: Exclude<Body["kind"], "whole">,
  { maxBytes, deadlineMs }: BodyLimits,
): Response {
  context.header("Connection", "close");
  const answer = (code: string, message: string, status: 400 | 408 | 413 | 503) =>
    context.json({ error: { code, message } }, status);
  switch (kind) {
    case "too_large":
      return answer("payload_too_large", `The request body is larger than ${maxBytes} bytes (MAX_BODY_SIZE).`, 413);
    case "too_slow":
      return answer("request_timeout", `The request body was not there within ${deadlineMs / 1000} seconds.`, 408);
    case "too_many":
      context.header("Retry-After", "1");
      return answer("busy", "Too much is being sent at once: try again.", 503);
    case "broken_off":
      return answer("invalid_body", "The request body broke off.", 400);
    case "not_text":
      return answer("invalid_body", "The request body is not UTF-8.", 400);
  }
}
