// `mkt doctor`: checks everything that this configuration depends on. One line each, with the fix.

import type { Health } from "../backend/state-client.ts";
import { logger } from "../../common/logger.ts";
import { connectToOneEngine } from "../backend/same-engine.ts";
import type { Runtime } from "../runtime.ts";
import { textOf, ToolError } from "../error.ts";
import type { Finding } from "./finding.ts";
import { settingOf } from "./list-packs.ts";
import { examineTokens } from "./token-finding.ts";

export async function examine(runtime: Runtime): Promise<Finding[]> {
  const { configuration, services } = runtime;
  const { backend } = configuration;
  return [
    { subject: "configuration", state: "ok", detail: `acting as ${backend.userId}` },
    examinePacks(runtime),
    ...examineVariables(runtime),
    await tried("backend HTTP", async () => {
      const { engineId, ...time } = await services.backend.health();
      const entities = await services.backend.entities();
      return `${backend.baseUrl}, engine ${engineId}, ${entities.length} entities${clockOf(time)}`;
    }),
    await tried("backend WebSocket", async () => {
      const { engineId, userId, entityId } = await connectToOneEngine(services, backend.userId);
      return `${backend.webSocketUrl}, engine ${engineId}, ${userId} of ${entityId ?? "no entity"}`;
    }),
    await examineSimulator(runtime),
    await examineAudit(runtime),
    await examineRedis(runtime),
    await examineFreeze(runtime),
    examineTokens(configuration),
  ];
}

function examinePacks({ packs, failures, warnings }: Runtime): Finding {
  const subject = "packs";
  const faults = failures.map(({ source, reason }) => `${source}: ${reason}`);
  if (faults.length > 0) return { subject, state: "failed", detail: [...faults, ...warnings].join("; ") };
  if (warnings.length > 0) return { subject, state: "warning", detail: warnings.join("; ") };
  return { subject, state: "ok", detail: packs.map((pack) => pack.name).join(", ") };
}

/** One finding for each pack with variables of its own. */
function examineVariables({ packs }: Runtime): Finding[] {
  return packs.flatMap(({ name, origin }): Finding[] => {
    if (origin === undefined || origin.variables.length === 0) return [];
    return [{ subject: `pack ${name}`, state: "ok", detail: origin.variables.map(settingOf).join(", ") }];
  });
}

/** Says so if market time is not real time. */
function clockOf({ marketTime, clock }: Pick<Health, "marketTime" | "clock">): string {
  if (clock === null || clock.mode === "real") return "";
  const speed = clock.mode === "lockstep" ? "in lockstep" : `at speed ${clock.speed}`;
  return `, market time ${marketTime} ${speed}`;
}

async function examineRedis({ configuration: { redis, backend } }: Runtime): Promise<Finding> {
  const subject = "Redis";
  if (redis === null) return { subject, state: "off", detail: "MKT_REDIS_URL is not set: replicas share nothing" };
  const { examineRedis } = await import("../replicas/examine-redis.ts");
  return { subject, ...await examineRedis(redis, backend.userId, logger("doctor")) };
}

async function examineFreeze({ configuration, services }: Runtime): Promise<Finding> {
  const subject = "kill switch";
  const { redis, guardrails: { freezeFile } } = configuration;
  const where = [freezeFile, redis && `Redis, namespace ${redis.namespace}`].filter((place) => place !== null);
  if (where.length === 0) return { subject, state: "off", detail: "neither MKT_FREEZE_FILE nor MKT_REDIS_URL is set" };
  try {
    await services.replicas?.begin({ annotations: {} }, new AbortController().signal);
  } catch (error) {
    if (services.frozen() === null) return { subject, state: "failed", detail: textOf(error as ToolError) };
  }
  const freeze = services.frozen();
  if (freeze === null) return { subject, state: "ok", detail: `not frozen; ${where.join(" or ")} freezes` };
  return { subject, state: "failed", detail: `frozen: ${freeze.reason ?? "no reason was given"}; mkt thaw ends it` };
}

async function examineSimulator({ configuration, services }: Runtime): Promise<Finding> {
  return await tried("simulator", async () => {
    const { status, totals } = await services.simulator.status();
    return `${configuration.simulatorUrl}, ${status}, ${totals.connected} personas connected`;
  }, (error) => error.code === "not_configured");
}

async function examineAudit({ configuration, services }: Runtime): Promise<Finding> {
  const today = new Date(services.now()).toISOString().slice(0, 10);
  return await tried("storage", async () => {
    await services.audit.query({ from: today, to: today, limit: 1 });
    return `audit store ${configuration.audit.store} answers`;
  }, (error) => error.code === "not_configured");
}

async function tried(
  subject: string,
  check: () => Promise<string>,
  isOff: (error: ToolError) => boolean = () => false,
): Promise<Finding> {
  try {
    return { subject, state: "ok", detail: await check() };
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
    return { subject, state: isOff(error) ? "off" : "failed", detail: textOf(error) };
  }
}
