// The pages of the dashboard: `#/NAME/ARGUMENT`.

import type { ComponentType } from "preact";
import Contract from "./contract.tsx";
import Contracts from "./contracts.tsx";
import Credit from "./credit.tsx";
import Entities from "./entities.tsx";
import Events from "./events.tsx";
import Order from "./order.tsx";
import SimulationPage from "./simulation.tsx";
import Spot from "./spot.tsx";

export interface PageProps {
  /** What follows the name in the address; empty if nothing does. */
  readonly argument: string;
}

export interface Page {
  readonly name: string;
  /** In the navigation; null: reached from other pages only. */
  readonly title: string | null;
  readonly component: ComponentType<PageProps>;
}

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

export function address(name: string, argument = ""): string {
  return `#/${name}${argument === "" ? "" : `/${encodeURIComponent(argument)}`}`;
}
