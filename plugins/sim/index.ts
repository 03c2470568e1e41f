// The sim pack: controls the simulator, which runs trading personas and moves spot prices.

import { definePack } from "../../core/packs/pack.ts";
import { defineView } from "../toolkit/view-resource.ts";
import { experiment } from "./prompts.ts";
import simulation from "./simulation.ts";
import spot from "./spot.ts";
import status from "./status.ts";

const spotPricesView = defineView({
  name: "spot-prices",
  title: "Spot prices",
  description: "Shows the simulated spot prices of the nodes live, with regimes and market events.",
});

const simulationView = defineView({
  name: "simulation",
  title: "Simulation",
  description: "Shows the simulation live: its state, strategies and personas.",
});

export default definePack({
  name: "sim",
  description: "Control the market simulator: personas that trade, spot prices, market events",
  advice: {
    unknownSimulationStart: "mkt_sim_status shows whether it runs; if it does, a repeat changes nothing.",
    unknownSimulationStop: "mkt_sim_status shows whether it has stopped; if it has, a repeat changes nothing.",
    unknownMarketEvent: "mkt_sim_get_spot_prices shows the active events; look there before you repeat the call.",
  },
  tools: [...simulation, status, ...spot],
  resources: [spotPricesView, simulationView],
  prompts: [experiment],
});
