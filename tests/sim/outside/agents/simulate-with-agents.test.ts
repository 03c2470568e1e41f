import { describe, expect, test } from "bun:test";
import { connect } from "node:net";
import { join } from "node:path";
import type { Experiment } from "../../../../sim/experiment/experiment.ts";
import { presetExperiment } from "../../../../sim/experiment/read-experiment.ts";
import { simulate } from "../../../../sim/headless/simulate.ts";
import { AGENT_MESSAGES, type Observe } from "../../../../sim/outside/agents/agent-messages.ts";
import { temporaryDirectory } from "../../../support/temporary-directory.ts";
import { until } from "../../../support/until.ts";
import { HOUR, seldomRevised } from "../../headless/support.ts";
import {
  type AgentPlan,
  connectTo,
  host,
  lasting,
  only,
  play,
  playAgent,
  quotesAround,
  submission,
  withoutRunId,
} from "./support.ts";

/** A market with many trades, for tests that need some. Others are quicker in a thin one. */
const BUSY = seldomRevised(presetExperiment("calm"), HOUR);

describe("a run with an agent", () => {
  test("tells it what the schemas say, at the times that it asks for", async () => {
    const { messages: [messages = []] } = await play([{
      hello: { products: ["NORTH-DA-BASE"], wakeMs: 240_000 },
      decide: (observation) => ({ actions: quotesAround(observation) }),
    }]);
    for (const message of messages) {
      expect(AGENT_MESSAGES[message.type].schema.safeParse(message).error).toBeUndefined();
    }
    expect(messages.map(({ type }) => type).slice(0, 3)).toEqual(["welcome", "observe", "answer"]);
    const [welcome] = only(messages, "welcome");
    expect(welcome).toMatchObject({
      agentId: "agent-tester",
      start: "2026-03-02T06:00:00.000Z",
      end: "2026-03-02T06:15:00.000Z",
      steps: null,
      nodes: ["NORTH", "WEST"],
    });
    expect(welcome?.runId).toMatch(/^[0-9a-f-]{36}$/);
    expect(new Set(welcome?.contracts.map(({ productId }) => productId))).toEqual(new Set(["NORTH-DA-BASE"]));
    const observations = only(messages, "observe");
    expect(observations.map(({ time, reason }) => `${reason} ${time.slice(14, 19)}`)).toEqual([
      "start 00:00",
      "time 04:00",
      "time 08:00",
      "time 12:00",
    ]);
    expect(observations[0]).toMatchObject({ listed: [], trades: [], fills: [], cash: 0, profitAndLoss: 0 });
    expect(observations[1]?.orders.length).toBeGreaterThan(0);
    expect(messages.at(-1)).toMatchObject({ type: "end", reason: "finished", time: welcome?.end });
  });

  test("has its trades in report and books, and sums stay zero", async () => {
    let trades = 0;
    const { report, messages: [messages = []] } = await play([{
      hello: { wakeMs: 20_000, products: ["NORTH-DA-BASE"] },
      decide: (observation) => ({ actions: quotesAround(observation), next: { fill: true } }),
      onAnswer: (results) => trades += results.flatMap((result) => result.accepted ? result.trades : []).length,
    }], { ...BUSY, hours: 0.25 });
    const line = report.personas.find(({ id }) => id === "agent-tester");
    expect(line?.strategy).toBe("agent");
    expect(line?.trades).toBeGreaterThan(0);
    expect(only(messages, "end")[0]?.report).toEqual(JSON.parse(JSON.stringify(line)));
    const fills = only(messages, "observe").flatMap((each) => each.fills);
    // What was filled after its last `next` is in the report alone.
    expect(line!.trades - fills.length).toBeWithin(0, 3);
    expect(fills.length).toBeGreaterThanOrEqual(trades);
    expect(only(messages, "observe").some(({ reason }) => reason === "fill")).toBe(true);
    // Partly filled ones keep the quantity that was ordered.
    const orders = only(messages, "observe").flatMap((each) => each.orders);
    expect(orders.some(({ quantity, remainingQuantity }) => remainingQuantity < quantity)).toBe(true);
    expect(new Set(orders.map(({ quantity }) => quantity)).size).toBe(1);
    expect(report.personas.reduce((sum, { cash }) => sum + cash, 0)).toBeCloseTo(0, 3);
    expect(report.personas.reduce((sum, { netPositionMw }) => sum + netPositionMw, 0)).toBeCloseTo(0, 6);
  });

  test("is the same run as without it if the agent does nothing but watch", async () => {
    const { report } = await play([{}], { hours: 0.5 });
    const alone = simulate(lasting({ hours: 0.5 }));
    const { personas, steps: _steps, totals: { personas: _count, ...totals }, ...rest } = report;
    expect(personas.filter(({ strategy }) => strategy !== "agent")).toEqual([...alone.personas]);
    expect({ ...totals, ...rest.metrics }).toEqual({ ...alone.totals, personas: undefined, ...alone.metrics } as never);
  });

  test("may last a number of steps, of which each wake-up is one", async () => {
    const length = { hours: null, steps: 500 };
    const { report, messages: [messages = []] } = await play([{ hello: { wakeMs: 1_000 } }], length);
    expect(report.steps).toBe(500);
    expect(only(messages, "welcome")[0]).toMatchObject({ end: null, steps: 500 });
    expect(only(messages, "observe").length).toBeWithin(10, 500);
  });

  test("goes on after the agent has left, without its orders", async () => {
    const actions = [submission({ price: 1 }), submission({ price: 2 })];
    const decide: AgentPlan["decide"] = (_, count) => count > 0 ? { leaves: true } : { actions };
    const { report, messages: [messages = []] } = await play([{ decide }], { hours: 0.5 });
    expect(messages.map(({ type }) => type)).toEqual(["welcome", "observe", "answer", "observe", "end"]);
    expect(messages.at(-1)).toMatchObject({ reason: "left", time: "2026-03-02T06:05:00.000Z" });
    expect(report.endedAt).toBe("2026-03-02T06:30:00.000Z");
    const agent = report.personas.find(({ strategy }) => strategy === "agent");
    expect(agent).toMatchObject({ workingOrders: 0, cancels: 2 });
  });

  test("is reached at the loopback address alone", async () => {
    const { promise: refused, resolve } = Promise.withResolvers<boolean>();
    await host((where) => {
      expect(where).toMatch(/^127\.0\.0\.1:\d+$/);
      // A server on all addresses of the machine would also listen on this one.
      const socket = connect(Number(where.split(":")[1]), "127.0.0.2");
      socket.once("error", () => resolve(true));
      socket.once("connect", () => {
        socket.destroy();
        resolve(false);
      });
      void refused.then(() => playAgent(where, {}));
    }, { length: { hours: 0.01 } });
    expect(await refused).toBe(true);
  });

  test("serves a Unix socket too, with the same run", async () => {
    const plan = { decide: (observation: Observe) => ({ actions: quotesAround(observation) }) };
    const port = await play([plan]);
    const path = await play([plan], {}, { path: join(temporaryDirectory(), "agents") });
    expect(path.report).toEqual(port.report);
    expect(withoutRunId(path.messages)).toEqual(withoutRunId(port.messages));
  });
});

