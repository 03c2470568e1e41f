// MAX_BODY_SIZE: a larger body is answered with 413 as soon as that is known, from Content-Length or while reading,
// and never buffered whole.

import { readRequestBody } from "@modelcontextprotocol/server";
import { createMiddleware } from "hono/factory";

export interface BodyLimitOptions {
  readonly maxBytes: number;
}

/** Reads the body, which is then `bodyText`; answers 413 above the limit. */
export function bodyLimit({ maxBytes }: BodyLimitOptions) {
  return createMiddleware<{ Variables: { bodyText: string } }>(async function bodyLimit(context, next) {
    const body = await readRequestBody(context.req.raw, maxBytes);
    if (body.tooLarge) {
      context.header("Connection", "close");
      const message = `The request body is larger than ${maxBytes} bytes (MAX_BODY_SIZE).`;
      return context.json({ error: { code: "payload_too_large", message } }, 413);
    }
    context.set("bodyText", body.text);
    await next();
  });
}
