// Simulated spot prices of the two nodes, and market events that move them.

import { z } from "zod";
import { MAX_HISTORY_HOURS, type SpotResponse, triggerEventRequest } from "../../protocol/index.ts";
import { ToolError } from "../../core/error.ts";
import { idField } from "../../core/tools/fields.ts";
import { reportWait } from "../../core/tools/progress.ts";
import { defineTool, READ_ONLY } from "../../core/tools/tool.ts";
import { didYouMeanOne } from "../toolkit/meaning.ts";
import { viewUri } from "../toolkit/view-resource.ts";
import { defineCommand } from "./command.ts";
import { ANSWER } from "./persona-progress.ts";

/** The price is in cents/MWh. */
const spotPoint = { time: z.string(), price: z.int(), regime: z.string() };
const spotEvent = z.record(z.string(), z.unknown());

const getSpotPrices = defineTool({
  name: "mkt_sim_get_spot_prices",
  title: "Simulated spot prices",
  description:
    "Gives the simulated spot prices of the two nodes (cents/MWh): now and hourly, with regime, and the active " +
    "market events. Needs no connection. Live: mkt_watch_book. To move prices: mkt_sim_trigger_event.",
  input: z.strictObject({
    hours: z.int().min(0).max(MAX_HISTORY_HOURS).default(24).describe("Hours of history; 24 if absent"),
    node: idField("Only this price node").optional(),
  }),
  output: () =>
    z.looseObject({
      status: z.string(),
      nodes: z.array(z.looseObject({ node: z.string(), ...spotPoint, history: z.array(z.looseObject(spotPoint)) }))
        .describe("cents/MWh"),
      congested: z.boolean().describe("Whether the line between the nodes is full"),
      events: z.array(spotEvent).describe("node null: both; remaining: share of the effect"),
    }),
  annotations: READ_ONLY,
  view: viewUri("spot-prices"),
  handler: async ({ hours, node }, context) => {
    const { simulator, signal } = context;
    const { status, nodes, congested, events } = await reportWait(simulator.spot(hours, signal), context, ANSWER);
    const shown = node === undefined ? nodes : [nodeOf(nodes, node)];
    return { status, nodes: shown.map(shownNode), congested, events };
  },
});

type SpotNode = SpotResponse["nodes"][number];
type SpotPoint = SpotNode["history"][number];

function shownNode({ node, history, ...now }: SpotNode) {
  return { node, ...shownPoint(now), history: history.map(shownPoint) };
}

function shownPoint({ time, price, regime }: SpotPoint) {
  return { time, price, regime };
}

/** Throws ToolError `not_found`. */
function nodeOf(nodes: readonly SpotNode[], name: string): SpotNode {
  const found = nodes.find(({ node }) => node.toLowerCase() === name.trim().toLowerCase());
  if (found !== undefined) return found;
  const names = nodes.map(({ node }) => node).join(", ");
  throw new ToolError(
    "not_found",
    `There is no price node ${JSON.stringify(name)}.`,
    `${didYouMeanOne(name, nodes.map(({ node }) => node))}Give one of ${names}, or leave node out for both.`,
  );
}

const { type, size, durationHours } = triggerEventRequest.shape;

/** The request of the protocol, with shorter descriptions. */
const triggerInput = triggerEventRequest.extend({
  type: type.describe("What happens"),
  node: idField("Price node; both if absent").optional(),
  size: size.describe("1 is typical"),
  durationHours: durationHours.describe("Of market time; 6 if absent"),
});

const triggerEvent = defineCommand({
  name: "mkt_sim_trigger_event",
  title: "Trigger a market event",
  description:
    "Starts a market event that moves spot prices at once, then fades. Each call adds one. Needs Market.Operate and a " +
    "running simulation (mkt_sim_start). Next: mkt_sim_get_spot_prices.",
  input: triggerInput,
  fields: { event: spotEvent.nullable() },
  annotations: { destructiveHint: false, idempotentHint: false },
  run: async (request, context) => {
    const { simulator, signal } = context;
    const outcome = await reportWait(simulator.trigger(request, signal), context, ANSWER);
    if (outcome.kind !== "ok") return outcome;
    const { event } = outcome.result;
    const where = event.node === null ? "both nodes" : `node ${event.node}`;
    return { status: "success", message: `${event.type} acts on ${where}, as expected until ${event.endsAt}.`, event };
  },
  fieldsOfFailure: { event: null },
});

export default [getSpotPrices, triggerEvent];
