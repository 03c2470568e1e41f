// The sim pack: controls the simulator, personas that trade and spot prices that move.

import { definePack } from "../../core/packs/pack.ts";
import simulation from "./simulation.ts";
import spot from "./spot.ts";

export default definePack({
  name: "sim",
  description: "Control the market simulator: personas that trade, spot prices, market events",
  advice: {
    unknownSimulationStart: "mkt_sim_status shows whether it runs; a repeat changes nothing where it does.",
    unknownSimulationStop: "mkt_sim_status shows whether it has stopped; a repeat changes nothing where it has.",
    unknownMarketEvent: "mkt_sim_get_spot_prices shows the events that act now: look before you repeat it.",
  },
  tools: [...simulation, ...spot],
});
