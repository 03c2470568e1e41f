// Measures servers in turn, in short rounds, and compares them by the median of the rounds' ratios. So other work on the
// machine affects both sides alike, and a single disturbed round changes nothing.

import type { Usage } from "./probe.ts";
import type { Connection } from "./connection.ts";
import { drive, forMs, type Prepared } from "./load.ts";

/** A server under load, with the requests of one case. */
export interface Side {
  readonly connections: readonly Connection[];
  readonly usage: () => Promise<Usage>;
  readonly requests: readonly Prepared[];
  /** Opens connections again that were idle for too long, and throws unless the server's answers are right. */
  readonly check: () => Promise<void>;
}

export interface Round {
  readonly calls: number;
  readonly callsPerSecond: number;
  /** Processor time of the server for each call. */
  readonly microseconds: number;
  /** Processor time of the load generator for each call. */
  readonly generatorMicroseconds: number;
}

export interface RoundLength {
  readonly milliseconds: number;
  /** Enough for a processor clock that ticks in 10 ms. */
  readonly minProcessorMs: number;
}

export async function measureRound(side: Side, { milliseconds, minProcessorMs }: RoundLength): Promise<Round> {
  await side.check();
  let [calls, processorUs, generatorUs, elapsedMs] = [0, 0, 0, 0];
  do {
    const before = await side.usage();
    const own = process.cpuUsage();
    const began = performance.now();
    calls += await drive(side.connections, side.requests, forMs(milliseconds));
    elapsedMs += performance.now() - began;
    const { user, system } = process.cpuUsage(own);
    generatorUs += user + system;
    processorUs += (await side.usage()).processorMicroseconds - before.processorMicroseconds;
  } while (processorUs < minProcessorMs * 1000);
  await side.check();
  return {
    calls,
    callsPerSecond: calls / elapsedMs * 1000,
    microseconds: processorUs / calls,
    generatorMicroseconds: generatorUs / calls,
  };
}

/** Measures the sides in turn; each other cycle goes backwards, so no side always follows the same one. */
export async function measureInTurn<Name extends string>(
  sides: Readonly<Record<Name, Side>>,
  cycles: number,
  length: RoundLength,
): Promise<Record<Name, readonly Round[]>> {
  const names = Object.keys(sides) as Name[];
  const rounds = Object.fromEntries(names.map((name) => [name, []])) as unknown as Record<Name, Round[]>;
  for (let cycle = 0; cycle < cycles; cycle += 1) {
    for (const name of cycle % 2 === 0 ? names : names.toReversed()) {
      rounds[name].push(await measureRound(sides[name], length));
    }
  }
  return rounds;
}

interface Ratios {
  /** Processor time of the peer for each call, divided by that of mkt. */
  readonly processor: number;
  /** Calls a second of mkt, divided by those of the peer. */
  readonly rate: number;
}

/** Above 1: mkt is faster. */
export function ratiosOf(mkt: readonly Round[], peer: readonly Round[]): Ratios {
  return {
    processor: median(mkt.map((round, at) => (peer[at]?.microseconds ?? NaN) / round.microseconds)),
    rate: median(mkt.map((round, at) => round.callsPerSecond / (peer[at]?.callsPerSecond ?? NaN))),
  };
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}
