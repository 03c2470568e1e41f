// The control API of a simulator over HTTP (docs/backend-protocol.md), with the same checks as the engine's own routes.

import type { Hono } from "hono";
import {
  SIMULATOR_PATHS,
  type SimulatorErrorCode,
  spotRequest,
  startSimulationRequest,
  triggerEventRequest,
} from "../../protocol/index.ts";
import { z } from "zod";
import { Refusal, type RefusalStatus } from "../../common/http/guards/route-refusal.ts";
import { parseBody, parseQuery } from "../../common/http/guards/request-input.ts";
import type { GuardedRoutes, RouteGuard } from "../../common/http/guards/route-guard.ts";
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

export function controlRoutes(simulator: Simulator, guard: RouteGuard): Hono<GuardedRoutes> {
  const app = guard.routes();

  app.post(SIMULATOR_PATHS.start, guard.requires("Market.Operate"), async (context) => {
    const request = await parseBody(startSimulationRequest, context, guard.limits);
    return context.json(await answered(() => simulator.start(request)));
  });

  app.post(SIMULATOR_PATHS.stop, guard.requires("Market.Operate"), async (context) => {
    await parseBody(nothing, context, guard.limits);
    return context.json(await answered(() => simulator.stop()));
  });

  app.get(SIMULATOR_PATHS.status, guard.requires("Market.View"), (context) => {
    parseQuery(nothing, context);
    const status = simulator.status();
    // The seed tells the future of the run.
    const { permissions } = context.get("user");
    return context.json(permissions.has("Market.Operate") ? status : { ...status, seed: null });
  });

  // Spot prices are public events of the engine, so any user may read them.
  app.get(SIMULATOR_PATHS.spot, guard.requires(null), async (context) => {
    const { hours } = parseQuery(spotQuery, context);
    return context.json(await answered(() => simulator.spot(hours)));
  });

  app.post(SIMULATOR_PATHS.events, guard.requires("Market.Operate"), async (context) => {
    const request = await parseBody(triggerEventRequest, context, guard.limits);
    return context.json(await answered(() => simulator.trigger(request)));
  });

  return app;
}

/** Turns a SimulatorRefusal into the route's Refusal. */
async function answered<Answer>(work: () => Answer | Promise<Answer>): Promise<Answer> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof SimulatorRefusal) throw new Refusal(STATUS_OF[error.code], error.code, error.message);
    throw error;
  }
}
