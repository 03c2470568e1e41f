// Worlds and episodes of the built-in market, in which an agent trades for a company that no persona trades for.

import type { MarketDefinition } from "../../engine/definition/market-definition.ts";
import { BUILT_IN_OWN_USER_IDS, builtInMarket } from "../../engine/definition/built-in-market.ts";
import { openEpisode } from "../../arena/server/open-episode.ts";
import { World } from "../../arena/world/world.ts";
import { presetExperiment } from "../../sim/experiment/read-experiment.ts";
import { startTimeOf } from "../../sim/experiment/start-time.ts";
import mutation from "../../plugins/mutation/index.ts";
import monitor from "../../plugins/monitor/index.ts";
import query from "../../plugins/query/index.ts";
import { seldomRevised } from "../sim/headless/support.ts";

export const MINUTE = 60_000;
export const AGENT = BUILT_IN_OWN_USER_IDS[0]!;
const MANDATE = {
  name: "trade",
  title: "Trade",
  brief: "Buy 20 MW.",
  amounts: { volumeMw: 20 },
  terms: null,
  time: { mode: "turns" as const },
  operating: null,
  userId: AGENT,
  entityId: "WILLOW",
};
const WARM_UP = 10 * MINUTE;
const NOBODY_CANCELS = new AbortController().signal;

/** The agent may trade, and sees no order of others. */
function market(): MarketDefinition {
  const definition = builtInMarket();
  const permissions = ["Order.Submit", "Credit.View"] as const;
  const users = definition.users.map((user) => user.id === AGENT ? { ...user, permissions: [...permissions] } : user);
  return { ...definition, users };
}

/** A world in which personas have traded for a while: by default few of them, so that market time passes fast. */
export function worldOf(seed: number, preset: "thin" | "volatile" = "thin", warmUp = WARM_UP): World {
  const definition = market();
  const startTime = startTimeOf(definition);
  const experiment = seldomRevised(presetExperiment(preset), 60 * MINUTE);
  const world = new World({ definition, experiment, seed, startTime });
  world.advanceTo(startTime + warmUp);
  return world;
}

export type Value = Readonly<Record<string, unknown>>;

/** An episode of so many minutes, whose agent is connected. `call` gives the value of the answer. */
export async function episodeOf({ seed = 1, minutes = 60 } = {}) {
  const world = worldOf(seed);
  const endTime = world.now + minutes * MINUTE;
  const program = { version: "0.0.0", instructions: "" };
  const episode = openEpisode({
    world,
    mandate: MANDATE,
    endTime,
    calls: 1000,
    packs: [query, mutation, monitor],
    program,
  });
  const answer = async (name: string, input: Value = {}) => {
    const given = await episode.dispatcher.call(name, input, { signal: NOBODY_CANCELS, caller: null });
    if (given?.kind !== "json") throw new Error(`${name} gave no value`);
    return given;
  };
  const call = async (name: string, input: Value = {}) => (await answer(name, input)).value as Value;
  await call("mkt_connect_pubsub");
  return { world, episode, answer, call };
}

/** The contract, of those that have bids and asks, with the most orders. */
export function busiestContract(world: World): { id: string; bestBid: number; bestAsk: number } {
  const [first] = [...world.engine.state.contracts.values()]
    .map(({ id, book }) => ({ id, orders: book.orderCount, bestBid: book.bestPrice(0), bestAsk: book.bestPrice(1) }))
    .filter(({ bestBid, bestAsk }) => bestBid !== null && bestAsk !== null)
    .toSorted((one, other) => other.orders - one.orders);
  return first as { id: string; bestBid: number; bestAsk: number };
}
