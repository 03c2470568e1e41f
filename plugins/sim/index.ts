// The sim pack: controls the simulator, personas that trade and spot prices that move.

import { definePack } from "../../core/packs/pack.ts";
import simulation from "./simulation.ts";
import spot from "./spot.ts";

export default definePack({
  name: "sim",
  description: "Control the market simulator: personas that trade, spot prices, market events",
  tools: [...simulation, ...spot],
});
