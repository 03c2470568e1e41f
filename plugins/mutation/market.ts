// Halts and resumes a market. Both need Market.Operate.

import { z } from "zod";
import type { ToolContext } from "../../core/tools/context.ts";
import { idField, textField } from "../../core/tools/fields.ts";
import type { ActionResult } from "../../protocol/index.ts";
import type { RequestOutcome } from "../../protocol/client/pending-requests.ts";
import { marketOf, withMeantId } from "../toolkit/lookup.ts";
import { defineMutation, textOf } from "../toolkit/mutation.ts";

export const OPERATOR = { connection: "write", permissions: ["Market.Operate"] } as const;

const input = z.strictObject({
  marketId: idField("Default: the default market").optional(),
  reason: textField("For the backend's log").optional(),
});

const fields = {
  marketId: z.string().nullable(),
  marketStatus: z.string().nullable(),
};

const fieldsOfFailure = ({ marketId }: Readonly<Record<string, unknown>>) => ({
  marketId: textOf(marketId),
  marketStatus: null,
});

const afterTimeout = () => "mkt_get_market_state shows whether it took effect.";

/** Not checked before it is sent: a halt must not wait for what this process knows of the market. */
async function resultOf(
  request: Promise<RequestOutcome<ActionResult<"market.halt">>>,
  named: string | undefined,
  { snapshot }: ToolContext,
) {
  const outcome = await request;
  if (outcome.kind !== "ok") return named === undefined ? outcome : withMeantId(outcome, snapshot, "MARKET", named);
  const { marketId, marketStatus } = outcome.result;
  const message = `Market ${marketId} is ${marketStatus}.`;
  return { status: "success" as const, message, marketId, marketStatus };
}

const haltMarket = defineMutation({
  name: "mkt_halt_market",
  title: "Halt a market",
  description:
    "Stops all matching in a market at once; new orders are held, cancels work. Needs mkt_connect_pubsub and " +
    "Market.Operate. mkt_resume_market ends it.",
  input,
  fields,
  annotations: { destructiveHint: true, idempotentHint: true },
  allowedWhenFrozen: true,
  requires: OPERATOR,
  question: ({ marketId, reason }, { snapshot }) => {
    const market = marketOf(snapshot, marketId);
    const why = reason === undefined ? "No reason was given." : `The reason given is ${JSON.stringify(reason)}.`;
    return `Halt market ${market.name} (${market.id})? All matching stops at once, for everyone. ${why}`;
  },
  run: (payload, context, send) => resultOf(send("market.halt", payload), payload.marketId, context),
  fieldsOfFailure,
  afterTimeout,
});

const resumeMarket = defineMutation({
  name: "mkt_resume_market",
  title: "Resume a market",
  description:
    "Ends a halt: the market gets the status of its schedule. If open, held orders are matched; if closed, day orders " +
    "expire. Needs mkt_connect_pubsub and Market.Operate.",
  input,
  fields,
  // Destructive: resuming into a closed session expires day orders.
  annotations: { destructiveHint: true, idempotentHint: true },
  requires: OPERATOR,
  run: (payload, context, send) => resultOf(send("market.resume", payload), payload.marketId, context),
  fieldsOfFailure,
  afterTimeout,
});

export default [haltMarket, resumeMarket];
