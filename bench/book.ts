// The book on recorded order flow, compared with nodejs-order-book; with credit screening compared with without; and a book of
// a million orders compared with one of a thousand. Its runs are too long for mitata's samples, so it takes its own: the least
// time of a few alternating runs. Both books must give the same trades and orders, compared by hashes.
//
// nodejs-order-book plays all of the shallow workload. The deep one would take it minutes, so it plays only the first
// operations after the first 100,000 orders. The ratio is that of the same operations.
//
// Claims: an add, a cancel and a read of the best levels take the same steps on a million orders as on a thousand, and at most
// six times the time; credit screening costs at most half the speed.

import { deepStrictEqual } from "node:assert";
import { SeededRandom } from "../sim/random/seeded-random.ts";
import { CreditLedger } from "../sim/market/credit-ledger.ts";
import { SELL } from "../sim/market/order-book.ts";
import { PriceTimeBook } from "../sim/market/price-time-book.ts";
import { type Operations, readOperations } from "../sim/replay/ops-file.ts";
import { mktPlayer, peerPlayer, play, type Played, type Player, type Screening } from "./order-flow.ts";
import { type Clock, Lap, measuringClock, wallClock } from "./stopwatch.ts";
import type { StandaloneBench } from "./suite.ts";
import { aligned, duration, grouped, threeDigits } from "./table.ts";
import { DEEP, makeOperations, SHALLOW } from "./workloads.ts";

interface BookSizes {
  readonly operations: number;
  /** Orders that the deep workload begins with and roughly keeps. */
  readonly deepOrders: number;
  /** Operations of the deep workload that the peer plays, after the prologue. */
  readonly peerOperations: number;
  /** Runs of which the least time counts; the peer has one. */
  readonly rounds: number;
  readonly restingOrders: readonly [few: number, many: number];
}

export const SIZES: BookSizes = {
  operations: 2_000_000,
  deepOrders: DEEP.liveOrders,
  peerOperations: 100_000,
  rounds: 7,
  restingOrders: [1_000, 1_000_000],
};

const SEED = 1;
const ENTITIES = 32;
const CONTRACT = { key: 0, minutes: 60 };
/** Enough for all trades, in dollars and in MW. */
const AMPLE = 1e12;

interface Flow {
  readonly name: string;
  readonly operations: Operations;
  /** The operations compared with the peer. */
  readonly from: number;
  readonly to: number;
}

/** Clocks of the long runs and of the short batches. */
interface BookClocks {
  readonly runs: Clock;
  readonly batches: Clock;
}

export function bookTables(
  sizes: BookSizes,
  { runs, batches }: BookClocks = { runs: measuringClock(), batches: wallClock() },
): string {
  const flows = flowsOf(sizes);
  return [
    "### book",
    `Recorded order flow of ${grouped(sizes.operations)} operations: shallow with at most ${
      grouped(SHALLOW.liveOrders)
    } live ` +
    `orders, deep with about ${grouped(sizes.deepOrders)}. Operations a second.`,
    aligned(["workload", "operations", "mkt", "nodejs-order-book", "mkt / peer"], flows.map(peerRow(sizes, runs))),
    `All of it, with credit screening over ${ENTITIES} entities and without.`,
    aligned(["workload", "without", "with", "with / without"], flows.map(screeningRow(sizes, runs))),
    "One operation, by number of resting orders in the book.",
    aligned(["operation", ...sizes.restingOrders.map(grouped), "many / few"], restingRows(sizes, batches)),
  ].join("\n\n");
}

function flowsOf({ operations: count, deepOrders, peerOperations }: BookSizes): Flow[] {
  const deep = { ...DEEP, liveOrders: deepOrders, prologue: deepOrders };
  return ([["shallow", SHALLOW], ["deep", deep]] as const).map(([name, workload]) => {
    const read = readOperations(makeOperations(workload, count, SEED));
    if (!read.ok) throw new Error(read.fault);
    const { operations } = read;
    const from = Math.min(workload.prologue, count);
    if (from === 0) return { name, operations, from, to: count };
    return {
      name: `${name}, from ${grouped(from + 1)} on`,
      operations,
      from,
      to: Math.min(count, from + peerOperations),
    };
  });
}

/** The least time of each, in alternating runs. All runs of one must have the same outcome. */
function alternating(rounds: number, runs: readonly (() => Played)[]): Played[] {
  const least = runs.map((run) => run());
  for (let round = 1; round < rounds; round++) {
    runs.forEach((run, at) => {
      const played = run();
      deepStrictEqual(played.outcome, least[at]?.outcome);
      if (played.nanoseconds < (least[at]?.nanoseconds ?? Infinity)) least[at] = played;
    });
  }
  return least;
}

function peerRow({ rounds }: BookSizes, clock: Clock) {
  return ({ name, operations, from, to }: Flow): string[] => {
    const played = (makePlayer: () => Player) => play(makePlayer, from, to, clock);
    const [mkt] = alternating(rounds, [() => played(() => mktPlayer(operations, null))]);
    const peer = played(() => peerPlayer(operations));
    deepStrictEqual(mkt?.outcome, peer.outcome);
    return [name, grouped(to - from), ...rates(to - from, mkt, peer), ratio(peer, mkt)];
  };
}

