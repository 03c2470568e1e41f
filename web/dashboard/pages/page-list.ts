// The pages of the dashboard, in the order of the navigation.

import Contract from "./contract.tsx";
import Contracts from "./contracts.tsx";
import Credit from "./credit.tsx";
import Entities from "./entities.tsx";
import Events from "./events.tsx";
import Order from "./order.tsx";
import SimulationPage from "./simulation.tsx";
import type { Page } from "./page.ts";
import Spot from "./spot.tsx";

export const PAGES: readonly Page[] = [
  { name: "market", title: "Market", component: Contracts },
  { name: "contract", title: null, component: Contract },
  { name: "spot", title: "Spot prices", component: Spot },
  { name: "entities", title: "Entities", component: Entities },
  { name: "simulation", title: "Simulation", component: SimulationPage },
  { name: "credit", title: "Credit", component: Credit },
  { name: "events", title: "Events", component: Events },
  { name: "order", title: null, component: Order },
];
