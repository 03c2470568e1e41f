// The positions of an entity, as a backend gives them over HTTP.

import { z } from "zod";

export const MARK_SOURCES = ["book", "trade", "spot"] as const;

const dollars = (description?: string) =>
  description === undefined ? z.number() : z.number().describe(`${description}, dollars`);
const quantity = (description: string) => z.number().describe(`${description}, MW`);
const energy = (description: string) => z.number().describe(`${description}, MWh`);

/** Null if the acting user may not see credit. */
const creditUsed = z.number().nullable().describe(
  "Gross notional of open trades at face value, dollars; null without Credit.View",
);

export const contractPosition = z.looseObject({
  contractId: z.string(),
  node: z.string().optional(),
  deliveryStart: z.iso.datetime(),
  deliveryEnd: z.iso.datetime(),
  netQuantity: quantity("Bought less sold"),
  netEnergy: energy("Bought less sold"),
  boughtQuantity: quantity("Bought"),
  soldQuantity: quantity("Sold"),
  averagePrice: z.number().nullable().describe("Average price of the open position, cents/MWh; null if flat"),
  cash: dollars("Received less paid"),
  mark: z.number().describe("Price at which the position is valued, cents/MWh"),
  markSource: z.enum(MARK_SOURCES).describe(
    "book: mid of best bid and ask; trade: last price; spot: mean of the spot prices during delivery",
  ),
  realisedProfit: dollars("Profit of what was bought and sold again, and of a delivered position"),
  unrealisedProfit: dollars("Profit of the open position at its mark"),
  profit: dollars("Realised and unrealised"),
  creditUsed,
});
export type ContractPosition = z.infer<typeof contractPosition>;

export const positionTotals = z.looseObject({
  netQuantity: z.number().nullable().describe(
    "Sum over the contracts whose delivery has not ended, MW; null if their delivery times differ",
  ),
  netEnergy: energy("Sum over the contracts whose delivery has not ended"),
  cash: dollars("Received less paid, settled contracts included"),
  realisedProfit: dollars("Settled contracts included"),
  unrealisedProfit: dollars(),
  profit: dollars("Realised and unrealised"),
  creditUsed,
  settled: z.looseObject({ contracts: z.number().int(), profit: dollars() }).describe(
    "Contracts that have left the market",
  ),
});

export const positionsResponse = z.looseObject({
  entityId: z.string(),
  asOf: z.iso.datetime(),
  positions: z.array(contractPosition).describe("Every contract of the market that it traded, earliest delivery first"),
  totals: positionTotals,
});
export type EntityPositions = z.infer<typeof positionsResponse>;
