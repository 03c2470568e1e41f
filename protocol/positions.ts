// The positions of an entity, as a backend gives them over HTTP. docs/market-rules.md ("Positions") defines each figure.

import { z } from "zod";

/** The mid of best bid and best ask, the last price, or the mean of the spot prices during delivery. */
const MARK_SOURCES = ["book", "trade", "spot"] as const;

const megawatts = z.number().describe("MW");
const megawattHours = z.number().describe("MWh");
const price = z.number().describe("cents/MWh");
const dollars = z.number().describe("dollars");

/** Realised profit includes that of delivered positions; `profit` is the sum. */
const profits = { realisedProfit: dollars, unrealisedProfit: dollars, profit: dollars };
/** Gross notional of open trades at face value. Null if the acting user may not see credit. */
const creditUsed = z.number().nullable().describe("dollars");

export const contractPosition = z.looseObject({
  contractId: z.string(),
  node: z.string().optional(),
  deliveryStart: z.iso.datetime(),
  deliveryEnd: z.iso.datetime(),
  /** Absent: UTC. */
  timezone: z.string().optional().describe("IANA name: of the contract's market"),
  netQuantity: megawatts,
  netEnergy: megawattHours,
  boughtQuantity: megawatts,
  soldQuantity: megawatts,
  /** Null if the position is flat. */
  averagePrice: z.number().nullable().describe("cents/MWh"),
  cash: dollars,
  mark: price,
  markSource: z.enum(MARK_SOURCES),
  ...profits,
  creditUsed,
});
export type ContractPosition = z.infer<typeof contractPosition>;

/** Cash and profits include settled contracts: those that have left the market. */
export const positionTotals = z.looseObject({
  /** Of the contracts whose delivery has not ended; null if their delivery times differ. */
  netQuantity: z.number().nullable().describe("MW"),
  netEnergy: megawattHours,
  cash: dollars,
  ...profits,
  creditUsed,
  settled: z.looseObject({ contracts: z.int(), profit: dollars }),
});

export const positionsResponse = z.looseObject({
  entityId: z.string(),
  asOf: z.iso.datetime(),
  positions: z.array(contractPosition).describe(
    "Contracts of the market that the entity traded, earliest delivery first",
  ),
  totals: positionTotals,
});
export type EntityPositions = z.infer<typeof positionsResponse>;
