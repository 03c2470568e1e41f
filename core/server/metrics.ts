// The metrics of an MCP server for Prometheus. docs/telemetry.md has a table of them, and a test compares the two.

import type { Registry } from "prom-client";
import type { CollectedMetrics, Sample } from "../../common/telemetry/collected-metrics.ts";
import { Counts } from "../../common/telemetry/counts.ts";
import { metricsOfProcess } from "../../common/telemetry/metrics-of-process.ts";
import { MODULE_TYPES } from "../../protocol/modules/registry.ts";
import { CONNECTION_STATUSES, type ConnectionFacts, type PubSub } from "../backend/pubsub.ts";
import type { CallRecord, RequestRecord } from "../guardrails/call-log.ts";
import type { Services } from "../tools/context.ts";
import type { RedisFacts } from "../tools/replicas.ts";
import { CallMetrics } from "./call-metrics.ts";

type SharedFacts = Exclude<RedisFacts, { readonly status: "not_configured" }>;

/** What the metrics of a server read. */
interface Watched extends Pick<Services, "frozen" | "redis" | "snapshot"> {
  readonly pubsub: Pick<PubSub, "status" | "incomplete"> & {
    facts(): Pick<ConnectionFacts, "reconnects" | "unreadableMessages">;
  };
  readonly events: Pick<Services["events"], "latestSequence" | "stats" | "totals">;
  /** Null: there are no replicas, and no metrics of them. */
  readonly replicas: object | null;
}

export class Metrics {
  readonly #metrics = metricsOfProcess("mkt_build_info");
  readonly #calls = new CallMetrics<CallRecord>(this.#metrics, {
    total: { name: "mkt_tool_calls_total", help: "Tool calls by outcome: ok, or the code or status of the failure" },
    duration: { name: "mkt_tool_call_duration_seconds", help: "Time from a tool call's arrival to its result" },
    keyOf: ({ tool }) => tool,
    labelsOf: ({ tool }) => ({ tool }),
  });
  readonly #requests = new CallMetrics<RequestRecord>(this.#metrics, {
    total: {
      name: "mkt_requests_total",
      help: "Requests for resources, prompts, completions, subscriptions and routes of packs, by outcome",
    },
    duration: { name: "mkt_request_duration_seconds", help: "Time from such a request's arrival to its answer" },
    keyOf: ({ kind, name }) => `${kind} ${name}`,
    labelsOf: ({ kind, name }) => ({ kind, name }),
  });
  readonly #http = new Counts<number>([200]);

  constructor() {
    this.#metrics.counter("mkt_http_requests_total", "HTTP requests by status", () => this.#http.samples("status"));
  }

  /** What a scrape reads. */
  get registry(): Registry {
    return this.#metrics.registry;
  }

  /** `waitingCalls`: tool calls that wait for an event of the market. */
  watch(services: Watched, waitingCalls: () => number): void {
    const metrics = this.#metrics;
    const { frozen } = services;
    metrics.gauge("mkt_waiting_calls", "Tool calls that wait for a market event", waitingCalls);
    metrics.gauge("mkt_frozen", "1 while an operator has frozen the server", () => frozen() === null ? 0 : 1);
    addConnection(metrics, services);
    addMarket(metrics, services);
    if (services.replicas !== null) addReplicas(metrics, services);
  }

  record(call: CallRecord): void {
    this.#calls.record(call);
  }

  recordRequest(request: RequestRecord): void {
    this.#requests.record(request);
  }

  recordHttp(status: number): void {
    this.#http.add(status);
  }

  get contentType(): string {
    return this.registry.contentType;
  }

  text(): Promise<string> {
    return this.registry.metrics();
  }
}

function addConnection(metrics: CollectedMetrics, { pubsub }: Watched): void {
  // Four values and not one bit: a server that nobody has connected is right, one that can't reach the engine is not.
  metrics.gauge(
    "mkt_pubsub_status",
    "1 for the status of the WebSocket connection to the engine, 0 for the others",
    () => CONNECTION_STATUSES.map((status) => ({ labels: { status }, value: pubsub.status === status ? 1 : 0 })),
  );
  metrics.counter(
    "mkt_pubsub_reconnects_total",
    "Times a lost connection came back",
    () => pubsub.facts().reconnects,
  );
  metrics.counter(
    "mkt_pubsub_unreadable_messages_total",
    "Messages of the engine that could not be read; each makes the server reconnect",
    () => pubsub.facts().unreadableMessages,
  );
}

function addMarket(metrics: CollectedMetrics, { pubsub, events, snapshot }: Watched): void {
  metrics.counter(
    "mkt_events_total",
    "Events that have come, by category",
    () => byLabel("category", events.totals().events),
  );
  metrics.counter("mkt_event_gaps_total", "Times that events were lost with a connection", () => events.totals().gaps);
  metrics.counter("mkt_missed_events_total", "Events that were lost in such gaps", () => events.totals().missedEvents);
  metrics.gauge(
    "mkt_buffered_events",
    "Events in the buffer, by category",
    () => byLabel("category", events.stats().byCategory),
  );
  metrics.gauge(
    "mkt_snapshot_modules",
    "Modules in the snapshot of the market, by type",
    () => MODULE_TYPES.map((type) => ({ labels: { type }, value: snapshot.count(type) })),
  );
  metrics.gauge(
    "mkt_snapshot_incomplete",
    "1 while the snapshot lacks modules that could not be read",
    () => pubsub.incomplete ? 1 : 0,
  );
}

function addReplicas(metrics: CollectedMetrics, { redis, events }: Watched): void {
  const gauge = (name: string, help: string, value: (facts: SharedFacts) => number | null) =>
    metrics.gauge(name, help, () => {
      const facts = redis();
      return facts.status === "not_configured" ? null : value(facts);
    });
  gauge("mkt_redis_connected", "1 while Redis can be used", ({ status }) => status === "connected" ? 1 : 0);
  gauge(
    "mkt_replicas",
    "Running replicas of this group, this one included; absent if unknown",
    ({ replicas }) => replicas,
  );
  gauge(
    "mkt_shared_log_lag",
    "By how many sequence numbers this replica's buffer is behind the shared event log; negative if it is ahead; absent if unknown",
    ({ logSequence }) => logSequence === null ? null : logSequence - events.latestSequence,
  );
}

function byLabel(label: string, counts: Readonly<Record<string, number>>): Sample[] {
  return Object.entries(counts).map(([name, value]) => ({ labels: { [label]: name }, value }));
}
