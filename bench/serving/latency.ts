// Latencies of mkt at half of the rate that it reaches with 8 busy connections, and of the echo at the same rate.

import { aligned, duration, grouped } from "../table.ts";
import type { Comparison } from "./comparison.ts";
import type { Fleet } from "./fleet.ts";
import { latencies, percentile } from "./open-load.ts";
import { median } from "./rounds.ts";

const CASE = "mkt_get_order";
const SHARES = [0.5, 0.99, 0.999] as const;
const MEASURED = ["mkt", "hono echo"] as const;
type Measured = (typeof MEASURED)[number];

interface Latency {
  readonly perSecond: number;
  /** Milliseconds at each of the shares. */
  readonly percentiles: Readonly<Record<Measured, readonly number[]>>;
  /** Processor time of the server for each call. */
  readonly microseconds: Readonly<Record<Measured, number>>;
}

export async function measureLatency(
  fleet: Fleet,
  { cases }: Comparison,
  { seconds, rounds }: { readonly seconds: number; readonly rounds: number },
): Promise<Latency> {
  const perSecond = Math.floor(median((cases[CASE]?.mkt ?? []).map(({ callsPerSecond }) => callsPerSecond)) / 2);
  const samples: Record<Measured, Float64Array[]> = { mkt: [], "hono echo": [] };
  const processorUs: Record<Measured, number> = { mkt: 0, "hono echo": 0 };
  for (let round = 0; round < rounds; round += 1) {
    for (const server of MEASURED) {
      const { connections, requests, usage, check } = await fleet.side(server, [CASE]);
      const before = await usage();
      samples[server].push(await latencies(connections, requests, { perSecond, seconds }));
      processorUs[server] += (await usage()).processorMicroseconds - before.processorMicroseconds;
      await check();
    }
  }
  const each = <Value>(valueOf: (server: Measured) => Value) =>
    Object.fromEntries(MEASURED.map((server) => [server, valueOf(server)])) as Record<Measured, Value>;
  const sorted = each((server) => sortedTogether(samples[server]));
  return {
    perSecond,
    percentiles: each((server) => SHARES.map((share) => percentile(sorted[server], share))),
    microseconds: each((server) => processorUs[server] / sorted[server].length),
  };
}

function sortedTogether(samples: readonly Float64Array[]): Float64Array {
  const all = new Float64Array(samples.reduce((length, sample) => length + sample.length, 0));
  let at = 0;
  for (const sample of samples) {
    all.set(sample, at);
    at += sample.length;
  }
  return all.sort();
}

export function latencyTable({ perSecond, percentiles, microseconds }: Latency): string {
  const rows = MEASURED.map((server) => [
    server,
    ...percentiles[server].map((milliseconds) => duration(milliseconds * 1e6)),
    duration(microseconds[server] * 1000),
  ]);
  const header = ["server", ...SHARES.map((share) => `p${share * 100}`), "processor time"];
  return `Latency of ${CASE} at ${grouped(perSecond)} calls/s, half of the rate above:\n\n${aligned(header, rows)}`;
}
