// The HTTP routes that belong to the process of an engine: its health, and its clock. All but /health require a token and a
// user (route-guard.ts). engine/routes has those that read the market.

import type { Hono } from "hono";
import { z } from "zod";
import packageJson from "../../../package.json" with { type: "json" };
import { lengthText } from "../../../common/length-text.ts";
import type { Logger } from "../../../common/logger.ts";
import { type acceptClockResponse, type healthResponse, PATHS } from "../../../protocol/index.ts";
import type { UnknownMessages } from "../connections/unknown-messages.ts";
import type { EngineHost } from "../host/engine-host.ts";
import { Refusal } from "../../../common/http/guards/route-refusal.ts";
import { parseBody } from "../../../common/http/guards/request-input.ts";
import type { GuardedRoutes, RouteGuard } from "../../../common/http/guards/route-guard.ts";

interface AdminRoutesOptions {
  readonly host: EngineHost;
  readonly engineId: string;
  readonly unknown: UnknownMessages;
  readonly guard: RouteGuard;
  readonly log: Logger;
}

const nothing = z.strictObject({});

export function adminRoutes({ host, engineId, unknown, guard, log }: AdminRoutesOptions): Hono<GuardedRoutes> {
  const app = guard.routes();

  app.get(PATHS.health, (context) => {
    const facts = { connections: host.subscribers.count, unknownMessages: unknown.count, ...host.times };
    const { version } = packageJson;
    const clockJumpSeconds = host.clockJumpMs / 1000;
    const { code, message = "" } = host.refusal ?? {};
    const refusal = code && { code, message };
    const answer = {
      status: "ok" as const,
      engineId,
      ...(refusal && { refusal }),
      version,
      ...facts,
      clockJumpSeconds,
    };
    return context.json(answer satisfies z.input<typeof healthResponse>);
  });

  app.post(PATHS.acceptClock, guard.requires("Market.Operate"), async (context) => {
    await parseBody(nothing, context, guard.limits);
    const jumpMs = host.acceptClock();
    if (jumpMs === 0) {
      throw new Refusal(409, "no_clock_jump", "the engine follows its clock: there is nothing to accept");
    }
    const { id } = context.get("user");
    const side = jumpMs > 0 ? "ahead" : "behind";
    log.warn(`{userId} accepted the clock, which is {length} ${side}: engine time follows it, and trading goes on`, {
      userId: id,
      length: lengthText(jumpMs),
    });
    const { time, marketTime = time } = host.times;
    const answer = { clockJumpSeconds: jumpMs / 1000, time, marketTime };
    return context.json(answer satisfies z.input<typeof acceptClockResponse>);
  });

  return app;
}
