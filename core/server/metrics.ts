// Prometheus metrics of this process.

import { Gauge, Registry } from "prom-client";
import type { CallRecord } from "../guardrails/call-log.ts";
import { CallMetrics } from "./call-metrics.ts";
import type { Services } from "../tools/context.ts";

export class Metrics {
  readonly #registry = new Registry();
  readonly #calls = new CallMetrics(this.#registry);

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

  record(call: CallRecord): void {
    this.#calls.record(call);
  }

  get contentType(): string {
    return this.#registry.contentType;
  }

  text(): Promise<string> {
    return this.#registry.metrics();
  }
}
