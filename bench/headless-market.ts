// Messages per second of whole headless markets, and how their cost grows with the number of personas. A message is an order,
// a change or a cancel that reaches the exchange. A run first goes on until its books are full, and is measured then.
//
// rmsc04 is the configuration of ABIDES (Byrd, Hybinette & Balch 2020) with 1,117 agents: 1,000 noise agents, 102 value
// agents, 12 momentum agents, 2 market makers and the exchange. Here noise agents are ZIC traders; value agents are GVWY, ZIP
// and AA traders, which trade around a value of their own; and a third market maker stands for the exchange. ABIDES's figure
// counts every message between its agents, also those of market data, and was measured on another two-core machine.
//
// Claims: at least ABIDES's messages per second with 1,117 personas; at least 15,000 with 4,000; a message costs at most twice
// as much with 4,000 ZIC traders as with 250; a simulated year in minutes, and the memory of its later thirds is that of the
// first.

import { ok } from "node:assert";
import { heapStats } from "bun:jsc";
import rmsc04 from "../docs/examples/rmsc04.json" with { type: "json" };
import { builtInMarket } from "../engine/definition/built-in-market.ts";
import { presetExperiment } from "../sim/experiment/read-experiment.ts";
import { HeadlessRun } from "../sim/headless/headless-run.ts";
import { startTimeOf } from "../sim/experiment/start-time.ts";
import { marketSpotPrices } from "../sim/spot/market-spot.ts";
import { type Clock, timed } from "./stopwatch.ts";
import { aligned, duration, grouped, threeDigits } from "./table.ts";

export interface HeadlessSizes {
  /** Divides the numbers of personas. */
  readonly fewerPersonas: number;
  /** Wake-ups for each persona before, and while it is measured. */
  readonly wakeUps: number;
  /** The preset and the length of the long run. */
  readonly longRun: { readonly preset: "calm" | "thin"; readonly days: number };
}

type Groups = readonly { readonly strategy: string; readonly count: number }[];

interface Population {
  readonly name: string;
  readonly groups: Groups;
  /** Messages per second. */
  readonly limit: number;
  readonly source: string;
}

const ABIDES = 31_800;
const ZIC_MAKERS = 3;
const DAY_MS = 86_400_000;
const STEPS = 10_000;
const SEED = 1;

const POPULATIONS: readonly Population[] = [
  { name: "1,117 of rmsc04", groups: rmsc04.personas, limit: ABIDES, source: "ABIDES" },
  { name: "4,000 of rmsc04", groups: scaled(rmsc04.personas, 4_000 / 1_117), limit: 15_000, source: "claim" },
  { name: "4,000 ZIC", groups: zicTraders(4_000), limit: 15_000, source: "claim" },
];
const ZIC_COUNTS = [250, 1_000, 4_000] as const;

export function headlessTables(sizes: HeadlessSizes, clock: Clock): string[] {
  const costOf = (groups: Groups) => messageCost(scaled(groups, 1 / sizes.fewerPersonas), sizes.wakeUps, clock);
  const zic = ZIC_COUNTS.map((count) => costOf(zicTraders(count)));
  return [
    "Messages per second of a headless market. ABIDES was measured on another machine.",
    aligned(
      ["personas", "mkt", "limit", "", "mkt / limit"],
      POPULATIONS.map(({ name, groups, limit, source }) => {
        const rate = 1e9 / costOf(groups);
        return [name, grouped(Math.round(rate / 100) * 100), grouped(limit), source, threeDigits(rate / limit)];
      }),
    ),
    "Cost of one message, by number of ZIC traders, who listen to nobody.",
    aligned(
      ["strategy", ...ZIC_COUNTS.map(grouped), "4,000 / 250"],
      [["ZIC", ...zic.map(duration), threeDigits((zic[2] ?? NaN) / (zic[0] ?? NaN))]],
    ),
    ...longRunTables(sizes, clock),
  ];
}

/** Nanoseconds of a message, once the books are full. */
function messageCost(groups: Groups, wakeUps: number, clock: Clock): number {
  const run = runOf(groups);
  const steps = wakeUps * run.personas.length;
  run.advance(steps);
  const before = run.messages;
  let laps = 0;
  const { nanoseconds } = timed(clock, () => () => {
    laps += 1;
    run.advance(steps);
  });
  const messages = run.messages - before;
  ok(messages > 0 && run.openOrders > 0, "nobody has sent orders");
  return nanoseconds * laps / messages;
}

/** Processor time and memory of the thirds of a long run. */
function longRunTables({ longRun: { preset, days } }: HeadlessSizes, clock: Clock): string[] {
  const run = runOf(presetExperiment(preset).personas, preset);
  const start = run.time;
  const thirds = [1, 2, 3].map((third) => {
    const end = start + third * days * DAY_MS / 3;
    const before = clock.now();
    while (!run.advanceTo(end, STEPS)) continue;
    // A time shorter than a step of the clock counts as a step.
    const seconds = Math.max(clock.now() - before, clock.tickNs) / 1e9;
    Bun.gc(true);
    return { secondsPerDay: seconds / (days / 3), heap: heapStats().heapSize };
  });
  const mean = thirds.reduce((sum, { secondsPerDay }) => sum + secondsPerDay, 0) / thirds.length;
  const megabytes = thirds.map(({ heap }) => threeDigits(heap / 1e6));
  return [
    `${grouped(days)} simulated days of the preset ${preset}, in thirds: processor time, and memory after each.`,
    aligned(
      ["", "first", "second", "third", "a year at this rate"],
      [
        [
          "a day",
          ...thirds.map(({ secondsPerDay }) => `${threeDigits(secondsPerDay)} s`),
          `${threeDigits(mean * 365 / 60)} minutes`,
        ],
        ["memory", ...megabytes.map((size) => `${size} MB`), ""],
      ],
    ),
  ];
}

function runOf(personas: Groups, preset: "calm" | "thin" = "calm"): HeadlessRun {
  const definition = builtInMarket();
  const startTime = startTimeOf(definition);
  const spot = marketSpotPrices(definition, SEED, startTime);
  const experiment = { ...presetExperiment(preset), personas: [...personas] };
  return new HeadlessRun({ definition, startTime, seed: SEED, experiment, spot });
}

function zicTraders(count: number): Groups {
  return [{ strategy: "zic", count: count - ZIC_MAKERS }, { strategy: "avellaneda-stoikov", count: ZIC_MAKERS }];
}

function scaled(groups: Groups, factor: number): Groups {
  return groups.map(({ strategy, count }) => ({ strategy, count: Math.max(1, Math.round(count * factor)) }));
}
