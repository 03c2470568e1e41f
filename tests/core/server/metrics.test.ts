import { expect, test } from "bun:test";
import { Metrics } from "../../../core/server/metrics.ts";
import type { Services } from "../../../core/tools/context.ts";

/** The samples of a scrape, without comments. */
async function samples(metrics: Metrics): Promise<string[]> {
  return (await metrics.text()).split("\n").filter((line) => line !== "" && !line.startsWith("#"));
}

test("gauges are read when the metrics are requested", async () => {
  const state = { status: "connected", reconnects: 3, frozen: null as { reason: null } | null };
  const services = {
    pubsub: {
      get status() {
        return state.status;
      },
      facts: () => ({ reconnects: state.reconnects }),
    },
    frozen: () => state.frozen,
    events: { stats: () => ({ byCategory: { order: 5, fill: 0 } }) },
  } as unknown as Services;
  const metrics = new Metrics();
  metrics.watch(services, () => 7);
  expect(await samples(metrics)).toEqual(expect.arrayContaining([
    "mkt_pubsub_connected 1",
    "mkt_pubsub_reconnects 3",
    "mkt_frozen 0",
    "mkt_waiting_calls 7",
    `mkt_buffered_events{category="order"} 5`,
    `mkt_buffered_events{category="fill"} 0`,
  ]));
  Object.assign(state, { status: "reconnecting", reconnects: 4, frozen: { reason: null } });
  expect(await samples(metrics)).toEqual(
    expect.arrayContaining(["mkt_pubsub_connected 0", "mkt_pubsub_reconnects 4", "mkt_frozen 1"]),
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
