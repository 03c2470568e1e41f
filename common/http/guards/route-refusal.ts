// How a route refuses a request: it throws a Refusal, which is answered as `{ error: { code, message } }`.

import { HTTPException } from "hono/http-exception";
import type { z } from "zod";
import type { errorResponse } from "../../../protocol/index.ts";

export type RefusalStatus = 400 | 401 | 403 | 404 | 408 | 409 | 413 | 426 | 429 | 503;

export class Refusal extends HTTPException {
  constructor(status: RefusalStatus, code: string, message: string, headers: Readonly<Record<string, string>> = {}) {
    const body = { error: { code, message } } satisfies z.input<typeof errorResponse>;
    super(status, { message, res: Response.json(body, { status, headers }) });
  }
}
