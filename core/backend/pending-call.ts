// A request of a call that its client may cancel. What was sent can't be taken back: the engine may still carry it out. Only
// the wait ends, with all that it held. The log then names the operation; a repeat with its operationId gives the outcome.

import type { z } from "zod";
import type { Logger } from "../../common/logger.ts";
import type { EngineClient, RequestIds } from "../../protocol/client/engine-client.ts";
import { misfit, type RequestOutcome } from "../../protocol/client/pending-requests.ts";
import { type Action, type ActionRequest, type ActionResult, ACTIONS } from "../../protocol/index.ts";

interface PendingCall<Name extends Action> {
  readonly action: Name;
  readonly payload: ActionRequest<Name>;
  readonly ids: RequestIds & { readonly requestId: string };
  /** Aborts when the client of the call cancels it or disconnects. */
  readonly signal: AbortSignal | undefined;
}

/** The outcome of the request. Throws only the reason of `signal`, if it aborts first. */
export async function untilAborted<Name extends Action>(
  client: EngineClient,
  { action, payload, ids, signal }: PendingCall<Name>,
  log: Logger,
): Promise<RequestOutcome> {
  const outcome = client.request(action, payload, ids);
  if (signal === undefined) return await outcome;
  const aborted = Promise.withResolvers<never>();
  const onAbort = () => {
    const dropped = client.drop(ids.requestId);
    if (dropped === null) return;
    log.info(
      "a client cancelled its call after {action} was sent: operation {operationId} may take effect until {validUntil}",
      { action, operationId: ids.operationId, validUntil: dropped.validUntil },
    );
    aborted.reject(signal.reason);
  };
  signal.addEventListener("abort", onAbort);
  try {
    return await Promise.race([outcome, aborted.promise]);
  } finally {
    signal.removeEventListener("abort", onAbort);
  }
}

/** The outcome with its result checked against the action's schema. */
export function checked<Name extends Action>(
  action: Name,
  outcome: RequestOutcome,
): RequestOutcome<ActionResult<Name>> {
  if (outcome.kind !== "ok") return outcome;
  const result = (ACTIONS[action].result as z.ZodObject).safeParse(outcome.result);
  if (result.success) return { ...outcome, result: result.data as ActionResult<Name> };
  const fields = [...new Set(result.error.issues.map(({ path }) => path.join(".") || "result"))].join(", ");
  return misfit(outcome.operationId, `the engine confirmed it with a result outside the protocol (${fields})`);
}
