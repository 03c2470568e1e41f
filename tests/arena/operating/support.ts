// Episodes of operating scenarios, and markets in which one incident happens.

import { BASELINES } from "../../../arena/baselines/index.ts";
import { Seat } from "../../../arena/baselines/seat.ts";
import { beginIncidents } from "../../../arena/incidents/begin-incidents.ts";
import type { Stage } from "../../../arena/incidents/stage.ts";
import { playedEpisode } from "../../../arena/record/play.ts";
import type { EpisodeResult } from "../../../arena/record/episode-record.ts";
import type { Incident } from "../../../arena/scenario/incident-terms.ts";
import { builtInScenarios } from "../../../arena/scenario/read-scenario.ts";
import type { Scenario } from "../../../arena/scenario/scenario.ts";
import { World } from "../../../arena/world/world.ts";
import { builtInMarket } from "../../../engine/definition/built-in-market.ts";
import { presetExperiment } from "../../../sim/experiment/read-experiment.ts";
import { startTimeOf } from "../../../sim/experiment/start-time.ts";
import { PROGRAM, TOOLS } from "../../plugins/support/packs.ts";
import { seldomRevised } from "../../sim/headless/support.ts";
import { FEW_OTHERS } from "../few-others.ts";
import type { Value } from "../support.ts";

const MINUTE = 60_000;
export const OPERATING = builtInScenarios(TOOLS.map(({ name }) => name)).filter(({ kind }) => kind === "operating");
/** The agent of `stageOf`. */
export const AGENT = "willow-trader-1";

export function scenarioNamed(name: string): Scenario {
  return OPERATING.find((each) => each.name === name)!;
}

/** Of episodes whose others matter little. */
export const QUICK: Partial<Scenario> = { others: FEW_OTHERS };

/** An episode without an agent yet. */
export function episodeOf(name: string, seed = 1, changes = QUICK) {
  const scenario = { ...scenarioNamed(name), ...changes };
  const { dispatcher, finish } = playedEpisode({ scenario, seed, agent: "ann", program: PROGRAM, onCall: () => {} });
  const seat = new Seat(dispatcher, seed);
  return { call: (tool: string, input: Value = {}) => seat.attempt(tool, input), seat, finish };
}

/** What comes of it if a baseline plays; by default with the scenario's own others. */
export async function resultOf(
  name: string,
  seed: number,
  baseline: string,
  changes: Partial<Scenario> = {},
): Promise<EpisodeResult> {
  const { seat, finish } = episodeOf(name, seed, changes);
  await BASELINES.find((each) => each.name === baseline)!.play(seat);
  return finish();
}

/** A market with one persona in which an incident has begun, at the beginning of the episode. */
export function stageOf(incident: Incident, seed: number, userId = AGENT): Stage {
  const definition = builtInMarket();
  const operators = ["juniper-trader-1", "aspen-trader-1"];
  const users = definition.users.map((user): typeof user =>
    operators.includes(user.id) && incident.kind === "market-incident"
      ? { ...user, permissions: [...user.permissions, "Market.Operate"] }
      : user
  );
  const startTime = startTimeOf(definition);
  const thin = seldomRevised(presetExperiment("thin"), 60 * MINUTE);
  const experiment = { ...thin, personas: thin.personas.slice(0, 1) };
  const world = new World({ definition: { ...definition, users }, experiment, seed, startTime });
  const entityId = users.find(({ id }) => id === userId)?.entityId ?? null;
  const start = startTime + 15 * MINUTE;
  const stage = beginIncidents([incident], { world, seed, start, userId, entityId });
  world.advanceTo(start);
  return stage;
}