describe("alarms", () => {
  const wakes = async (
    next: (contractIds: string[]) => object,
    products = ["NORTH-DA-BASE", "WEST-DA-BASE"],
    length: Partial<Experiment> = {},
  ) => {
    const { messages: [messages = []] } = await play([{
      hello: { products, wakeMs: 86_400_000 },
      decide: ({ books }) => ({ next: next(books.map(({ contractId }) => contractId)) }),
    }], length);
    return only(messages, "observe");
  };

  test("of trades wake the agent a millisecond after each trade, which it is shown", async () => {
    const [start, ...observations] = await wakes((trade) => ({ trade }), undefined, { ...BUSY, hours: 0.25 });
    expect(observations.length).toBeGreaterThan(0);
    for (const { reason, time, trades } of observations) {
      expect(reason).toBe("trade");
      const last = trades.at(-1);
      expect(start?.books.map(({ contractId }) => contractId)).toContain(last?.contractId ?? "");
      expect(Date.parse(time) - Date.parse(last?.time ?? "")).toBe(1);
    }
  });

  test("of quotes wake the agent a millisecond after each order", async () => {
    const observations = (await wakes(([first]) => ({ quote: [first] }), undefined, { ...BUSY, hours: 0.1 })).slice(1);
    expect(observations.length).toBeGreaterThan(3);
    expect(new Set(observations.map(({ reason }) => reason))).toEqual(new Set(["quote"]));
  });

  test("are silent if they were not asked for, or for contracts that are not watched", async () => {
    expect(await wakes(() => ({}))).toHaveLength(1);
    expect(await wakes(() => ({ trade: ["NORTH-DA-BASE-2026-03-03"] }), ["WEST-DA-BASE"])).toHaveLength(1);
  });

  test("of two agents that wake each other up don't stop market time", async () => {
    const plan = (name: string, gap: number): AgentPlan => ({
      hello: { name, products: ["NORTH-DA-BASE"], wakeMs: 600_000, entityId: undefined },
      decide: ({ books, orders }, count) => {
        const [book] = books;
        const contractId = book?.contractId ?? "";
        const price = -40_000 + gap + count % 2;
        const [order] = orders;
        return {
          actions: order === undefined
            ? [{ kind: "submit", contractId, side: "BUY", price, quantity: 1 }]
            : [{ kind: "modify", orderId: order.orderId, price }],
          next: { quote: [contractId] },
        };
      },
    });
    const { report } = await play([plan("one", 0), plan("two", 10)], { hours: null, steps: 300 });
    expect(Date.parse(report.endedAt)).toBeGreaterThan(Date.parse(report.startedAt) + 50);
  });
});

