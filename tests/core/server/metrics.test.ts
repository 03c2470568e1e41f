import { expect, test } from "bun:test";
import fc from "fast-check";
import { Counter, Histogram, Registry } from "prom-client";
import packageJson from "../../../package.json" with { type: "json" };
import { Metrics } from "../../../core/server/metrics.ts";
import type { Services } from "../../../core/tools/context.ts";

/** The samples of a scrape, without comments. */
async function samples(metrics: Metrics): Promise<string[]> {
  return (await metrics.text()).split("\n").filter((line) => line !== "" && !line.startsWith("#"));
}

/** Metrics of services that a test may change. */
function watching(further: Record<string, unknown> = {}) {
  const facts = { reconnects: 3, unreadableMessages: 2 };
  const pubsub = { status: "connected", incomplete: true, facts: () => facts };
  const state = { frozen: null as { reason: null } | null };
  const services = {
    pubsub,
    replicas: null,
    frozen: () => state.frozen,
    events: {
      latestSequence: 117,
      stats: () => ({ byCategory: { order: 5, fill: 0 } }),
      totals: () => ({ events: { order: 8, fill: 1 }, gaps: 2, missedEvents: 40 }),
    },
    snapshot: { count: (type: string) => type.length },
    ...further,
  } as unknown as Services;
  const metrics = new Metrics();
  metrics.watch(services, () => 7);
  return { metrics, pubsub, facts, state };
}

test("gauges are read when the metrics are requested", async () => {
  const { metrics, pubsub, facts, state } = watching();
  expect(await samples(metrics)).toEqual(expect.arrayContaining([
    `mkt_build_info{version="${packageJson.version}"} 1`,
    `mkt_pubsub_status{status="disconnected"} 0`,
    `mkt_pubsub_status{status="connected"} 1`,
    "mkt_pubsub_reconnects_total 3",
    "mkt_pubsub_unreadable_messages_total 2",
    "mkt_frozen 0",
    "mkt_waiting_calls 7",
    `mkt_buffered_events{category="order"} 5`,
    `mkt_buffered_events{category="fill"} 0`,
    `mkt_events_total{category="order"} 8`,
    "mkt_event_gaps_total 2",
    "mkt_missed_events_total 40",
    `mkt_snapshot_modules{type="ORDER"} 5`,
    "mkt_snapshot_incomplete 1",
  ]));
  pubsub.status = "reconnecting";
  facts.reconnects = 4;
  state.frozen = { reason: null };
  expect(await samples(metrics)).toEqual(
    expect.arrayContaining([
      `mkt_pubsub_status{status="connected"} 0`,
      `mkt_pubsub_status{status="reconnecting"} 1`,
      "mkt_pubsub_reconnects_total 4",
      "mkt_frozen 1",
    ]),
  );
});

test("calls are counted by tool and outcome, and timed in seconds", async () => {
  const metrics = new Metrics();
  const call = { tool: "mkt_ping", durationMs: 50 };
  for (const outcome of ["ok", "ok", "timeout"]) metrics.record({ ...call, outcome } as never);
  expect(metrics.contentType).toContain("text/plain");
  expect(await samples(metrics)).toEqual(expect.arrayContaining([
    `mkt_tool_calls_total{tool="mkt_ping",outcome="ok"} 2`,
    `mkt_tool_calls_total{tool="mkt_ping",outcome="timeout"} 1`,
    `mkt_tool_call_duration_seconds_bucket{le="0.01",tool="mkt_ping"} 0`,
    `mkt_tool_call_duration_seconds_bucket{le="0.05",tool="mkt_ping"} 3`,
    `mkt_tool_call_duration_seconds_count{tool="mkt_ping"} 3`,
  ]));
});

const OF_CALLS = /^# HELP mkt_(tool_call|request)/;
const BUCKETS = [0.0005, 0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 15, 30];

