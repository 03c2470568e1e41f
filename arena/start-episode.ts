// Starts an episode of a scenario: its world, in which the others have traded for a while, and the agent's MCP runtime on it.
// Everything follows from the scenario, the seed and the agent's calls.

import type { Pack } from "../core/packs/pack.ts";
import type { Program } from "../core/runtime.ts";
import { builtInMarketNamed } from "../engine/definition/built-in-markets.ts";
import type { MarketDefinition } from "../engine/definition/market-definition.ts";
import { MINUTE_MS } from "../protocol/time-units.ts";
import { presetExperiment } from "../sim/experiment/read-experiment.ts";
import { mandateOf } from "./scenario/mandate.ts";
import type { Scenario } from "./scenario/scenario.ts";
import type { AnsweredCall } from "./server/episode-dispatcher.ts";
import { type Episode, openEpisode } from "./server/open-episode.ts";
import { World } from "./world/world.ts";

interface StartedEpisode extends Episode {
  readonly world: World;
  /** The agent's. */
  readonly entityId: string | null;
}

/** `onCall` gets each call when it has been answered. Throws RangeError if the scenario does not fit its market. */
export function startEpisode(
  scenario: Scenario,
  seed: number,
  program: Program,
  onCall?: (call: AnsweredCall) => void,
): StartedEpisode {
  const experiment = presetExperiment(scenario.preset);
  const definition = marketFor(scenario, builtInMarketNamed(experiment.market));
  const start = Date.parse(scenario.start);
  const startTime = start - scenario.warmUpMinutes * MINUTE_MS;
  const world = new World({ definition, experiment, seed, startTime });
  world.advanceTo(start);
  const entityId = definition.users.find(({ id }) => id === scenario.userId)?.entityId ?? null;
  const mandate = mandateOf(scenario, { seed, entityId });
  const packs = program.packs.map((pack) => offered(pack, scenario.tools));
  const endTime = start + scenario.minutes * MINUTE_MS;
  return { world, entityId, ...openEpisode({ world, mandate, endTime, packs, program, onCall }) };
}

/** The market, in which the agent's user has the scenario's permissions. */
function marketFor({ userId, permissions }: Scenario, market: MarketDefinition | null): MarketDefinition {
  const user = market?.users.find(({ id }) => id === userId);
  if (market === null || user === undefined) throw new RangeError(`userId: the market has no user "${userId}"`);
  const entity = market.entities.find(({ id }) => id === user.entityId);
  if (entity !== undefined && entity.simulated !== false) {
    throw new RangeError(`userId: personas trade for ${entity.id}, the company of "${userId}"`);
  }
  return { ...market, users: market.users.map((each) => each === user ? { ...user, permissions } : each) };
}

/** What a scenario offers of a pack: its tools. Resources and prompts may tell more than they. */
function offered(pack: Pack, tools: readonly string[]): Pack {
  return {
    ...pack,
    tools: pack.tools.filter(({ name }) => tools.includes(name)),
    resources: [],
    prompts: [],
    routes: [],
  };
}
