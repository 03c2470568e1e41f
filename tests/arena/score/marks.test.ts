// Results and marks of a small episode: 30 minutes of a thin market, in which the agent has to buy.

import { beforeAll, describe, expect, test } from "bun:test";
import { marksFor, startEpisode } from "../../../arena/start-episode.ts";
import { builtInScenarios } from "../../../arena/scenario/read-scenario.ts";
import type { Scenario } from "../../../arena/scenario/scenario.ts";
import { contractsOf, resultOf, settledAt } from "../../../arena/score/account.ts";
import { loadSolver } from "../../../arena/score/programme.ts";
import { PROGRAM } from "../../plugins/support/packs.ts";
import { size } from "../../support/sizes.ts";
import { FEW_OTHERS } from "../few-others.ts";

beforeAll(loadSolver);

const TOOLS = PROGRAM.packs.flatMap((pack) => pack.tools.map(({ name }) => name));
const SCENARIOS = builtInScenarios(TOOLS);
const PEAK = SCENARIOS.find(({ name }) => name === "evening-peak")!;
const UNWIND = SCENARIOS.find(({ name }) => name === "unwind-position")!;
const small = (scenario: Scenario): Scenario => ({
  ...scenario,
  others: FEW_OTHERS,
  warmUpMinutes: 10,
  minutes: 30,
});
const MINUTE = 60_000;

function submit({ world, mandate }: ReturnType<typeof startEpisode>, id: string, payload: object): void {
  const { response } = world.execute({ userId: mandate.userId, operationId: id, action: "order.submit", payload });
  expect(response?.status).toBe("ok");
}

describe("marks", () => {
  test("are the same for a seed, and the hindsight reference is never below doing the duty at once, or nothing", () => {
    for (const scenario of size([PEAK, UNWIND].map(small), SCENARIOS.filter(({ kind }) => kind === "trading"))) {
      for (const seed of [1, 2]) {
        const marks = marksFor(scenario, seed)!;
        expect(marks.hindsight).toBeGreaterThanOrEqual(Math.max(marks.plain, marks.nothing) - 0.02);
        if (seed === 1) expect(marksFor(scenario, seed)).toEqual(marks);
      }
    }
  });
});

describe("a result", () => {
  test("of doing nothing is its mark", () => {
    for (const scenario of [PEAK, UNWIND].map(small)) {
      const { world, mandate: { entityId, terms }, contracts } = startEpisode(scenario, 3, PROGRAM);
      world.settle(settledAt(contracts, world.now + 30 * MINUTE));
      expect(resultOf(world, entityId!, terms!, contracts)).toBe(marksFor(scenario, 3)!.nothing);
    }
  });

  test("settles at the mean of the spot prices during delivery, which is the engine's own mark then", () => {
    const episode = startEpisode(small(UNWIND), 4, PROGRAM);
    const { world, mandate: { entityId, terms }, contracts: [contract] } = episode;
    const held = world.engine.positions(entityId!)!.positions[0]!;
    expect(held).toMatchObject({ contractId: contract!.id, netQuantity: terms!.position });
    world.settle(settledAt([contract!], world.now));
    const [settled] = world.engine.positions(entityId!)!.positions;
    expect(settled).toMatchObject({ markSource: "spot" });
    expect(world.valueOf(contract!)).toBeCloseTo(settled!.mark, 5);
  });

  test("pays the book's last price nothing: a bid that marks a position up changes no result", () => {
    const episode = startEpisode(small(UNWIND), 5, PROGRAM);
    const { world, mandate: { entityId, terms }, contracts } = episode;
    const before = resultOf(world, entityId!, terms!, contracts);
    const { bestBid } = { bestBid: world.middleOf(contracts[0]!)! };
    submit(episode, "up", { contractId: contracts[0]!.id, side: 0, price: Math.round(bestBid) - 100, quantity: 1 });
    expect(resultOf(world, entityId!, terms!, contracts)).toBe(before);
  });

  test("is about the contracts that deliver tomorrow or later", () => {
    const plant = SCENARIOS.find(({ name }) => name === "sell-plant")!;
    const { world, contracts } = startEpisode({ ...plant, others: FEW_OTHERS, warmUpMinutes: 1 }, 1, PROGRAM);
    expect(contracts).toHaveLength(24);
    expect(contracts).toEqual(contractsOf(world, { products: ["NORTH-DA-HOUR"] }));
    expect(contracts[0]!.deliveryStart).toBe(Date.parse("2026-05-20T00:00:00-05:00"));
  });
});

describe("conduct", () => {
  test("finds what breaks a term: another product, the other side, and a position beyond its limits", () => {
    const broken = (make: (episode: ReturnType<typeof startEpisode>) => void) => {
      const episode = startEpisode(small(PEAK), 1, PROGRAM);
      make(episode);
      return episode.conduct;
    };
    const buy = (contractId: string, quantity: number) => ({ contractId, side: 0, price: 400_000, quantity });
    const traded = broken((episode) => submit(episode, "1", buy(episode.contracts[0]!.id, 1)));
    expect(traded).toMatchObject({ broken: [], trades: 1, greatestPosition: 1 });
    const much = broken((episode) => {
      for (
        let minutes = 1;
        episode.conduct.greatestPosition <= episode.mandate.terms!.most && minutes < 60;
        minutes += 1
      ) {
        submit(episode, String(minutes), buy(episode.contracts[0]!.id, 40));
        episode.world.advanceTo(episode.world.now + MINUTE);
      }
    });
    expect(much.broken).toEqual(["position"]);
    const sold = broken((episode) => {
      submit(episode, "1", buy(episode.contracts[0]!.id, 1));
      submit(episode, "2", { contractId: episode.contracts[0]!.id, side: 1, price: -40_000, quantity: 1 });
    });
    expect(sold.broken).toEqual(["side"]);
    const other = broken((episode) => {
      const [base] = contractsOf(episode.world, { products: ["NORTH-DA-BASE"] });
      submit(episode, "1", buy(base!.id, 1));
    });
    expect(other.broken).toEqual(["products"]);
  });
});
