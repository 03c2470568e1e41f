// The pages of the dashboard, in the order of the navigation.

import AlertsPage from "./alerts/alerts-page.tsx";
import Contract from "./pages/contracts/contract.tsx";
import Contracts from "./pages/contracts/contracts.tsx";
import Credit from "./pages/credit/credit.tsx";
import Entities from "./pages/entities.tsx";
import Events from "./pages/events.tsx";
import Glance from "./pages/glance.tsx";
import Operate from "./pages/operate.tsx";
import Order from "./pages/order/order.tsx";
import SimulationPage from "./pages/simulation.tsx";
import type { Page } from "./pages/page.ts";
import PastPage from "./pages/past/past.tsx";
import Spot from "./pages/spot.tsx";
import SideBySide from "./side-by-side/side-by-side.tsx";
import Watchlist from "./watchlist/watchlist.tsx";

export const PAGES: readonly Page[] = [
  { name: "market", title: "Market", icon: "market", component: Contracts },
  { name: "contract", title: null, parent: "market", component: Contract },
  { name: "glance", title: "At a glance", short: "Glance", icon: "eye", component: Glance },
  { name: "watchlist", title: "Watchlist", short: "Watch", icon: "star", component: Watchlist },
  { name: "side-by-side", title: null, parent: "watchlist", component: SideBySide },
  { name: "spot", title: "Spot prices", short: "Spot", icon: "wave", component: Spot },
  { name: "entities", title: "Entities", icon: "people", component: Entities },
  { name: "simulation", title: "Simulation", short: "Sim", icon: "flask", component: SimulationPage },
  { name: "credit", title: "Credit", icon: "grid", component: Credit },
  { name: "events", title: "Events", icon: "list", component: Events },
  { name: "past", title: null, parent: "events", component: PastPage },
  { name: "order", title: null, parent: "events", component: Order },
  { name: "alerts", title: null, component: AlertsPage },
  { name: "operate", title: "Operate", icon: "sliders", isForControl: true, component: Operate },
];
