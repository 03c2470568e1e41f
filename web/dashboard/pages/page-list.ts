// The pages of the dashboard, in the order of the navigation.

import Contract from "./contract.tsx";
import Contracts from "./contracts.tsx";
import Credit from "./credit.tsx";
import Entities from "./entities.tsx";
import Events from "./events.tsx";
import Operate from "./operate.tsx";
import Order from "./order.tsx";
import SimulationPage from "./simulation.tsx";
import type { Page } from "./page.ts";
import Spot from "./spot.tsx";

export const PAGES: readonly Page[] = [
  { name: "market", title: "Market", icon: "market", component: Contracts },
  { name: "contract", title: null, parent: "market", component: Contract },
  { name: "spot", title: "Spot prices", short: "Spot", icon: "wave", component: Spot },
  { name: "entities", title: "Entities", icon: "people", component: Entities },
  { name: "simulation", title: "Simulation", short: "Sim", icon: "flask", component: SimulationPage },
  { name: "credit", title: "Credit", icon: "grid", component: Credit },
  { name: "events", title: "Events", icon: "list", component: Events },
  { name: "order", title: null, parent: "events", component: Order },
  { name: "operate", title: "Operate", icon: "sliders", isForControl: true, component: Operate },
];
