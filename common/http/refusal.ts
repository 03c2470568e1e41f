// The answer to a request that is not served: a status, and `{ error: { code, message } }` as JSON. The checks in this folder
// return refusals, so that middleware and servers without hono answer alike.

import type { Context } from "hono";
import type { ContentfulStatusCode } from "hono/utils/http-status";

export interface HttpRefusal {
  readonly status: ContentfulStatusCode;
  readonly code: string;
  readonly message: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** The answer in a hono middleware. */
export function refused(context: Context, { status, code, message, headers }: HttpRefusal): Response {
  return context.json({ error: { code, message } }, status, headers);
}

/** The answer without hono. */
export function refusalResponse({ status, code, message, headers }: HttpRefusal): Response {
  return Response.json({ error: { code, message } }, {
    status,
    headers: { ...headers, "Content-Type": "application/json" },
  });
}
