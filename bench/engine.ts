// A whole call of the engine, beside a bare operation of nodejs-order-book on the same flow, in the same run. The engine
// checks permission, idempotency, credit and documents, changes the market, and writes the texts of states, events,
// response and audit trail; the peer matches orders and knows none of this. No network and no disk.
//
// Figures: processor time of the thread, in alternating blocks of operations, of which the median counts; heap cells for
// each call; the engine's time by the number of resting orders and of entities. Both results are checked
// (engine/checks.ts), and a wrong one throws.
//
// Claims: a call costs at most twice the peer's operation at 100 resting orders, and has at most 60 heap cells; it costs the
// same within 1.5 at 100, 10,000 and 100,000 resting orders and with 10 and 200 entities.

import { cellsOf } from "./engine/cells.ts";
import { checkEngine, checkPeer } from "./engine/checks.ts";
import { Flow, type Kind } from "./engine/flow.ts";
import { EnginePlayer, PeerPlayer, type Player } from "./engine/players.ts";
import { Race } from "./engine/race.ts";
import { type Clock, measuringClock } from "./stopwatch.ts";
import type { StandaloneBench } from "./suite.ts";
import { aligned, duration, grouped, threeDigits } from "./table.ts";

interface EngineSizes {
  /**
   * Operations before anything is measured: by then closed orders and trades are forgotten as new ones come, and the runtime
   * has compiled what a call runs.
   */
  readonly warmUp: number;
  /** Operations of a block; a block of one kind has a quarter. */
  readonly block: number;
  /** Blocks of which the median counts. */
  readonly blocks: number;
  readonly restingOrders: readonly number[];
  readonly entities: readonly number[];
  /** Counts of heap cells, of which the greatest is shown. */
  readonly cellSamples: number;
}

const SIZES: EngineSizes = {
  warmUp: 100_000,
  block: 2_000,
  blocks: 25,
  restingOrders: [100, 10_000, 100_000],
  entities: [10, 200],
  cellSamples: 5,
};

const SEED = 1;
/** Orders that rest and entities while the engine is compared with the peer. */
const FEW_ORDERS = 100;
const FEW_ENTITIES = 10;
type Row = Kind | "mix";
/** In a cycle as many orders are cancelled as come to rest. */
const CYCLE = ["rest", "modify", "trade", "cancel"] as const;
const ROW_NAMES: Readonly<Record<Row, string>> = {
  mix: "the mix",
  rest: "an order that rests",
  trade: "an order that trades",
  cancel: "a cancel",
  modify: "a modify",
};

const SILENT_ROW = "the mix, if nobody listens";

export function engineTables(sizes: EngineSizes, clock: Clock = measuringClock()): string {
  return [
    "### engine",
    `A whole call and a bare operation of the peer on the same flow, with ${FEW_ORDERS} resting orders and ` +
    `${FEW_ENTITIES} entities. The mix is 55 % submits, of which most trade, 35 % cancels and 10 % modifies. If nobody ` +
    "listens, no texts are made; that engine plays the same blocks.",
    aligned(
      ["operation", "mkt", "nodejs-order-book", "mkt / peer", "heap cells of mkt"],
      peerRows(sizes, clock),
    ),
    "A call of the mix by number of resting orders, and its ratio to the peer's operation of above in the same blocks.",
    aligned(["entities", ...sizes.restingOrders.map(grouped)], sizeRows(sizes, clock)),
  ].join("\n\n");
}

/** A part of the flow, which is measured as one. */
interface Block {
  readonly row: Row;
  readonly from: number;
  readonly to: number;
}

