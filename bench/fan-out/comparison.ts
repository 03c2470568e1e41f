// Measures the engine and the bare server in turn, in short rounds, at one number of connections. So other work on the machine
// affects both sides alike. A figure is the median over the rounds.

import { aligned, grouped, threeDigits } from "../table.ts";
import { median } from "../serving/rounds.ts";
import type { Spawn } from "../serving/server-process.ts";
import type { Plan } from "./bare-plan.ts";
import { type Load, playRound, type Round } from "./round.ts";
import { BareSide, EngineSide, REQUESTERS } from "./sides.ts";

interface FanOutFigures {
  readonly connections: number;
  readonly engine: readonly Round[];
  /** A frame for each order to each connection. */
  readonly uncoalesced: readonly Round[];
  /** As many frames as the engine sends. */
  readonly coalesced: readonly Round[];
}

const SEED = 1;

/** A number of connections, and the orders of a round. */
interface Size {
  readonly connections: number;
  readonly orders: number;
}

/** `directory`: for the market, empty. `sizes`: by number of connections. */
export async function measureFanOut(
  spawn: Spawn,
  directory: string,
  sizes: readonly Size[],
  { outstanding, rounds, warmUp }: { outstanding: number; rounds: number; warmUp: number },
): Promise<FanOutFigures[]> {
  const engine = await EngineSide.start(spawn, directory, REQUESTERS, SEED);
  const bare = await BareSide.start(spawn, REQUESTERS);
  try {
    await playRound(engine, { orders: warmUp, outstanding });
    const figures: FanOutFigures[] = [];
    for (const { connections, orders } of sizes) {
      for (const side of [engine, bare]) await side.connectUpTo(connections);
      figures.push(await measureSize(engine, bare, { orders, outstanding }, rounds));
    }
    return figures;
  } finally {
    await engine.end();
    await bare.end();
  }
}

async function measureSize(engine: EngineSide, bare: BareSide, load: Load, rounds: number): Promise<FanOutFigures> {
  const { length: connections } = engine.connections;
  const figures = { connections, engine: [] as Round[], uncoalesced: [] as Round[], coalesced: [] as Round[] };
  const request = engine.nextRequest();
  const playBare = async (plan: Plan) => {
    bare.follow(plan, request);
    return await playRound(bare, load);
  };
  // The first round warms both up and is not counted.
  for (let round = 0; round <= rounds; round++) {
    const measured = await playRound(engine, load);
    const uncoalesced = await playBare(planOf(measured, false));
    const coalesced = await playBare(planOf(measured, true));
    if (round === 0) continue;
    figures.engine.push(measured);
    figures.uncoalesced.push(uncoalesced);
    figures.coalesced.push(coalesced);
  }
  return figures;
}

export function planOf({ updateBytes, updateFrames, responseBytes }: Round, coalesced: boolean): Plan {
  const ordersInUpdate = coalesced ? Math.max(1, Math.round(1 / updateFrames)) : 1;
  return {
    responseBytes: Math.round(responseBytes),
    updateBytes: Math.round(updateBytes * ordersInUpdate),
    ordersInUpdate,
  };
}

const HEADER = [
  "connections",
  "engine",
  "orders/s",
  "frames for each order",
  "bytes for each order",
  "bare server, a frame for each order",
  "ratio",
  "bare server, as many frames",
  "ratio",
];

export function fanOutTable(sizes: readonly FanOutFigures[]): string {
  const rows = sizes.map((figures) => {
    const of = (side: Exclude<keyof FanOutFigures, "connections">, name: keyof Round) =>
      median(figures[side].map((round) => round[name]));
    const engine = of("engine", "microseconds");
    const [each, together] = [of("uncoalesced", "microseconds"), of("coalesced", "microseconds")];
    return [
      grouped(figures.connections),
      `${threeDigits(engine)} µs`,
      grouped(Math.round(of("engine", "ordersPerSecond"))),
      threeDigits(of("engine", "updateFrames")),
      grouped(Math.round(of("engine", "updateBytes"))),
      `${threeDigits(each)} µs`,
      threeDigits(engine / each),
      `${threeDigits(together)} µs`,
      threeDigits(engine / together),
    ];
  });
  return [aligned(HEADER, rows), furtherTable(sizes)].join("\n\n");
}

/** What each further connection costs, against the smallest number of connections. */
function furtherTable([first, ...others]: readonly FanOutFigures[]): string {
  const rows = others.map((size) => {
    const further = size.connections - first!.connections;
    const cost = (side: "engine" | "uncoalesced" | "coalesced") =>
      (median(size[side].map(({ microseconds }) => microseconds)) -
        median(first![side].map(({ microseconds }) => microseconds))) / further;
    const [engine, each, together] = [cost("engine"), cost("uncoalesced"), cost("coalesced")];
    return [
      grouped(size.connections),
      `${threeDigits(engine)} µs`,
      `${threeDigits(each)} µs`,
      threeDigits(engine / each),
      `${threeDigits(together)} µs`,
      threeDigits(engine / together),
    ];
  });
  return aligned(["each further, up to", "engine", "a frame for each order", "ratio", "as many frames", "ratio"], rows);
}
