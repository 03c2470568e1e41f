// `mkt doctor`: checks everything that this configuration depends on. One line each, with the fix.
//
// What others have to answer is asked at the same time: with an engine that hangs it takes as long as the slowest limit (15 s).

import { dayOf } from "../../common/audit/audit-search.ts";
import { BackendHttp } from "../../core/backend/backend-http.ts";
import type { Health } from "../../core/backend/state-client.ts";
import { logger } from "../../common/logger.ts";
import { connectToOneEngine } from "../../core/backend/same-engine.ts";
import type { Runtime } from "../../core/runtime.ts";
import { textOf, ToolError } from "../../core/error.ts";
import type { Configuration } from "../../core/config/configuration.ts";
import type { Environment, VariableName } from "../../core/config/variables.ts";
import { telemetrySettings } from "../../common/open-telemetry.ts";
import type { Services } from "../../core/tools/context.ts";
import { SERVICE_NAME } from "../configured.ts";
import { examineBackup } from "./backup-finding.ts";
import { examineData } from "./data-finding.ts";
import { descriptorLimit, examineDescriptors } from "./descriptor-finding.ts";
import { examineDisk } from "./disk-finding.ts";
import { type ClockSample, examineClock, examineIdentity, examineRefusal, examineVersions } from "./engine-findings.ts";
import type { Finding } from "./finding.ts";
import { settingOf } from "../server/list-packs.ts";
import { examineModes } from "./mode-finding.ts";
import { examinePort } from "./port-finding.ts";
import { examineTelemetry } from "./telemetry-finding.ts";
import { examineTokens } from "./token-finding.ts";

/** Files with the key of a client of OTLP. */
const CLIENT_KEYS = [
  "OTEL_EXPORTER_OTLP_CLIENT_KEY",
  "OTEL_EXPORTER_OTLP_TRACES_CLIENT_KEY",
  "OTEL_EXPORTER_OTLP_METRICS_CLIENT_KEY",
] as const satisfies readonly VariableName[];

/** What the command line adds to the configuration. */
interface Host {
  /** The engine's data directory, if it is on this host. */
  readonly data?: string | undefined;
  /** WebSocket connections that an engine with this environment accepts. */
  readonly engineConnections?: number;
  readonly environment?: Environment;
}

export async function examine(runtime: Runtime, host: Host = {}): Promise<Finding[]> {
  const { configuration, services } = runtime;
  const { backend } = configuration;
  let health: Health | null = null;
  let socketTime: ClockSample | null = null;
  const asked = await Promise.all([
    tried("backend HTTP", async () => {
      health = await services.backend.health();
      const entities = await services.backend.entities();
      return `${backend.baseUrl}, engine ${health.engineId}, ${entities.length} entities${clockOf(health)}`;
    }),
    tried("backend WebSocket", async () => {
      const askedAt = services.now();
      const { engineId, userId, entityId } = await connectToOneEngine(services, backend.userId);
      socketTime = sampleSince(askedAt, services);
      return `${backend.webSocketUrl}, engine ${engineId}, ${userId} of ${entityId ?? "no entity"}`;
    }),
    examineSimulator(runtime),
    examineAudit(runtime),
    examineRedis(runtime),
    examineBackup(engineOf(configuration), services.now),
    examinePort(configuration.http),
    examineTelemetry(telemetrySettings(host.environment ?? {}, SERVICE_NAME)),
  ]);
  const [http, webSocket, ...others] = asked;
  // The compiler does not see that the functions above set it.
  const answered = health as Health | null;
  return [
    { subject: "configuration", state: "ok", detail: `acting as ${backend.userId}` },
    examinePacks(runtime),
    ...examineVariables(runtime),
    withUnsetBaseUrl(http, configuration, host.environment),
    webSocket,
    await examineClock({
      health: answered === null ? null : () => services.backend.health(),
      fromWebSocket: () => socketTime,
      now: services.now,
    }),
    examineIdentity(backend.engineId, answered),
    examineVersions(services.server.version, answered),
    examineRefusal(answered),
    ...others,
    await examineFreeze(runtime),
    examineTokens(configuration, host.environment),
    ...examineHost(runtime, host),
  ];
}

/**
 * HTTP asks the default address, also if MKT_HOST names another one: the fault is then probably that MKT_BASE_URL is not set.
 */
function withUnsetBaseUrl(http: Finding, { backend }: Configuration, environment: Environment = {}): Finding {
  const { host, protocol } = new URL(backend.webSocketUrl);
  if (http.state !== "failed" || environment["MKT_BASE_URL"] || new URL(backend.baseUrl).host === host) return http;
  const address = `${protocol === "wss:" ? "https" : "http"}://${host}`;
  const advice =
    `MKT_BASE_URL is not set, and the WebSocket is at ${host}: set MKT_BASE_URL, for example to ${address}.`;
  return { ...http, detail: `${http.detail} ${advice}` };
}

/** The engine's clock as a connection tells it that began after `askedAt`; null if its market is not in real time. */
function sampleSince(askedAt: number, { pubsub, now }: Services): ClockSample | null {
  const { clock } = pubsub.facts();
  if (clock !== null && clock.mode !== "real") return null;
  // A lower bound for the engine's clock now. What it lacks is at most the time since `askedAt`.
  return { askedAt, engineTime: pubsub.marketTime(), answeredAt: now() };
}

/** The engine over HTTP, for what is no part of the protocol. */
function engineOf({ backend: { baseUrl, bearerToken: token, userId } }: Configuration): BackendHttp {
  return new BackendHttp({ baseUrl, token, actingUserId: () => userId });
}

function examineHost({ configuration }: Runtime, { environment = {}, ...host }: Host): Finding[] {
  const { http, guardrails: { callLog, freezeFile } } = configuration;
  const ofData = examineData(host.data ?? null);
  // What a data directory needs must not be said of another folder.
  const data = ofData.state === "failed" ? null : host.data ?? null;
  const secretFiles = {
    DOTENV_PATH: environment["DOTENV_PATH"],
    MCP_BEARER_TOKEN_FILE: http?.tokenFile,
    MKT_BEARER_TOKEN_FILE: environment["MKT_BEARER_TOKEN_FILE"],
    MKT_ENGINE_TOKEN_FILE: environment["MKT_ENGINE_TOKEN_FILE"],
    ...Object.fromEntries(CLIENT_KEYS.map((name) => [name, environment[name]])),
  };
  const engineConnections = data === null ? null : host.engineConnections ?? null;
  return [
    ofData,
    examineDisk({ callLog, freezeFile, data }),
    examineModes({ secretFiles, callLog, freezeFile, data }),
    examineDescriptors(descriptorLimit(), { maxRequests: http?.maxRequests ?? null, engineConnections }),
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
  const { examineRedis } = await import("../../replicas/examine-redis.ts");
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
  const isUnreadableFile = freezeFile !== null && freeze.since === null;
  const end = isUnreadableFile ? "" : "; mkt thaw ends it";
  return { subject, state: "failed", detail: `frozen: ${freeze.reason ?? "no reason was given"}${end}` };
}

async function examineSimulator({ configuration, services }: Runtime): Promise<Finding> {
  return await tried("simulator", async () => {
    const { status, totals } = await services.simulator.status();
    return `${configuration.simulatorUrl}, ${status}, ${totals.connected} personas connected`;
  }, (error) => error.code === "not_configured");
}

async function examineAudit({ configuration, services }: Runtime): Promise<Finding> {
  const today = dayOf(services.now());
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
