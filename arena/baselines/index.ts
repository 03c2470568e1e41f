// The traders that play in the same harness, through the same tools, as any agent: marks for its score.

import { aa, zip } from "./adaptive.ts";
import { byKind, operateAsExpert, submitAtRandom, submitNothing } from "./by-kind.ts";
import { expert } from "./expert.ts";
import { forecast } from "./forecast.ts";
import { maker } from "./maker.ts";
import { nothing, plain, twap } from "./plain.ts";
import { random } from "./random.ts";
import type { Baseline } from "./seat.ts";

export const BASELINES: readonly Baseline[] = [
  nothing,
  byKind(random, submitAtRandom),
  byKind(plain, submitNothing),
  byKind(twap, submitNothing),
  byKind(forecast, submitNothing),
  byKind(zip, submitNothing),
  byKind(aa, submitNothing),
  byKind(maker, submitNothing),
  byKind(expert, operateAsExpert),
];