function peerRows({ warmUp, block, blocks, cellSamples }: EngineSizes, clock: Clock): string[][] {
  const flow = new Flow(FEW_ENTITIES, FEW_ORDERS, SEED);
  flow.addMixed(warmUp);
  const warm = flow.operations.length;
  const timed = blocksOf(flow, block, blocks);
  const counted = blocksOf(flow, block, cellSamples);
  checkEngine(flow, FEW_ENTITIES);
  checkPeer(flow);

  const engine = new EnginePlayer(FEW_ENTITIES, flow.operations);
  const silent = new EnginePlayer(FEW_ENTITIES, flow.operations, { recorder: null });
  const players = [engine, new PeerPlayer(flow.operations, null), silent];
  for (const player of players) player.play(0, warm);
  const races = new Map(timed.map(({ row }) => [row, new Race(players, clock)]));
  for (const { row, from, to } of timed) races.get(row)?.run(from, to);
  const cells = cellsOfRows(counted, engine);
  const silentCells = cellsOfRows(counted, silent);
  const rows = [...races].map(([row, race]) => {
    const [mkt = NaN, peer = NaN] = race.medians.map((time) => time / lengthOf(row, block));
    return [ROW_NAMES[row], duration(mkt), duration(peer), threeDigits(mkt / peer), String(cells.get(row))];
  });
  const [, peer = NaN, mkt = NaN] = races.get("mix")?.medians.map((time) => time / block) ?? [];
  rows.push([SILENT_ROW, duration(mkt), duration(peer), threeDigits(mkt / peer), String(silentCells.get("mix"))]);
  return rows;
}

/** The greatest of a few counts, for each row. */
function cellsOfRows(blocks: readonly Block[], player: EnginePlayer): ReadonlyMap<Row, number> {
  const cells = new Map<Row, number>();
  for (const { row, from, to } of blocks) {
    player.prepare(from, to);
    const each = Math.round(cellsOf(() => player.play(from, to)) / (to - from));
    cells.set(row, Math.max(each, cells.get(row) ?? 0));
  }
  return cells;
}

/** Blocks of the mix, then cycles of blocks of one kind each. */
function blocksOf(flow: Flow, block: number, count: number): Block[] {
  const added = (row: Row): Block => {
    const length = lengthOf(row, block);
    const from = row === "mix" ? flow.addMixed(length) : flow.add(length, row);
    return { row, from, to: from + length };
  };
  const rows: Row[] = [...Array.from({ length: count }, () => "mix" as const)];
  for (let cycle = 0; cycle < count; cycle++) rows.push(...CYCLE);
  return rows.map(added);
}

function lengthOf(row: Row, block: number): number {
  return row === "mix" ? block : Math.ceil(block / 4);
}

/**
 * A time and its ratio to the peer's in the same blocks, whose flow stays that of few orders. Other work on the machine slows
 * both down, so the ratios are compared. Each size gets an engine of its own, and the others are gone by then.
 */
function sizeRows(sizes: EngineSizes, clock: Clock): string[][] {
  const { restingOrders, entities } = sizes;
  const rows = entities.map((parties) => restingOrders.map((resting) => sizeFigures(parties, resting, sizes, clock)));
  const ratios = rows.flat().map(({ ratio }) => ratio);
  return [
    ...rows.map((row, at) => [
      grouped(entities[at] ?? NaN),
      ...row.map(({ nanoseconds, ratio }) => `${duration(nanoseconds)} · ${threeDigits(ratio)}`),
    ]),
    ["greatest / least", threeDigits(Math.max(...ratios) / Math.min(...ratios))],
  ];
}

function sizeFigures(parties: number, resting: number, { warmUp, block, blocks }: EngineSizes, clock: Clock) {
  const flow = new Flow(parties, resting, SEED);
  const few = new Flow(FEW_ENTITIES, FEW_ORDERS, SEED);
  const engineFrom = flow.addMixed(warmUp) + warmUp;
  const peerFrom = few.addMixed(warmUp) + warmUp;
  for (const each of [flow, few]) each.addMixed(block * blocks);
  checkEngine(flow, parties);
  checkPeer(few);
  const engine = startingAt(new EnginePlayer(parties, flow.operations), engineFrom);
  const peer = startingAt(new PeerPlayer(few.operations, null), peerFrom);
  const race = new Race([engine, peer], clock);
  for (let at = 0; at < blocks; at++) race.run(at * block, (at + 1) * block);
  const [mkt = NaN, peers = NaN] = race.medians;
  return { nanoseconds: mkt / block, ratio: mkt / peers };
}

/** The player with its first operations played, and the others counted from 0. */
function startingAt(player: Player, start: number): Player {
  player.play(0, start);
  return {
    prepare: (from, to) => player.prepare(start + from, start + to),
    play: (from, to) => player.play(start + from, start + to),
  };
}

export default { name: "engine", tables: () => engineTables(SIZES) } satisfies StandaloneBench;
