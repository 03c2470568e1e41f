// Prometheus metrics of this process.

import { Gauge, Registry } from "prom-client";
import type { CallRecord, RequestRecord } from "../guardrails/call-log.ts";
import { CallMetrics } from "./call-metrics.ts";
import type { Services } from "../tools/context.ts";
import type { RedisFacts } from "../tools/replicas.ts";

type SharedFacts = Exclude<RedisFacts, { readonly status: "not_configured" }>;

export class Metrics {
  readonly #registry = new Registry();
  readonly #calls = new CallMetrics<CallRecord>(this.#registry, {
    total: { name: "mkt_tool_calls_total", help: "Tool calls by outcome: ok, or the code or status of the failure" },
    duration: { name: "mkt_tool_call_duration_seconds", help: "Time from a tool call's arrival to its result" },
    labelNames: ["tool"],
    keyOf: ({ tool }) => tool,
    labelsOf: ({ tool }) => ({ tool }),
  });
  readonly #requests = new CallMetrics<RequestRecord>(this.#registry, {
    total: {
      name: "mkt_requests_total",
      help: "Requests for resources, prompts, completions, subscriptions and routes of packs, by outcome",
    },
    duration: { name: "mkt_request_duration_seconds", help: "Time from such a request's arrival to its answer" },
    labelNames: ["kind", "name"],
    keyOf: ({ kind, name }) => `${kind} ${name}`,
    labelsOf: ({ kind, name }) => ({ kind, name }),
  });

  /** Adds gauges, which read their values when the metrics are requested. */
  watch(services: Services, waiting: () => number): void {
    const registers = [this.#registry];
    const gauge = (name: string, help: string, value: () => number) =>
      new Gauge({
        name,
        help,
        registers,
        collect() {
          this.set(value());
        },
      });
    const { pubsub, events, frozen } = services;
    gauge(
      "mkt_pubsub_connected",
      "1 while the WebSocket connection to the backend is up",
      () => pubsub.status === "connected" ? 1 : 0,
    );
    gauge("mkt_pubsub_reconnects", "Times a lost connection came back", () => pubsub.facts().reconnects);
    gauge("mkt_waiting_calls", "Tool calls that wait for a market event", waiting);
    gauge("mkt_frozen", "1 while an operator has frozen the server", () => frozen() === null ? 0 : 1);
    if (services.replicas !== null) this.#watchReplicas(services);
    new Gauge({
      name: "mkt_buffered_events",
      help: "Events in the buffer",
      labelNames: ["category"],
      registers,
      collect() {
        for (const [category, count] of Object.entries(events.stats().byCategory)) this.set({ category }, count);
      },
    });
  }

  #watchReplicas({ redis, events }: Pick<Services, "redis" | "events">): void {
    const registers = [this.#registry];
    const gauge = (name: string, help: string, value: (facts: SharedFacts) => number | null) =>
      new Gauge({
        name,
        help,
        registers,
        collect() {
          const facts = redis();
          this.set(facts.status === "not_configured" ? NaN : value(facts) ?? NaN);
        },
      });
    gauge("mkt_redis_connected", "1 while Redis can be used", ({ status }) => status === "connected" ? 1 : 0);
    gauge(
      "mkt_replicas",
      "Running replicas of this group, this one included; NaN if unknown",
      ({ replicas }) => replicas,
    );
    gauge(
      "mkt_shared_log_lag",
      "By how many sequence numbers this replica's buffer is behind the shared event log; negative if it is ahead; NaN if unknown",
      ({ logSequence }) => logSequence === null ? null : logSequence - events.latestSequence,
    );
  }

  record(call: CallRecord): void {
    this.#calls.record(call);
  }

  recordRequest(request: RequestRecord): void {
    this.#requests.record(request);
  }

  get contentType(): string {
    return this.#registry.contentType;
  }

  text(): Promise<string> {
    return this.#registry.metrics();
  }
}
