// Builds the runtime for one configuration: connections, snapshot, event buffer, packs, dispatcher. The caller passes the
// packs. Transports and commands use the runtime.

import { type Advice, NEUTRAL_ADVICE } from "./advice.ts";
import { auditReader } from "./audit/audit-reader.ts";
import { BackendAuditStore } from "./audit/backend-audit-store.ts";
import { connectToOneEngine } from "./backend/same-engine.ts";
import { actingUserId } from "./backend/acting-user.ts";
import { HttpStateClient } from "./backend/http-state-client.ts";
import type { PubSub } from "./backend/pubsub.ts";
import { PubSubClient } from "./backend/pubsub-client.ts";
import type { PubSubOptions } from "./backend/pubsub-options.ts";
import type { Configuration } from "./config/configuration.ts";
import type { AnyEnvironment } from "../common/environment.ts";
import { TokenStore } from "../common/http/token-store.ts";
import type { Telemetry } from "../common/telemetry/telemetry.ts";
import type { Tracer } from "../common/telemetry/tracer.ts";
import { steadyNow } from "../common/steady-now.ts";
import { hideInLogs, logger } from "../common/logger.ts";
import { EventBuffer } from "./market/event-buffer.ts";
import { Snapshot } from "./market/snapshot.ts";
import { type LoadedPacks, loadPacks } from "./packs/pack-loader.ts";
import type { Pack } from "./packs/pack.ts";
import { CallLog } from "./guardrails/call-log.ts";
import { boundedPayload, orderBoundsOf } from "./guardrails/order-bounds.ts";
import { pullKillSwitch } from "./guardrails/kill-switch.ts";
import { FreezeFile } from "./guardrails/freeze-file.ts";
import type { Joined, JoinOptions, ReplicaModule } from "./tools/replicas.ts";
import type { Metrics } from "./server/metrics.ts";
import { HttpSimulatorClient } from "./backend/http-simulator-client.ts";
import { ToolCatalogue } from "./dispatch/catalogue.ts";
import type { Services } from "./tools/context.ts";
import { entriesOf, type StartTable } from "./start/start-table.ts";
import { Dispatcher } from "./dispatch/dispatcher.ts";
import { type Offers, offersOf } from "./dispatch/offers.ts";

/** What is built into this executable. */
export interface Program {
  readonly packs: readonly Pack[];
  readonly version: string;
  /** What an MCP client is told about the server as a whole. */
  readonly instructions: string;
  /** What the build has written into the executable; null or absent if there is nothing. */
  readonly table?: StartTable | null;
  /** Loads what servers share on Redis; called only if MKT_REDIS_URL is set. Absent: that variable is refused. */
  readonly replicas?: () => Promise<ReplicaModule>;
}

export interface Runtime extends LoadedPacks {
  readonly configuration: Configuration;
  readonly services: Services;
  readonly dispatcher: Dispatcher;
  readonly offers: Offers;
  /** Null on stdio, where nobody could read them, unless they are sent by OTLP. */
  readonly metrics: Metrics | null;
  /** The tokens that MCP over HTTP accepts. */
  readonly tokens: TokenStore;
  /** Disconnects from the backend, and sends the last traces and metrics. */
  close(): Promise<void>;
}

/** What a process is to the replicas that share MKT_REDIS_URL; `none`: it does not ask Redis at all. */
export type ReplicaRole = JoinOptions["role"] | "none";

/** `environment`: where packs in MKT_PLUGIN_DIR have their own variables. */
export async function createRuntime(
  configuration: Configuration,
  program: Program,
  environment: AnyEnvironment = {},
  role: ReplicaRole = "member",
  telemetry: Telemetry | null = null,
): Promise<Runtime> {
  const tracer = telemetry?.tracer ?? null;
  const loaded = await loadPacks(program.packs, configuration, environment);
  const secrets = [...loaded.secrets, ...await redisSecrets(configuration, program), ...telemetry?.secrets ?? []];
  hideInLogs(secrets);
  const catalogue = new ToolCatalogue(loaded.packs.flatMap((pack) => pack.tools), {
    outputSchemas: configuration.outputSchemas,
    ...(program.table && { entries: entriesOf(program.table) }),
  });
  const { services, disconnect } = await createServices(configuration, program, {
    tools: new Set(catalogue.names),
    role,
    tracer,
  });
  const sendsMetrics = telemetry?.sendsMetrics === true;
  const metrics = configuration.http === null && !sendsMetrics
    ? null
    : new (await import("./server/metrics.ts")).Metrics();
  const log = logger("call");
  const tokens = new TokenStore({
    token: configuration.http?.bearerToken ?? null,
    file: configuration.http?.tokenFile ?? null,
    variables: { token: "MCP_BEARER_TOKEN", file: "MCP_BEARER_TOKEN_FILE" },
    log: logger("tokens"),
  });
  const callLog = callLogOf(configuration, tokens, secrets);
  const dispatcher = new Dispatcher(catalogue, services, (record) => {
    metrics?.record(record);
    const { tool, outcome, durationMs } = record;
    log.debug("{tool}: {outcome} in {durationMs} ms", { tool, outcome, durationMs });
    callLog?.record(record);
  }, tracer);
  const offers = offersOf(loaded.packs, dispatcher, (record) => {
    metrics?.recordRequest(record);
    const { kind, name, outcome, durationMs } = record;
    log.debug("{kind} {name}: {outcome} in {durationMs} ms", { kind, name, outcome, durationMs });
    callLog?.record(record);
  });
  metrics?.watch(services, () => dispatcher.waiting);
  if (metrics !== null && sendsMetrics) telemetry.send(() => metrics.registry.getMetricsAsJSON());
  return {
    ...loaded,
    configuration,
    services,
    dispatcher,
    offers,
    metrics,
    tokens,
    close: async () => {
      await services.replicas?.close();
      // Not that of the other replicas.
      await disconnect();
      await telemetry?.stop();
    },
  };
}

