// Halts and resumes a market. Both need Market.Operate.

import { z } from "zod";
import { MARKET_STATUSES } from "../../protocol/modules/registry.ts";
import { idField, textField } from "../../core/tools/fields.ts";
import type { ActionResult } from "../../protocol/index.ts";
import type { RequestOutcome } from "../../protocol/client/pending-requests.ts";
import { marketOf } from "../toolkit/lookup.ts";
import { defineMutation, textOf } from "../toolkit/mutation.ts";

const OPERATOR = { connection: "write", permissions: ["Market.Operate"] } as const;

const input = z.strictObject({
  marketId: idField("Market id; the default market if absent").optional(),
  reason: textField("Reason, for the backend's log; up to 1000 characters").optional(),
});

const fields = {
  marketId: z.string().nullable().describe("Market id; null if unknown"),
  marketStatus: z.enum(MARKET_STATUSES).nullable().describe("Status of the market afterwards; null if unknown"),
};

const fieldsOfFailure = ({ marketId }: Readonly<Record<string, unknown>>) => ({
  marketId: textOf(marketId),
  marketStatus: null,
});

const afterTimeout = () => "mkt_get_market_state shows whether it took effect.";

async function resultOf(request: Promise<RequestOutcome<ActionResult<"market.halt">>>) {
  const outcome = await request;
  if (outcome.kind !== "ok") return outcome;
  const { marketId, marketStatus } = outcome.result;
  const message = `Market ${marketId} is ${marketStatus}.`;
  return { status: "success" as const, message, marketId, marketStatus };
}

const haltMarket = defineMutation({
  name: "mkt_halt_market",
  title: "Halt a market",
  description: "Stops all matching in a market at once. New orders are held; orders can be cancelled. Needs " +
    "mkt_connect_pubsub and Market.Operate. Halting a halted market succeeds and changes nothing. To undo: " +
    "mkt_resume_market.",
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
  run: (payload, { pubsub }, options) => resultOf(pubsub.request("market.halt", payload, options)),
  fieldsOfFailure,
  afterTimeout,
});

const resumeMarket = defineMutation({
  name: "mkt_resume_market",
  title: "Resume a market",
  description:
    "Ends a halt and gives the market the status of its schedule. If that is open, held orders are released and " +
    "matched; if it is closed, day orders expire. Needs mkt_connect_pubsub and Market.Operate. For a market that is not " +
    "halted it succeeds and changes nothing.",
  input,
  fields,
  annotations: { destructiveHint: true, idempotentHint: true },
  requires: OPERATOR,
  run: (payload, { pubsub }, options) => resultOf(pubsub.request("market.resume", payload, options)),
  fieldsOfFailure,
  afterTimeout,
});

export default [haltMarket, resumeMarket];
