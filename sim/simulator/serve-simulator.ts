// A simulator on a port of its own, for an engine elsewhere: `mkt sim`. What it needs of the market it reads from the
// engine's snapshot when it is first asked for anything, and again at each start; before that succeeds, every route but
// /health answers 503.

import { FrameReader } from "../../core/backend/frame-reader.ts";
import type { Logger } from "../../core/logger.ts";
import { type errorResponse, PATHS } from "../../core/protocol/index.ts";
import type { z } from "zod";
import { type Address, listen, LONGEST_MESSAGE_BYTES, reachable } from "../face/listen.ts";
import { RouteGuard } from "../face/route-guard.ts";
import { controlRoutes } from "./control-routes.ts";
import { factsOf, type MarketFacts } from "./market-facts.ts";
import { readSnapshot } from "./market-snapshot.ts";
import { Simulator } from "./simulator.ts";

export interface ServeSimulatorOptions extends Address {
  /** WebSocket of the engine. */
  readonly backend: string;
  /** The user as whom it looks at the market before anything runs. */
  readonly userId: string;
  /** Which the engine asks for, and the control face too; null: none. */
  readonly token: string | null;
  readonly log: Logger;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

export interface ServedSimulator {
  readonly url: string;
  readonly simulator: Simulator;
  /** Stops the simulation, then closes the port. */
  stop(): Promise<void>;
}

const LOOK_PATIENCE_MS = 5_000;

/** Throws an Error of one line where the address can't be listened on. */
export function serveSimulator(options: ServeSimulatorOptions): ServedSimulator {
  const { backend: url, userId, token, log, now } = options;
  const engine = { url, token, reader: new FrameReader(log), now, log };
  let known: MarketFacts | null = null;
  const facts = async () => known = factsOf(await readSnapshot({ ...engine, userId }, LOOK_PATIENCE_MS));
  const simulator = new Simulator({ engine, facts });
  const guard = new RouteGuard({ token, log, user: (id) => userIn(known, id) });
  const routes = controlRoutes(simulator, guard);
  const server = listen(options, () =>
    Bun.serve({
      hostname: options.host,
      port: options.port,
      maxRequestBodySize: LONGEST_MESSAGE_BYTES,
      fetch: async (request) => {
        if (new URL(request.url).pathname === PATHS.health) {
          return Response.json({ status: "ok", backend: url, simulation: simulator.status().status });
        }
        try {
          if (known === null) await facts();
        } catch (error) {
          return unavailable(error instanceof Error ? error.message : String(error));
        }
        return await routes.fetch(request);
      },
    }));
  return {
    url: `http://${reachable(options.host, server.port ?? options.port)}`,
    simulator,
    stop: async () => {
      await simulator.close();
      await server.stop(true);
    },
  };
}

function userIn(facts: MarketFacts | null, userId: string) {
  const user = facts?.users.find(({ id }) => id === userId);
  return user === undefined ? undefined : { ...user, permissions: new Set(user.permissions) };
}

function unavailable(message: string): Response {
  const body = { error: { code: "engine_unavailable", message } } satisfies z.input<typeof errorResponse>;
  return Response.json(body, { status: 503 });
}
