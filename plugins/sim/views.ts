// The views of the sim pack's tools.

import { defineView } from "../toolkit/view-resource.ts";

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

export default [spotPricesView, simulationView];
