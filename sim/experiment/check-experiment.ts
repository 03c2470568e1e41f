// Checks an experiment against its market: what the schema can't know. One line for each fault, with its path.

import type { MarketDefinition } from "../../engine/definition/market-definition.ts";
import { populationFaults } from "../population/create-personas.ts";
import type { ScheduledSpotEvent } from "../personas/settings.ts";
import { assetFaults } from "./asset-faults.ts";
import { MAX_EVENTS } from "../spot/spot-events.ts";
import { spotNodes } from "../spot/market-spot.ts";
import type { Experiment } from "./experiment.ts";

/** `startTime` in milliseconds since the epoch. */
export function experimentFaults(
  experiment: Experiment,
  definition: MarketDefinition,
  startTime: number,
): string[] {
  const { personas, events } = experiment;
  const nodes = spotNodes(definition);
  return [
    ...populationFaults(personas, definition),
    ...assetFaults(experiment, nodes),
    ...nodeFaults(events, nodes),
    ...crowdFaults(events),
    ...startFaults(definition, startTime),
  ];
}

function nodeFaults(events: readonly ScheduledSpotEvent[], nodes: readonly string[]): string[] {
  return events.flatMap(({ node }, index) => {
    if (typeof node !== "string" || nodes.includes(node)) return [];
    return [`events[${index}].node: no node "${node}" with a spot price; use one of ${nodes.join(", ")}`];
  });
}

/** The first event that begins while as many are active as can be. */
function crowdFaults(events: readonly ScheduledSpotEvent[]): string[] {
  const index = events.findIndex(({ afterHours: time }) =>
    events.filter(({ afterHours, durationHours }) => afterHours <= time && time < afterHours + durationHours).length >
      MAX_EVENTS
  );
  if (index < 0) return [];
  const time = events[index]?.afterHours;
  return [`events[${index}]: more than ${MAX_EVENTS} events are active ${time} hours after the start; use fewer`];
}

/** Whether anything can be traded from the start on. */
function startFaults(definition: MarketDefinition, startTime: number): string[] {
  const nodes = spotNodes(definition);
  const products = definition.products.filter(({ node }) => nodes.includes(node));
  if (products.some(({ listing }) => listing !== undefined)) return [];
  const ids = new Set(products.map(({ id }) => id));
  const deliveries = definition.contracts.filter(({ productId }) => ids.has(productId))
    .map(({ deliveryStart }) => Date.parse(deliveryStart));
  if (deliveries.length === 0) return [`market: no contract is at a node with a spot price: ${nodes.join(", ")}`];
  const last = Math.max(...deliveries);
  if (last > startTime) return [];
  const [from, until] = [startTime, last].map((time) => new Date(time).toISOString());
  return [`start: nothing is left to trade at ${from}: the last delivery begins at ${until}`];
}
