// Starts an episode of a scenario: its world, in which the others have traded for a while, and the agent's MCP runtime on it.
// Everything follows from the scenario, the seed and the agent's calls.
//
// Cost: 20 to 40 ms for the built-in scenarios, whose others trade for a few minutes before. So there is no pool of
// worlds that wait for a seed.

import type { Pack } from "../core/packs/pack.ts";
import { steadyNow } from "../common/steady-now.ts";
import type { Program } from "../core/runtime.ts";
import { builtInMarketNamed } from "../engine/definition/built-in-markets.ts";
import type { MarketDefinition } from "../engine/definition/market-definition.ts";
import { MINUTE_MS } from "../protocol/time-units.ts";
import type { Experiment } from "../sim/experiment/experiment.ts";
import type { TradedContract } from "../sim/personas/traded-contract.ts";
import type { RunObserver } from "../sim/tape/run-observer.ts";
import { tradersByEntity } from "../sim/population/traders.ts";
import { beginIncidents } from "./incidents/begin-incidents.ts";
import type { Stage } from "./incidents/stage.ts";
import { type Mandate, mandateOf } from "./scenario/mandate.ts";
import type { Answer } from "./scenario/operating-terms.ts";
import { experimentOf } from "./scenario/read-scenario.ts";
import type { Scenario } from "./scenario/scenario.ts";
import { contractsOf, resultOf } from "./score/account.ts";
import { Conduct } from "./score/conduct.ts";
import { Deeds } from "./score/deeds.ts";
import { type Marks, marksOf } from "./score/marks.ts";
import { Offers } from "./score/offers.ts";
import { type OperatingScore, operatingScore } from "./score/operating-score.ts";
import { EpisodeTape } from "./world/episode-tape.ts";
import { CallTime, Stopwatch, type Thought } from "./server/call-time.ts";
import type { AnsweredCall } from "./server/episode-dispatcher.ts";
import { type Episode, openEpisode } from "./server/open-episode.ts";
import { hold } from "./world/initial-position.ts";
import { World, type WorldOptions } from "./world/world.ts";

interface StartedEpisode extends Episode {
  readonly world: World;
  readonly mandate: Mandate;
  /** Those of the mandate's terms at the beginning. */
  readonly contracts: readonly TradedContract[];
  readonly conduct: Conduct;
  readonly tape: EpisodeTape;
  /** What the agent has earned until now; null in a trading scenario. */
  readonly operatingScore: () => OperatingScore | null;
}

interface EpisodeHooks {
  /** Gets each call when it has been answered. */
  readonly onCall?: (call: AnsweredCall) => void;
  /** For how long the agent has thought; default: as a clock says. */
  readonly thought?: Thought | undefined;
}

/** Throws RangeError if the scenario does not fit its market. */
export function startEpisode(
  scenario: Scenario,
  seed: number,
  program: Program,
  { onCall, thought }: EpisodeHooks = {},
): StartedEpisode {
  const preparation = preparationOf(scenario, seed);
  const { mandate } = preparation;
  const conduct = new Conduct(mandate);
  const tape = new EpisodeTape(() => conduct.standing);
  const { world, stage } = worldOf(preparation, [conduct, tape]);
  conduct.begin(world);
  tape.begin();
  const deeds = new Deeds(mandate.userId);
  deeds.begin(world);
  const stopwatch = new Stopwatch(steadyNow);
  let answer: Answer | null = null;
  const contracts = mandate.terms === null ? [] : contractsOf(world, mandate.terms);
  const episode = openEpisode({
    world,
    mandate,
    contracts,
    result: () => resultSoFar(world, mandate, contracts),
    endTime: world.now + scenario.minutes * MINUTE_MS,
    calls: scenario.calls,
    callTime: new CallTime(scenario.time, thought ?? stopwatch.thought),
    packs: program.packs.map((pack) => offered(pack, scenario.tools)),
    program,
    onAnswer: (given) => answer = given,
    losses: stage.losses,
    onCall: (call) => {
      stopwatch.answered();
      onCall?.(call);
    },
  });
  const { operating: terms, userId } = mandate;
  const scored = () => terms && operatingScore({ world, terms, truth: stage.truth, deeds, answer, userId });
  return { world, mandate, contracts, conduct, tape, operatingScore: scored, ...episode };
}

/** What an agent is told to do. Throws as `startEpisode` does. */
export function briefOf(scenario: Scenario, seed: number): string {
  return preparationOf(scenario, seed).mandate.brief;
}

/** The marks between which the score of an episode is set; null if no result is asked for. The solver must be loaded. */
export function marksFor(scenario: Scenario, seed: number): Marks | null {
  const preparation = preparationOf(scenario, seed);
  const { entityId, terms } = preparation.mandate;
  if (entityId === null || terms === null) return null;
  const offers = new Offers();
  const { world } = worldOf(preparation, [offers], { isHeard: false });
  return marksOf({ world, offers, entityId, terms, minutes: scenario.minutes });
}

interface Preparation {
  readonly scenario: Scenario;
  readonly seed: number;
  readonly experiment: Experiment;
  readonly definition: MarketDefinition;
  readonly mandate: Mandate;
}

function preparationOf(scenario: Scenario, seed: number): Preparation {
  const experiment = experimentOf(scenario);
  const definition = marketFor(scenario, builtInMarketNamed(experiment.market));
  const entityId = definition.users.find(({ id }) => id === scenario.userId)?.entityId ?? null;
  return { scenario, seed, experiment, definition, mandate: mandateOf(scenario, { seed, entityId }) };
}

/** The world at the beginning of the episode, with observers from its own start, and the incidents in it. */
function worldOf(
  { scenario: { start, warmUpMinutes }, seed, experiment, definition, mandate }: Preparation,
  observers: readonly Partial<RunObserver>[],
  { isHeard = true }: Pick<WorldOptions, "isHeard"> = {},
): { readonly world: World; readonly stage: Stage } {
  const { terms, operating, userId, entityId } = mandate;
  const time = Date.parse(start);
  const startTime = time - warmUpMinutes * MINUTE_MS;
  const world = new World({ definition, experiment, seed, startTime, isHeard, observers });
  if (terms !== null) hold(world, userId, contractsOf(world, terms), terms.position);
  const stage = beginIncidents(operating?.incidents ?? [], { world, seed, start: time, userId, entityId });
  world.advanceTo(time);
  return { world, stage };
}

function resultSoFar(world: World, { entityId, terms }: Mandate, contracts: readonly TradedContract[]): number | null {
  return entityId === null || terms === null ? null : resultOf(world, entityId, terms, contracts);
}

/** The market, in which the agent's user has the scenario's permissions, and its operators may operate. */
function marketFor({ userId, permissions, operating }: Scenario, market: MarketDefinition | null): MarketDefinition {
  const user = market?.users.find(({ id }) => id === userId);
  if (market === null || user === undefined) throw new RangeError(`userId: the market has no user "${userId}"`);
  const operators = operating?.operators ?? [];
  const users = market.users.map((each): typeof each => {
    if (each === user) return { ...user, permissions };
    return operators.includes(each.id) ? { ...each, permissions: [...each.permissions, "Market.Operate"] } : each;
  });
  const entity = market.entities.find(({ id }) => id === user.entityId);
  if (entity !== undefined && entity.simulated !== false && tradersByEntity(users).has(entity.id)) {
    throw new RangeError(`userId: personas trade for ${entity.id}, the company of "${userId}"`);
  }
  return { ...market, users };
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
