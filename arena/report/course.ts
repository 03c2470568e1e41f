// The course of an episode, from its record: prices of the contract that the agent traded most, its orders, its position and
// its result.

import { z } from "zod";
import { CENTS_PER_DOLLAR } from "../../engine/market/units.ts";
import { readRecord } from "../record/episode-record.ts";
import type { AnsweredCall } from "../server/episode-dispatcher.ts";

/** Milliseconds since the epoch, and a value. */
type Timed = readonly [time: number, value: number];

export interface Course {
  /** Null if nothing was traded. */
  readonly contractId: string | null;
  /** $/MWh */
  readonly trades: readonly Timed[];
  readonly buyOrders: readonly Timed[];
  readonly sellOrders: readonly Timed[];
  /** MW */
  readonly positions: readonly Timed[];
  /** Dollars */
  readonly results: readonly Timed[];
  readonly calls: readonly AnsweredCall[];
}

const tradeLine = z.object({ time: z.string(), contractId: z.string(), price: z.number() });
const standingLine = z.object({ time: z.string(), result: z.number(), positions: z.record(z.string(), z.number()) });
type Standing = z.infer<typeof standingLine>;
const orderInput = z.looseObject({ contractId: z.string(), side: z.string(), price: z.number() });

/** Throws an Error of one line if the record is not complete. */
export function courseOf(folder: string): Course {
  const { calls, tape } = readRecord(folder);
  const lines = tape.split("\n").slice(0, -1).map((line): unknown => JSON.parse(line));
  const standings = ofKind(standingLine, lines);
  const trades = ofKind(tradeLine, lines);
  const contractId = mostHeld(standings) ?? trades[0]?.contractId ?? null;
  const orders = calls.flatMap(({ time, input }) => {
    const read = orderInput.safeParse(input);
    return read.success && read.data.contractId === contractId ? [{ time, ...read.data }] : [];
  });
  const ordersOf = (side: string) =>
    orders.filter((order) => order.side === side).map(({ time, price }) => timed(time, price / CENTS_PER_DOLLAR));
  return {
    contractId,
    trades: trades.filter((trade) => trade.contractId === contractId)
      .map(({ time, price }) => timed(time, price / CENTS_PER_DOLLAR)),
    buyOrders: ordersOf("BUY"),
    sellOrders: ordersOf("SELL"),
    positions: standings.map(({ time, positions }) => timed(time, positions[contractId ?? ""] ?? 0)),
    results: standings.map(({ time, result }) => timed(time, result)),
    calls,
  };
}

function ofKind<Schema extends z.ZodType>(schema: Schema, lines: readonly unknown[]): z.infer<Schema>[] {
  return lines.flatMap((line) => {
    const read = schema.safeParse(line);
    return read.success ? [read.data] : [];
  });
}

/** The contract with the greatest position at any time. */
function mostHeld(standings: readonly Standing[]): string | null {
  let [held, most]: [string | null, number] = [null, 0];
  for (const { positions } of standings) {
    for (const [id, megawatts] of Object.entries(positions)) {
      if (Math.abs(megawatts) > most) [held, most] = [id, Math.abs(megawatts)];
    }
  }
  return held;
}

function timed(time: string, value: number): Timed {
  return [Date.parse(time), value];
}