test("the run is the same in whatever order the agents connect", async () => {
  const decide: AgentPlan["decide"] = (seen) => ({ actions: quotesAround(seen), next: { fill: true } });
  const one = { hello: { name: "one" }, decide };
  const two = { hello: { name: "two", products: ["WEST-DA-BASE"] }, decide };
  const forward = await play([one, two]);
  const backward = await play([two, one]);
  expect(backward.report).toEqual(forward.report);
  expect(withoutRunId(backward.messages).toReversed()).toEqual(withoutRunId(forward.messages));
});

describe("an agent that does not keep to the rules", () => {
  /** The message of the error that ends the run, and what the agent was told. */
  async function endOf(lines: readonly string[], closes = false, timeoutMs = 600_000): Promise<[string, string]> {
    let told = Promise.resolve("");
    const run = host((where) => {
      const socket = connectTo(where);
      socket.write(lines.map((line) => `${line}\n`).join(""));
      told = (async () => {
        let text = "";
        for await (const chunk of socket) {
          text += chunk;
          if (closes && text.includes('"observe"')) socket.end();
        }
        return text.trimEnd().split("\n").at(-1) ?? "";
      })();
    }, { timeoutMs });
    const message = await run.then(() => "no error", (error: Error) => error.message);
    return [message, await told];
  }
  const GREETING = { type: "hello", protocol: 1, name: "tester" };
  const HELLO = JSON.stringify(GREETING);

  test.each<[string, string, string]>([
    ["text", "hello?", "agent-tester: it sent a line that is not JSON: hello?"],
    ["nested lists without end", "[".repeat(200_000), "agent-tester: it sent a line that is not JSON: [["],
    ["an unknown message", '{"type":"sleep"}', "agent-tester: it sent an invalid message: type: "],
    [
      "an unknown field",
      '{"type":"next","in":5}',
      "agent-tester: it sent an invalid message: message: has unknown fields: in",
    ],
    ["no actions", '{"type":"act"}', "agent-tester: it sent an invalid message: actions: "],
  ])("ends the run with a message, which it is told: %s", async (_, line, expected) => {
    const [message, told] = await endOf([HELLO, line]);
    expect(message).toStartWith(expected);
    expect(JSON.parse(told)).toMatchObject({ type: "error", code: "failed", message });
  });

  test("ends the run if it sends a line that is too long, closes its connection, or stays silent", async () => {
    const [message] = await endOf([HELLO, `"${"x".repeat(1_100_000)}"`]);
    expect(message).toStartWith("agent-tester: it sent a line of more than 1048576 characters");
    expect((await endOf([HELLO], true))[0]).toBe("agent-tester: it closed its connection");
    // The limit also holds for the connection, which takes longer on a busy machine.
    const silent = async () => (await endOf([HELLO], false, 300))[0];
    const ended = await until(silent, (reason) => reason !== "0 of 1 agents connected within 0.3 s");
    expect(ended).toBe("agent-tester: it sent nothing for 0.3 s");
  });

  test("ends the run if it does not read what it is sent", async () => {
    const run = host((where) => {
      const socket = connectTo(where);
      socket.write(`${HELLO}\n${'{"type":"next","inMs":1}\n'.repeat(50_000)}`);
      socket.pause();
    }, { length: { hours: 1_000 } });
    expect(run).rejects.toThrow("agent-tester: it does not read what it is sent");
    await run.catch(() => {});
  });

  test.each<[string, object | string, string]>([
    ["another protocol", { ...GREETING, protocol: 2 }, "protocol"],
    ["no message", "GET / HTTP/1.1", "not JSON"],
    ["a company that does not exist", { ...GREETING, entityId: "NOBODY" }, 'no entity "NOBODY"'],
    ["the operator's company", { ...GREETING, entityId: "OPERATOR" }, 'no entity "OPERATOR"'],
    ["a name in capitals", { ...GREETING, name: "Bad" }, "name: must be lower case"],
  ])("before the run is refused, and another may come: %s", async (_, line, expected) => {
    let told = "";
    const report = await host((where) => {
      const socket = connectTo(where);
      socket.on("data", (chunk) => told += chunk);
      socket.on("close", () => void playAgent(where, {}));
      socket.write(`${typeof line === "string" ? line : JSON.stringify(line)}\n`);
    }, { length: { hours: 0.01 } });
    expect(JSON.parse(told)).toMatchObject({ type: "error", message: expect.stringContaining(expected) });
    expect(report.personas.some(({ id }) => id === "agent-tester")).toBe(true);
  });

  test("is refused under a name that is taken", async () => {
    const told: string[] = [];
    await host((where) => {
      const again = async () => {
        const [message] = await playAgent(where, {});
        if (message?.type !== "error") return;
        told.push(String(message["message"]));
        await playAgent(where, { hello: { name: "other" } });
      };
      void again();
      void again();
    }, { count: 2, length: { hours: 0.01 } });
    expect(told).toEqual(["there is another agent tester"]);
  });
});
