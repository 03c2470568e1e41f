import { describe, expect, test } from "bun:test";
import { Connection } from "../../../bench/serving/connection.ts";
import { drive, type Prepared } from "../../../bench/serving/load.ts";
import { latencies, percentile } from "../../../bench/serving/open-load.ts";
import { measureRound, median, ratiosOf, type Side } from "../../../bench/serving/rounds.ts";
import { atEnd } from "../../support/at-end.ts";
import { until } from "../../support/until.ts";
import { coarseClock } from "../coarse-clock.ts";

const REQUEST = Buffer.from("POST / HTTP/1.1\r\nHost: bench\r\nContent-Length: 2\r\n\r\nhi");

/** Connections to a server that gives these answers in turn. */
async function connectionsTo(answers: readonly string[], count = 1): Promise<Connection[]> {
  let calls = 0;
  const fetch = () => new Response(answers[calls++ % answers.length]);
  const server = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch });
  const connections = await Promise.all(Array.from({ length: count }, () => Connection.open(server.url.origin)));
  atEnd(async () => {
    for (const connection of connections) connection.close();
    await server.stop(true);
  });
  return connections;
}

const prepared = (answer: string): Prepared => ({ bytes: REQUEST, answerBytes: answer.length });

describe("closed load", () => {
  test("counts every answer, on all connections", async () => {
    const connections = await connectionsTo(["right"], 8);
    expect(await drive(connections, [prepared("right")], (sent) => sent < 500)).toBe(500);
  });

  test("fails with the first answer of another length", async () => {
    const connections = await connectionsTo(["right", "right", "wrong one"]);
    await expect(drive(connections, [prepared("right")], (sent) => sent < 10)).rejects.toThrow("9 bytes instead of 5");
  });

  test("reopens a connection that the server has ended while it was idle, and no other", async () => {
    let opened = 0;
    const open = (socket: { end: () => void }) => ++opened === 1 ? socket.end() : undefined;
    const server = Bun.listen({ hostname: "127.0.0.1", port: 0, socket: { open, data: () => {} } });
    atEnd(() => server.stop(true));
    const connection = await Connection.open(`http://127.0.0.1:${server.port}`);
    await until(async () => {
      await connection.reopen();
      return opened === 2;
    });
    await connection.reopen();
    expect(opened).toBe(2);
  });

  test("fails if the server ends a connection", async () => {
    const server = Bun.listen({ hostname: "127.0.0.1", port: 0, socket: { data: (socket) => void socket.end() } });
    atEnd(() => server.stop(true));
    const connection = await Connection.open(`http://127.0.0.1:${server.port}`);
    await expect(drive([connection], [prepared("right")], () => true)).rejects.toThrow("ended a connection");
  });
});

describe("open load", () => {
  test("gives a latency for each request of the schedule", async () => {
    const connections = await connectionsTo(["right"], 2);
    const measured = await latencies(connections, [prepared("right")], { perSecond: 2_000, seconds: 0.1 });
    expect(measured).toHaveLength(200);
    expect(measured.every((milliseconds) => milliseconds > 0)).toBe(true);
  });

  test("has percentiles: half of the values 1 to 100 don't exceed 50", () => {
    const values = Float64Array.from({ length: 100 }, (_, at) => at + 1);
    expect([0.5, 0.99, 0.999, 0].map((share) => percentile(values, share))).toEqual([50, 99, 100, 1]);
  });
});

describe("a round", () => {
  /** A server whose processor clock ticks in 10 ms. */
  async function sideWithCoarseClock(): Promise<Side & { readonly checks: () => number }> {
    const clock = coarseClock();
    let checks = 0;
    return {
      connections: await connectionsTo(["right"]),
      requests: [prepared("right")],
      usage: () => Promise.resolve({ processorMicroseconds: clock.now() / 1000, residentBytes: 0 }),
      check: () => Promise.resolve(void (checks += 1)),
      checks: () => checks,
    };
  }

  test("goes on until the processor clock has moved by ten ticks, and checks answers before and after", async () => {
    const side = await sideWithCoarseClock();
    const { microseconds, callsPerSecond, calls } = await measureRound(side, { milliseconds: 1, minProcessorMs: 100 });
    // Ten or eleven ticks: dividing by the calls and multiplying again is not exact.
    expect([100_000, 110_000]).toContain(Math.round(microseconds * calls));
    expect(callsPerSecond).toBeGreaterThan(0);
    expect(side.checks()).toBe(2);
  });

  test("ratios are medians over pairs of rounds", () => {
    const round = { calls: 1, generatorMicroseconds: 1 };
    const rounds = (...values: readonly number[]) =>
      values.map((value) => ({ ...round, microseconds: value, callsPerSecond: 1_000 / value }));
    expect(ratiosOf(rounds(1, 2, 1), rounds(4, 4, 100))).toEqual({ processor: 4, rate: 4 });
    expect(median([4, 1, 3, 2])).toBe(2.5);
  });
});
