// Simulated spot prices of the two nodes, and market events that move them.

import { z } from "zod";
import {
  MAX_HISTORY_HOURS,
  type SpotResponse,
  spotResponse,
  triggerEventRequest,
  triggerEventResponse,
} from "../../protocol/index.ts";
import { ToolError } from "../../core/error.ts";
import { idField } from "../../core/tools/fields.ts";
import { defineTool, READ_ONLY } from "../../core/tools/tool.ts";
import { defineCommand } from "./command.ts";

const getSpotPrices = defineTool({
  name: "mkt_sim_get_spot_prices",
  title: "Simulated spot prices",
  description:
    "Gives the simulated spot prices of the two nodes (cents/MWh) with regime and recent hours, whether the " +
    "line between the nodes is congested, and the market events that act now. Needs no connection. For live changes: " +
    "mkt_watch_book, event change.spot. To move prices: mkt_sim_trigger_event.",
  input: z.strictObject({
    hours: z.int().min(0).max(MAX_HISTORY_HOURS).default(24).describe(
      `Hours of history, simulated time: 0 to ${MAX_HISTORY_HOURS}, 24 if absent`,
    ),
    node: idField("Only this price node; both if absent").optional(),
  }),
  output: spotResponse,
  annotations: READ_ONLY,
  handler: async ({ hours, node }, { simulator, signal }) => {
    const spot = await simulator.spot(hours, signal);
    return node === undefined ? spot : { ...spot, nodes: [nodeOf(spot, node)] };
  },
});

/** Throws ToolError `not_found`. */
function nodeOf({ nodes }: SpotResponse, name: string): SpotResponse["nodes"][number] {
  const found = nodes.find(({ node }) => node === name);
  if (found !== undefined) return found;
  const names = nodes.map(({ node }) => node).join(", ");
  throw new ToolError(
    "not_found",
    `There is no price node ${JSON.stringify(name)}.`,
    `Give one of ${names}, or leave node out for both.`,
  );
}

const triggerEvent = defineCommand({
  name: "mkt_sim_trigger_event",
  title: "Trigger a market event",
  description:
    "Starts a market event that moves the simulated spot prices of one node or both. It acts at once and fades over " +
    "its duration in simulated hours. Needs Market.Operate and a running simulation (mkt_sim_start). Each call adds " +
    "another event. Next: mkt_sim_get_spot_prices shows node names and the effect.",
  input: triggerEventRequest.extend({ node: idField("Price node that the event acts on; both if absent").optional() }),
  fields: { event: triggerEventResponse.shape.event.nullable().describe("The event; null on failure") },
  annotations: { destructiveHint: false, idempotentHint: false },
  run: async (request, { simulator, signal }) => {
    const outcome = await simulator.trigger(request, signal);
    if (outcome.kind !== "ok") return outcome;
    const { event } = outcome.result;
    const where = event.node === null ? "both nodes" : `node ${event.node}`;
    return { status: "success", message: `${event.type} acts on ${where} until ${event.endsAt}.`, event };
  },
  fieldsOfFailure: { event: null },
});

export default [getSpotPrices, triggerEvent];
