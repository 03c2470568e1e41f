// Populations with the settings of the preset calm, at a constant spot price.

import { builtInMarket } from "../../../engine/definition/built-in-market.ts";
import { presetExperiment } from "../../../sim/experiment/read-experiment.ts";
import type { Persona } from "../../../sim/personas/persona.ts";
import type { PersonaGroup } from "../../../sim/personas/settings.ts";
import { Population } from "../../../sim/population/population.ts";
import type { Market } from "../../../sim/population/traders.ts";
import { constantSpot, START } from "../personas/support.ts";

/** The personas of groups, among the users of a market with the nodes and products of the built-in market. */
export function personasOf({ users, entities }: Market, groups: readonly PersonaGroup[], seed = 1): readonly Persona[] {
  const market = { ...builtInMarket(), users, entities };
  const settings = { ...presetExperiment("calm"), personas: groups };
  const spot = constantSpot(() => 4_000);
  return new Population({ market, settings, seed, spot, startTime: START }).personas;
}