function screeningRow({ rounds }: BookSizes, clock: Clock) {
  return ({ name, operations }: Flow): string[] => {
    const played = (makePlayer: () => Player) => play(makePlayer, 0, operations.count, clock);
    const [free, screened] = alternating(rounds, [
      () => played(() => mktPlayer(operations, null)),
      () => played(() => mktPlayer(operations, screeningOf(operations.count))),
    ]);
    return [name.split(",")[0] ?? name, ...rates(operations.count, free, screened), ratio(free, screened)];
  };
}

/** Every two entities have documents in place and ample limits, on total notional and on MW of the contract. */
function screeningOf(operations: number): Screening {
  const random = new SeededRandom(SEED);
  const ledger = new CreditLedger(ENTITIES);
  for (let party = 0; party < ENTITIES; party++) {
    for (let counterparty = 0; counterparty < ENTITIES; counterparty++) {
      if (party === counterparty) continue;
      ledger.setDocumentation(party, counterparty, "docs_in_place");
      ledger.setLimit(party, counterparty, { limitType: "notional", contract: null, limit: AMPLE, marginPercent: 50 });
      ledger.setLimit(party, counterparty, { limitType: "mw", contract: 0, limit: AMPLE, marginPercent: 100 });
    }
  }
  return {
    parties: Uint8Array.from({ length: operations }, () => random.integer(0, ENTITIES - 1)),
    availableCredit: (restingParty, aggressorParty, price) =>
      ledger.availableCredit(restingParty, aggressorParty, CONTRACT, price),
    addTrade: (one, other, price, quantity) => ledger.addTrade(one, other, CONTRACT, price, quantity),
  };
}

const RESTING_PRICES = 1_000;
const BATCH = 100;
const BATCHES = 2_000;
const OPERATIONS = ["add", "cancel", "five best levels"] as const;

/** Ids and prices are random. A random batch of orders is cancelled, and as many are added. */
function restingRows({ rounds, restingOrders }: BookSizes, clock: Clock): string[][] {
  const measured = restingOrders.map((count) => restingTimes(count, rounds * BATCHES, clock));
  const rowOf = (name: string, times: readonly number[]) => {
    const [few = NaN, many = NaN] = times.map((time) => time / BATCH);
    return [name, duration(few), duration(many), threeDigits(many / few)];
  };
  const sums = measured.map((times) => OPERATIONS.reduce((sum, operation) => sum + times[operation], 0));
  return [
    ...OPERATIONS.map((operation) => rowOf(operation, measured.map((times) => times[operation]))),
    rowOf("all three", sums),
  ];
}

/**
 * Nanoseconds for a batch of each operation: the least of many samples, because other work on the machine displaces the
 * caches. A sample is one batch, or the mean of as many as the clock needs.
 */
function restingTimes(count: number, batches: number, clock: Clock) {
  const random = new SeededRandom(SEED);
  const book = new PriceTimeBook();
  const drawn = () => ({ id: random.integer(0, 2 ** 48), price: random.integer(0, RESTING_PRICES - 1) });
  const add = ({ id, price }: { id: number; price: number }) => book.add(id, SELL, price, 10, 0, id);
  const ids = Float64Array.from({ length: count }, () => {
    const order = drawn();
    add(order);
    return order.id;
  });
  const stratum = Math.floor(count / BATCH);
  const least = { "add": Infinity, "cancel": Infinity, "five best levels": Infinity };
  const newLaps = () => ({ "add": new Lap(clock), "cancel": new Lap(clock), "five best levels": new Lap(clock) });
  let laps = newLaps();
  for (let batch = 0; batch < batches || least.add === Infinity; batch++) {
    // A random order of each hundredth: spread over the book, and no duplicates. Everything else is done before the clock
    // starts.
    const places = Array.from({ length: BATCH }, (_, at) => at * stratum + random.integer(0, stratum - 1));
    const leaving = places.map((at) => ids[at]!);
    const coming = places.map(drawn);
    laps.cancel.time(() => {
      for (const id of leaving) book.remove(id);
    });
    laps.add.time(() => {
      for (const order of coming) add(order);
    });
    const levels = laps["five best levels"].time(() => {
      let read = 0;
      for (let at = 0; at < BATCH; at++) read += book.depth(SELL, 5).length;
      return read;
    });
    deepStrictEqual([book.orderCount, levels], [count, 5 * BATCH]);
    places.forEach((at, index) => ids[at] = coming[index]!.id);
    if (!OPERATIONS.every((operation) => laps[operation].isLongEnough)) continue;
    for (const operation of OPERATIONS) {
      least[operation] = Math.min(least[operation], laps[operation].nanosecondsPerRun);
    }
    laps = newLaps();
  }
  return least;
}

function rates(operations: number, ...played: (Played | undefined)[]): string[] {
  return played.map((each) => grouped(Math.round(operations / (each?.nanoseconds ?? NaN) * 1e6) * 1e3));
}

function ratio(one: Played | undefined, other: Played | undefined): string {
  return threeDigits((one?.nanoseconds ?? NaN) / (other?.nanoseconds ?? NaN));
}

export default { name: "book", tables: () => bookTables(SIZES) } satisfies StandaloneBench;