test("calls give the text that prom-client makes of the same observations", async () => {
  const name = fc.constantFrom("mkt_ping", "mkt_list_orders", 'mkt_"odd"');
  const outcome = fc.constantFrom("ok", "timeout", "not_found");
  const seconds = fc.oneof(fc.constantFrom(0, 0.0005, 0.001, 0.1, 30, 31), fc.double({ min: 0, max: 40, noNaN: true }));
  const calls = fc.array(fc.record({ tool: name, outcome, durationMs: seconds.map((value) => value * 1000) }));
  await fc.assert(fc.asyncProperty(calls, async (calls) => {
    const metrics = new Metrics();
    const { record, text } = peer();
    for (const call of calls) {
      metrics.record(call as never);
      metrics.recordRequest({ ...call, kind: "resource", name: call.tool } as never);
      record(call);
    }
    for (let scrape = 0; scrape < 2; scrape++) {
      const families = (await metrics.text()).split("\n\n");
      expect(families.filter((family) => OF_CALLS.test(family)).join("\n\n")).toBe((await text()).trimEnd());
    }
  }));
});

/** The same metrics, each observation given to prom-client at once. */
function peer() {
  const registry = new Registry();
  const registers = [registry];
  const common = (name: string, help: string, labelNames: string[]) => ({ name, help, labelNames, registers });
  const counter = (name: string, help: string, labels: string[]) => new Counter(common(name, help, labels));
  const histogram = (name: string, help: string, labels: string[]) =>
    new Histogram({ ...common(name, help, labels), buckets: BUCKETS });
  const outcome = ["tool", "outcome"];
  const calls = counter(
    "mkt_tool_calls_total",
    "Tool calls by outcome: ok, or the code or status of the failure",
    outcome,
  );
  const durations = histogram("mkt_tool_call_duration_seconds", "Time from a tool call's arrival to its result", [
    "tool",
  ]);
  const what = "Requests for resources, prompts, completions, subscriptions and routes of packs, by outcome";
  const requests = counter("mkt_requests_total", what, ["kind", "name", "outcome"]);
  const time = "Time from such a request's arrival to its answer";
  const requestDurations = histogram("mkt_request_duration_seconds", time, ["kind", "name"]);
  return {
    record({ tool, outcome, durationMs }: { tool: string; outcome: string; durationMs: number }) {
      calls.inc({ tool, outcome });
      durations.observe({ tool }, durationMs / 1000);
      requests.inc({ kind: "resource", name: tool, outcome });
      requestDurations.observe({ kind: "resource", name: tool }, durationMs / 1000);
    },
    text: () => registry.metrics(),
  };
}

test("a tool has at most 100 outcomes; further ones are counted together", async () => {
  const metrics = new Metrics();
  for (let number = 0; number < 1000; number++) {
    metrics.record({ tool: "mkt_ping", outcome: `made-up-${number}`, durationMs: 1 } as never);
  }
  const counted = (await samples(metrics)).filter((line) => line.startsWith("mkt_tool_calls_total"));
  expect(counted).toHaveLength(101);
  expect(counted.at(-1)).toBe('mkt_tool_calls_total{tool="mkt_ping",outcome="(other)"} 900');
});

test("what replicas share has gauges, and a number that is unknown has no sample", async () => {
  const facts: Record<string, unknown> = { status: "connected", replicas: 3, logSequence: 120 };
  const { metrics } = watching({ replicas: {}, redis: () => facts });
  expect(await samples(metrics))
    .toEqual(expect.arrayContaining(["mkt_redis_connected 1", "mkt_replicas 3", "mkt_shared_log_lag 3"]));
  Object.assign(facts, { status: "unavailable", replicas: null, logSequence: null });
  const unknown = await samples(metrics);
  expect(unknown).toContain("mkt_redis_connected 0");
  expect(unknown.filter((line) => /mkt_replicas|mkt_shared_log_lag/.test(line))).toEqual([]);
});