interface ServiceOptions {
  readonly tools: ReadonlySet<string>;
  readonly role: ReplicaRole;
  readonly tracer: Tracer | null;
}

async function createServices(
  configuration: Configuration,
  { packs, version, instructions, replicas: module }: Program,
  { tools, role, tracer }: ServiceOptions,
): Promise<{ readonly services: Services; readonly disconnect: () => Promise<void> }> {
  const snapshot = new Snapshot();
  const events = new EventBuffer(configuration.eventBufferSize);
  const { backend } = configuration;
  const advice: Advice = Object.assign({}, NEUTRAL_ADVICE, ...packs.map((pack) => pack.advice));
  const client = pubsubClient(configuration, { snapshot, events, advice, tracer });
  const http = {
    baseUrl: backend.baseUrl,
    token: backend.bearerToken,
    tokenSetting: backend.tokenSetting,
    actingUserId: () => actingUserId({ pubsub: client, configuration }),
    tracer,
  };
  const state = new HttpStateClient(http);
  const log = logger("replicas");
  const connect = (userId: string, signal?: AbortSignal) =>
    connectToOneEngine({ pubsub: client, backend: state, configuration, log }, userId, signal);
  const { pubsub, replicas } = await joined(configuration, role, module, { client, connect, events, advice, log });
  const { freezeFile } = configuration.guardrails;
  const file = freezeFile === null ? null : new FreezeFile(freezeFile);
  const services: Services = {
    configuration,
    replicas,
    redis: () => replicas?.facts() ?? { status: "not_configured" },
    frozen: () => file?.read() ?? replicas?.frozen() ?? null,
    freeze: (reason) => pullKillSwitch({ file, replicas }, reason),
    backend: state,
    pubsub,
    snapshot,
    events,
    audit: auditReader(configuration, new BackendAuditStore(http), () => pubsub.marketTime()),
    simulator: new HttpSimulatorClient(
      { ...http, baseUrl: configuration.simulatorUrl, advice },
      backend.confirmTimeoutMs,
    ),
    server: { name: "mkt", version, instructions, tools },
    advice,
    now: Date.now,
    log: logger("tools"),
  };
  return { services, disconnect: () => client.disconnect() };
}

/** The connection to the market, alone or together with replicas. */
async function joined(
  { redis, backend: { userId } }: Configuration,
  role: ReplicaRole,
  module: Program["replicas"],
  options: Pick<JoinOptions, "client" | "connect" | "events" | "advice" | "log">,
): Promise<Joined | { readonly pubsub: PubSub; readonly replicas: null }> {
  if (redis === null || role === "none") return { pubsub: options.client, replicas: null };
  if (module === undefined) throw new Error("MKT_REDIS_URL: this program shares nothing on Redis; unset the variable");
  const { joinReplicas } = await module();
  return joinReplicas({ ...options, ...redis, userId, role });
}

async function redisSecrets({ redis }: Configuration, { replicas }: Program): Promise<readonly string[]> {
  if (redis === null || replicas === undefined) return [];
  const { addressSecrets } = await replicas();
  return addressSecrets(redis.url);
}

function pubsubClient(
  configuration: Configuration,
  parts: Required<Pick<PubSubOptions, "snapshot" | "events" | "advice" | "tracer">>,
): PubSubClient {
  const { webSocketUrl: url, bearerToken: token, ...backend } = configuration.backend;
  const { tokenSetting, engineId, userId: configuredUserId, allowedUserIds, confirmTimeoutMs, autoConnect } = backend;
  const orderBounds = orderBoundsOf(configuration);
  return new PubSubClient({
    url,
    token,
    engineId,
    tokenSetting,
    configuredUserId,
    allowedUserIds,
    confirmTimeoutMs,
    autoConnect,
    ...parts,
    bounded: (action, payload) => boundedPayload(action, payload, orderBounds),
    log: logger("pubsub"),
    now: Date.now,
    steadyNow,
  });
}

function callLogOf(
  { guardrails, backend, stressTestSecret, audit }: Configuration,
  tokens: TokenStore,
  ofPacks: readonly string[],
): CallLog | null {
  if (guardrails.callLog === null) return null;
  const own = [backend.bearerToken, stressTestSecret, audit.accountKey].filter((secret) => secret !== null);
  const others = [...own, ...ofPacks];
  let known = tokens.secrets();
  let secrets = [...known, ...others];
  const currentSecrets = () => {
    const ofTokens = tokens.secrets();
    if (ofTokens !== known) secrets = [...ofTokens, ...others];
    known = ofTokens;
    return secrets;
  };
  return new CallLog({ target: guardrails.callLog, secrets: currentSecrets, now: Date.now });
}
