// Sends the requests of one call of a mutation: with the caller's idempotencyKey, until the client cancels the call, and with
// progress while a request waits for the market's confirmation.

import type { RequestOutcome } from "../../protocol/client/pending-requests.ts";
import type { Action, ActionRequest, ActionResult } from "../../protocol/index.ts";
import type { ToolContext } from "../../core/tools/context.ts";
import { reportWait } from "../../core/tools/progress.ts";

export interface SendOptions {
  /** The request is a step of its own beside the one that the key is for. */
  readonly withoutKey?: boolean;
  /** What the request does, for its progress: a sentence without its full stop. "Sent" if absent. */
  readonly what?: string;
}

/** As PubSub.request. Throws the reason of the call's signal if the client has cancelled the call: then nothing is sent. */
export type Send = <Name extends Action>(
  action: Name,
  payload: ActionRequest<Name>,
  options?: SendOptions,
) => Promise<RequestOutcome<ActionResult<Name>>>;

export function senderOf(context: ToolContext, idempotencyKey: string | undefined): Send {
  const { pubsub, signal, configuration } = context;
  return (action, payload, { withoutKey = false, what = "Sent" } = {}) => {
    const operationId = withoutKey ? undefined : idempotencyKey;
    const outcome = pubsub.request(action, payload, { operationId, signal });
    const limitMs = configuration.backend.confirmTimeoutMs;
    return reportWait(outcome, context, { what: `${what}, waits for the market's confirmation`, limitMs });
  };
}
