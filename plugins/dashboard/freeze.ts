// Pulls the kill switch (web/contract/calls.ts). It needs no permission in the market, since it concerns this server and not
// the market, and no connection. Only the host's shell can release it: `mkt thaw`.

import { z } from "zod";
import { errorMessage } from "../../common/error-message.ts";
import { ToolError } from "../../core/error.ts";
import { checkNotFrozen } from "../../core/guardrails/call-checks.ts";
import type { RouteContext, RouteRequest } from "../../core/routes/route.ts";
import { MAX_TEXT_LENGTH } from "../../protocol/limits.ts";
import type { FreezeAnswer } from "../../web/contract/calls.ts";
import { jsonAnswer } from "./json-answer.ts";

const requestSchema = z.strictObject({ reason: z.string().trim().min(1).max(MAX_TEXT_LENGTH) });

/** Whether the kill switch can be pulled. A read-only server has nothing to freeze. */
export function offersFreeze({ configuration }: Pick<RouteContext, "configuration">): boolean {
  const { guardrails, redis, packs } = configuration;
  return (guardrails.freezeFile !== null || redis !== null) && !packs.readOnly;
}

/** Throws ToolError `frozen`, `not_configured`, `backend_unavailable` or `invalid_input`. */
export async function freeze(
  request: RouteRequest,
  { freeze, frozen, now, caller, log }: RouteContext,
): Promise<Response> {
  // Already frozen: it stays so, with the first reason.
  checkNotFrozen({ annotations: { readOnlyHint: false } }, frozen);
  const reason = reasonOf(request.json());
  try {
    await freeze(reason);
  } catch (error) {
    log.error("the kill switch failed: {error}", { error: errorMessage(error) });
    throw error;
  }
  log.warn("frozen from the dashboard", { caller: caller ?? null });
  // Thawed again in this moment: the page must show what it has done.
  const answer = frozen() ?? { reason, since: new Date(now()).toISOString() };
  return jsonAnswer({ frozen: answer } satisfies FreezeAnswer);
}

function reasonOf(body: unknown): string {
  const parsed = requestSchema.safeParse(body);
  if (parsed.success) return parsed.data.reason;
  throw new ToolError("invalid_input", z.prettifyError(parsed.error), 'Send {"reason": "..."} as JSON.');
}
