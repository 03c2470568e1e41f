// The control API of a simulator over HTTP (docs/backend-protocol.md), guarded as the engine's own routes are.

import type { Hono } from "hono";
import {
  SIMULATOR_PATHS,
  type SimulatorErrorCode,
  spotRequest,
  startSimulationRequest,
  triggerEventRequest,
} from "../../protocol/index.ts";
import { z } from "zod";
import { parseQuery, Refusal, type RefusalStatus, type RouteGuard } from "../server/http/route-guard.ts";
import { SimulatorRefusal } from "./simulator-refusal.ts";
import type { Simulator } from "./simulator.ts";

const STATUS_OF: Readonly<Record<SimulatorErrorCode, RefusalStatus>> = {
  invalid_payload: 400,
  already_running: 409,
  stopping: 409,
  not_running: 409,
  engine_unavailable: 503,
};

const nothing = z.strictObject({});
const spotQuery = z.strictObject(spotRequest.shape);

export function controlRoutes(simulator: Simulator, guard: RouteGuard): Hono {
  const app = guard.routes();

  app.post(SIMULATOR_PATHS.start, async (context) => {
    guard.acting(context, "Market.Operate");
    const request = await guard.body(startSimulationRequest, context);
    return context.json(await answered(() => simulator.start(request)));
  });

  app.post(SIMULATOR_PATHS.stop, async (context) => {
    guard.acting(context, "Market.Operate");
    await guard.body(nothing, context);
    return context.json(await answered(() => simulator.stop()));
  });

  app.get(SIMULATOR_PATHS.status, (context) => {
    guard.acting(context, "Market.View");
    parseQuery(nothing, context);
    return context.json(simulator.status());
  });

  app.get(SIMULATOR_PATHS.spot, async (context) => {
    guard.acting(context, "Market.View");
    const { hours } = parseQuery(spotQuery, context);
    return context.json(await answered(() => simulator.spot(hours)));
  });

  app.post(SIMULATOR_PATHS.events, async (context) => {
    guard.acting(context, "Market.Operate");
    const request = await guard.body(triggerEventRequest, context);
    return context.json(await answered(() => simulator.trigger(request)));
  });

  return app;
}

/** What the simulator refuses becomes the route's refusal. */
async function answered<Answer>(work: () => Answer | Promise<Answer>): Promise<Answer> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof SimulatorRefusal) throw new Refusal(STATUS_OF[error.code], error.code, error.message);
    throw error;
  }
}
