// The simulator as an agent knows it: spot prices. Everything else would tell of others, or change its exam.

import type { SimulatorClient } from "../../core/backend/simulator-client.ts";
import { ToolError } from "../../core/error.ts";
import { spotReport } from "../../sim/live/spot-report.ts";
import { spotNodes } from "../../sim/spot/market-spot.ts";
import type { World } from "../world/world.ts";

export function episodeSimulator({ spot, definition }: World): SimulatorClient {
  const nodes = spotNodes(definition);
  const refuse = () => {
    const message = "The simulator of an episode tells spot prices, and nothing else.";
    return Promise.reject(new ToolError("forbidden", message, "Read spot prices, books, events and your own orders."));
  };
  return {
    spot: (hours) => Promise.resolve(spotReport("running", spot, nodes, hours)),
    status: refuse,
    start: refuse,
    stop: refuse,
    trigger: refuse,
  };
}
