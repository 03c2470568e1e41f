import { expect, test } from "bun:test";
import { size } from "../../support/sizes.ts";
import { episodeOf, OPERATING, QUICK, resultOf } from "./support.ts";

const NAMES = OPERATING.map(({ name }) => name);
const SEEDS = Array.from({ length: size(1, 40) }, (_, at) => at + 1);

/** Who does nothing needs no others. */
const IDLE = size(QUICK, {});

test.each(NAMES)("%s: the expert earns all of it, and nothing earns nothing", async (name) => {
  for (const seed of SEEDS) {
    const expert = await resultOf(name, seed, "expert");
    expect({ seed, score: expert.score, operating: expert.operating }).toMatchObject({ seed, score: 1 });
    const nothing = await resultOf(name, seed, "nothing", IDLE);
    expect({ seed, score: nothing.score }).toEqual({ seed, score: 0 });
  }
});

/** Waiting for an hour takes as long as some episodes. */
const SOME = size(["stuck-order", "runaway-trader"], NAMES);

test.each(SOME)("%s: who only waits earns nothing", async (name) => {
  for (const seed of SEEDS.slice(0, size(1, 5))) {
    const { call, finish } = episodeOf(name, seed, IDLE);
    await call("mkt_connect_pubsub");
    expect(await call("mkt_arena_wait", { minutes: 120 })).toMatchObject({ ended: "over" });
    expect({ seed, score: finish().score }).toEqual({ seed, score: 0 });
  }
});

test.each(SOME)("%s: an answer at random fits, and is not all of it", async (name) => {
  for (const seed of SEEDS.slice(0, size(1, 10))) {
    const { score, ended, operating } = await resultOf(name, seed, "random");
    expect(ended).toBe("agent");
    expect(operating?.harms).toEqual([]);
    expect(score).toBeLessThan(1);
  }
});

test.each(["plain", "maker"])("%s, which only trades, submits nothing", async (baseline) => {
  expect(await resultOf("lost-answer", 1, baseline, QUICK)).toMatchObject({ score: 0, ended: "agent", calls: 2 });
});
