// The simulation without its personas, as the results of start, stop and status hold it.

import { z } from "zod";
import { hundredths } from "../../common/rounding.ts";
import { SIMULATION_STATUSES, type SimulationStatus } from "../../protocol/index.ts";

export const summaryFields = {
  status: z.enum(SIMULATION_STATUSES),
  preset: z.string().nullable(),
  seed: z.int().nullable().describe("Of the run; null without Market.Operate"),
  speed: z.number().nullable().describe("0 in lockstep"),
  marketTime: z.string().nullable().optional(),
  startedAt: z.string().nullable(),
  simulatedTime: z.string().nullable(),
  failure: z.string().optional(),
  nothingToTrade: z.string().optional(),
  totals: z.record(z.string(), z.unknown()),
  metrics: z.record(z.string(), z.unknown()).describe("Percent"),
  reasons: z.record(z.string(), z.string()).optional().describe("Why a metric is null"),
  bookSamples: z.record(z.string(), z.unknown()).optional(),
  marks: z.record(z.string(), z.unknown()).optional().describe("What values the positions: contracts by source"),
};
type Summary = z.output<z.ZodObject<typeof summaryFields, z.core.$strip>>;

/** `failure`, `nothingToTrade` and `reasons` are absent if there is nothing to say. */
export function summaryOf(simulation: Pick<SimulationStatus, keyof Summary & string>): Summary {
  const { failure, nothingToTrade, metrics, reasons = {} } = simulation;
  const shown: Record<string, unknown> = {
    ...simulation,
    failure: failure ?? undefined,
    nothingToTrade: nothingToTrade ?? undefined,
    metrics: Object.fromEntries(Object.entries(metrics).map(([name, value]) => [name, rounded(value)])),
    reasons: Object.keys(reasons).length > 0 ? reasons : undefined,
  };
  const fields = Object.keys(summaryFields).map((name) => [name, shown[name]] as const);
  return Object.fromEntries(fields.filter(([, value]) => value !== undefined)) as Summary;
}

/** A number with two decimals; any other value unchanged. */
function rounded(value: unknown): unknown {
  return typeof value === "number" ? hundredths(value) : value;
}
