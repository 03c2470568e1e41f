// Pulls the kill switch (web/contract/calls.ts). It needs no permission in the market, since it concerns this server and not the
// market, and no connection. Only the host's shell can release it: `mkt thaw`.

import { z } from "zod";
import { ToolError } from "../../core/error.ts";
import { FreezeFile } from "../../core/guardrails/freeze-file.ts";
import type { RouteContext, RouteRequest } from "../../core/routes/route.ts";
import { MAX_TEXT_LENGTH } from "../../protocol/limits.ts";
import type { FreezeAnswer } from "../../web/contract/calls.ts";
import { jsonAnswer } from "./json-answer.ts";

const requestSchema = z.strictObject({ reason: z.string().trim().min(1).max(MAX_TEXT_LENGTH) });

/** Whether the kill switch can be pulled. A read-only server has nothing to freeze. */
export function offersFreeze({ configuration: { guardrails, packs } }: Pick<RouteContext, "configuration">): boolean {
  return guardrails.freezeFile !== null && !packs.readOnly;
}

/** Throws ToolError `not_configured` or `invalid_input`. */
export function freeze(request: RouteRequest, { configuration, frozen, caller, log }: RouteContext): Response {
  const { freezeFile } = configuration.guardrails;
  if (freezeFile === null) throw notConfigured();
  const reason = reasonOf(request.json());
  try {
    new FreezeFile(freezeFile).freeze(reason);
  } catch (error) {
    log.error("the kill switch failed: {error}", { error: (error as Error).message });
    throw notWritten(error as Error);
  }
  const now = frozen();
  if (now === null) throw notWritten(new Error("NOT frozen: the file is gone again"));
  log.warn("frozen from the dashboard", { caller: caller ?? null });
  return jsonAnswer({ frozen: now } satisfies FreezeAnswer);
}

function reasonOf(body: unknown): string {
  const parsed = requestSchema.safeParse(body);
  if (parsed.success) return parsed.data.reason;
  throw new ToolError("invalid_input", z.prettifyError(parsed.error), 'Send {"reason": "..."} as JSON.');
}

function notConfigured(): ToolError {
  return new ToolError(
    "not_configured",
    "This server has no kill switch: MKT_FREEZE_FILE is not set. Nothing was frozen.",
    "Set MKT_FREEZE_FILE to a file in a folder that the server may write to, and restart it. To stop trading, halt the market.",
  );
}

function notWritten(cause: Error): ToolError {
  return new ToolError(
    "not_configured",
    `${cause.message}. Changes are still allowed.`,
    "Run `mkt freeze` on the server's host, or halt the market.",
    { cause },
  );
}
