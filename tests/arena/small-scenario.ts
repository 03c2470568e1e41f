// A scenario that is played in a moment: few others, half an hour, and deliveries so far away that none settles at spot.

import eveningPeak from "../../arena/scenario/built-in/evening-peak.json" with { type: "json" };
import { readScenario } from "../../arena/scenario/read-scenario.ts";
import type { Scenario } from "../../arena/scenario/scenario.ts";
import { TOOLS } from "../plugins/support/packs.ts";
import { FEW_OTHERS } from "./few-others.ts";

/** As in a file. */
export const SMALL_SCENARIO = {
  ...eveningPeak,
  name: "small",
  brief: "Buy {volumeMw} MW of each of the next months, and never sell.",
  others: FEW_OTHERS,
  warmUpMinutes: 5,
  minutes: 30,
  trading: { ...eveningPeak.trading, products: ["NORTH-MO-BASE"] },
};

const read = readScenario(SMALL_SCENARIO, TOOLS.map(({ name }) => name));
if (!read.ok) throw new Error(read.faults.join("; "));
export const SMALL: Scenario = read.scenario;
