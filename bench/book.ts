// The book on recorded order flow, compared with nodejs-order-book, and with credit screening compared with without. Its runs
// are too long for mitata's samples, so it takes its own: the least time of a few alternating runs. Both books must give the
// same trades and orders, compared by hashes. Single operations are in book-operations.ts.
//
// nodejs-order-book plays all of the shallow workload. The deep one would take it minutes, so it plays only the first
// operations after the first 100,000 orders. The ratio is that of the same operations.
//
// Claim: credit screening costs at most half the speed.

import { deepStrictEqual } from "node:assert";
import { SeededRandom } from "../sim/random/seeded-random.ts";
import { CreditLedger } from "../engine/market/credit-ledger.ts";
import { type Operations, readOperations } from "../engine/replay/ops-file.ts";
import { mktPlayer, peerPlayer, play, type Played, type Player, type Screening } from "./order-flow.ts";
import { type Clock, measuringClock } from "./stopwatch.ts";
import type { StandaloneBench } from "./suite.ts";
import { aligned, grouped, threeDigits } from "./table.ts";
import { DEEP, makeOperations, SHALLOW } from "./workloads.ts";

interface BookSizes {
  readonly operations: number;
  /** Orders that the deep workload begins with and roughly keeps. */
  readonly deepOrders: number;
  /** Operations of the deep workload that the peer plays, after the prologue. */
  readonly peerOperations: number;
  /** Runs of which the least time counts; the peer has one. */
  readonly rounds: number;
}

const SIZES: BookSizes = {
  operations: 2_000_000,
  deepOrders: DEEP.liveOrders,
  peerOperations: 100_000,
  rounds: 7,
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

export function bookTables(sizes: BookSizes, clock: Clock = measuringClock()): string {
  const flows = flowsOf(sizes);
  return [
    "### book",
    `Recorded order flow of ${grouped(sizes.operations)} operations: shallow with at most ${
      grouped(SHALLOW.liveOrders)
    } live ` +
    `orders, deep with about ${grouped(sizes.deepOrders)}. Operations a second.`,
    aligned(["workload", "operations", "mkt", "nodejs-order-book", "mkt / peer"], flows.map(peerRow(sizes, clock))),
    `All of it, with credit screening over ${ENTITIES} entities and without.`,
    aligned(["workload", "without", "with", "with / without"], flows.map(screeningRow(sizes, clock))),
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

function rates(operations: number, ...played: (Played | undefined)[]): string[] {
  return played.map((each) => grouped(Math.round(operations / (each?.nanoseconds ?? NaN) * 1e6) * 1e3));
}

function ratio(one: Played | undefined, other: Played | undefined): string {
  return threeDigits((one?.nanoseconds ?? NaN) / (other?.nanoseconds ?? NaN));
}

export default { name: "book", tables: () => bookTables(SIZES) } satisfies StandaloneBench;
