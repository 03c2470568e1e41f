// The monitor pack: reads the buffer of market events.

import { definePack } from "../../core/packs/pack.ts";
import recentEvents, { eventResources } from "./recent-events.ts";
import watch from "./watch.ts";

export default definePack({
  name: "monitor",
  description: "Follow the market's events: all of them, or only those of orders, fills, the book or the market",
  tools: [...recentEvents, ...watch],
  resources: eventResources,
});
