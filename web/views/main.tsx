// The program of the views: shows the one that its page names.

import { render } from "preact";
import "../components/theme.css";
import "./views.css";
import { Frame } from "./frame.tsx";
import { OpenedView } from "./opened-view.ts";
import { orderBookView } from "./order-book-view.tsx";
import { positionsView } from "./positions-view.tsx";
import { simulationView } from "./simulation-view.tsx";
import { spotPricesView } from "./spot-prices-view.tsx";
import type { ViewName } from "./view-name.ts";
import type { View } from "./view.ts";

const VIEWS: Readonly<Record<ViewName, View>> = {
  "order-book": orderBookView,
  "spot-prices": spotPricesView,
  positions: positionsView,
  simulation: simulationView,
};

const name = document.body.dataset["view"] as ViewName;
render(<Frame opened={new OpenedView(name, VIEWS[name])} />, document.body);
