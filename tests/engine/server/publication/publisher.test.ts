import { describe, expect, test } from "bun:test";
import type { Execution } from "../../../../engine/api/market-engine.ts";
import { EVERYONE, PublishedEvent } from "../../../../engine/api/messages.ts";
import { SendQueue } from "../../../../engine/server/connections/send-queue.ts";
import { SendQueues } from "../../../../engine/server/connections/send-queues.ts";
import { Subscription } from "../../../../engine/server/connections/subscription.ts";
import type { EngineHost } from "../../../../engine/server/host/engine-host.ts";
import { EventHistory } from "../../../../engine/server/publication/event-history.ts";
import { Publisher, UPDATE_INTERVAL_MS } from "../../../../engine/server/publication/publisher.ts";
import type { Subscriber } from "../../../../engine/server/publication/subscribers.ts";
import { FULL_FRAME } from "../../../../engine/server/publication/visibility-class.ts";
import { FakeSocket } from "../connections/fake-socket.ts";
import { SteppedTimers } from "../host/stepped-timers.ts";

function market(
  { limit = 1 << 20, totalLimit = 1 << 30, updateIntervalMs = UPDATE_INTERVAL_MS, updateBurst = 1 } = {},
) {
  const timers = new SteppedTimers();
  const guard = (work: () => void) => work();
  const publisher = new Publisher({ history: new EventHistory(), timers, updateIntervalMs, updateBurst, guard });
  const sendQueues = new SendQueues(totalLimit);
  const cutOff: Subscriber[] = [];
  const connect = () => {
    const socket = new FakeSocket();
    const user = { id: "anna", entityId: null, permissions: new Set<string>() };
    const subscription = new Subscription({
      host: {} as EngineHost,
      user,
      cancelOnDisconnect: false,
      queue: new SendQueue(socket, limit, sendQueues),
      updates: publisher.updatesFor(user),
      timers,
      cutOff: () => {
        cutOff.push(subscription);
        publisher.subscribers.remove(subscription);
        subscription.close();
      },
    });
    publisher.subscribers.add(subscription);
    return { socket, subscription, sent: socket.sent };
  };
  let sequence = 0;
  const execution = (length = 0): Execution => {
    sequence += 1;
    const event = new PublishedEvent(sequence, EVERYONE, { text: `${sequence}`.padStart(length) });
    return { messages: [event], audit: "", closedOrders: [], response: null, trace: null };
  };
  return {
    publisher,
    timers,
    sendQueues,
    cutOff,
    connect,
    publish: (length?: number) => publisher.publish([{ execution: execution(length), reply: null }]),
    answer: (to: Subscriber, requestId: string) => {
      const response = { operationId: requestId, status: "ok" } as const;
      publisher.publish([{ execution: { ...execution(), response }, reply: { to, requestId } }]);
    },
  };
}

const responseTo = (requestId: string) =>
  `[${JSON.stringify({ kind: "response", requestId, operationId: requestId, status: "ok" })}]`;

test("a flood of full frames, which need no wait, makes nobody wait longer afterwards", () => {
  const { publish, timers, connect } = market();
  const { sent } = connect();
  for (let count = 0; count < 5; count++) publish(FULL_FRAME);
  expect(sent).toHaveLength(5);
  timers.pass(UPDATE_INTERVAL_MS);
  publish();
  expect(sent).toHaveLength(6);
});

describe("updates", () => {
  test("leave at once after a quiet time, and then together, at most every 10 ms", () => {
    const { publish, timers, connect } = market();
    const [one, other] = [connect(), connect()];
    publish();
    expect([one.sent, other.sent]).toEqual([["[1]"], ["[1]"]]);
    timers.pass(UPDATE_INTERVAL_MS - 1);
    publish();
    publish();
    expect(one.sent).toEqual(["[1]"]);
    timers.pass(1);
    expect([one.sent, other.sent]).toEqual([["[1]", "[2,3]"], ["[1]", "[2,3]"]]);
    publish();
    expect(one.sent.length).toBe(2);
    timers.pass(UPDATE_INTERVAL_MS);
    expect(one.sent.at(-1)).toBe("[4]");
    timers.pass(UPDATE_INTERVAL_MS);
    publish();
    expect(one.sent.at(-1)).toBe("[5]");
  });

  test("do not wait before the burst is used up, which comes back one by one", () => {
    const { publish, timers, connect } = market({ updateBurst: 3 });
    const { sent } = connect();
    for (let count = 0; count < 5; count++) publish();
    expect(sent).toEqual(["[1]", "[2]", "[3]"]);
    timers.pass(UPDATE_INTERVAL_MS);
    expect(sent.at(-1)).toBe("[4,5]");
    publish();
    expect(sent.at(-1)).toBe("[4,5]");
    timers.pass(UPDATE_INTERVAL_MS);
    expect(sent.at(-1)).toBe("[6]");
    timers.pass(2 * UPDATE_INTERVAL_MS);
    for (let count = 0; count < 3; count++) publish();
    expect(sent.slice(-2)).toEqual(["[7]", "[8]"]);
    timers.pass(10 * UPDATE_INTERVAL_MS);
    for (let count = 0; count < 4; count++) publish();
    expect(sent.slice(-3)).toEqual(["[10]", "[11]", "[12]"]);
  });

  test("never wait if the interval is 0", () => {
    const { publish, connect } = market({ updateIntervalMs: 0 });
    const { sent } = connect();
    publish();
    publish();
    expect(sent).toEqual(["[1]", "[2]"]);
  });

  test("do not wait once they fill a frame", () => {
    const { publish, connect, timers } = market();
    const { sent } = connect();
    publish();
    publish(FULL_FRAME / 2);
    expect(sent.length).toBe(1);
    publish(FULL_FRAME / 2);
    expect([sent.length, sent[1]!.length]).toEqual([2, FULL_FRAME + 3]);
    publish();
    timers.pass(UPDATE_INTERVAL_MS - 1);
    expect(sent.length).toBe(2);
    timers.pass(1);
    expect(sent.length).toBe(3);
  });

  test("of before a subscription are not sent to it", () => {
    const { publish, connect, timers } = market();
    const early = connect();
    publish();
    publish();
    const late = connect();
    publish();
    timers.pass(UPDATE_INTERVAL_MS);
    expect([early.sent, late.sent]).toEqual([["[1]", "[2,3]"], ["[3]"]]);
  });

  test("wait for one timer, however many subscribers there are", () => {
    const { publish, connect, timers } = market();
    let waits = 0;
    const after = timers.after.bind(timers);
    timers.after = (waitMs, task) => {
      waits += 1;
      return after(waitMs, task);
    };
    for (let count = 0; count < 20; count++) connect();
    for (let count = 0; count < 20; count++) publish();
    expect(waits).toBe(1);
    timers.pass(UPDATE_INTERVAL_MS);
    expect(waits).toBe(2);
    timers.pass(10 * UPDATE_INTERVAL_MS);
    expect(waits).toBe(2);
  });

  test("are not sent by the timer after a stop", () => {
    const { publisher, publish, connect, timers } = market();
    const { sent } = connect();
    publish();
    publish();
    publisher.stop();
    timers.pass(UPDATE_INTERVAL_MS);
    expect(sent).toEqual(["[1]"]);
  });
});

describe("a response", () => {
  test("does not wait: the updates of its connection leave first, in a frame of their own", () => {
    const { publish, answer, connect, timers } = market();
    const [own, other] = [connect(), connect()];
    publish();
    publish();
    answer(own.subscription, "a");
    expect(own.sent).toEqual(["[1]", "[2,3]", responseTo("a")]);
    expect(other.sent).toEqual(["[1]"]);
    timers.pass(UPDATE_INTERVAL_MS);
    expect([own.sent.length, other.sent]).toEqual([3, ["[1]", "[2,3]"]]);
  });

  test("waits with its updates if the socket is full, and follows them", () => {
    const { publish, answer, connect, timers } = market();
    const { socket, subscription, sent } = connect();
    publish();
    socket.fill();
    answer(subscription, "a");
    publish();
    timers.pass(UPDATE_INTERVAL_MS);
    answer(subscription, "b");
    expect(sent).toEqual(["[1]"]);
    socket.buffered = 0;
    subscription.drained();
    expect(sent).toEqual(["[1]", "[2]", responseTo("a"), "[3]", "[4]", responseTo("b")]);
  });

  test("to a connection that has ended is dropped", () => {
    const { answer, connect } = market();
    const { subscription, sent } = connect();
    subscription.close();
    answer(subscription, "a");
    expect(sent).toEqual([]);
  });
});

describe("a slow subscriber", () => {
  test("is cut off alone once its queue exceeds its limit", () => {
    const { publish, connect, timers, cutOff, sendQueues } = market({ limit: 100 });
    const [slow, good] = [connect(), connect()];
    slow.socket.fill();
    for (let count = 0; count < 3; count++) {
      publish(40);
      timers.pass(UPDATE_INTERVAL_MS);
    }
    expect([cutOff, slow.sent, good.sent.length]).toEqual([[slow.subscription], [], 3]);
    expect(sendQueues.total).toBe(0);
  });

  test("with the longest queue is cut off once all queues together exceed their limit", () => {
    const { publish, connect, timers, cutOff, sendQueues } = market({ totalLimit: 1000 });
    const [longest, ...others] = [connect(), connect(), connect(), connect()];
    longest!.socket.fill();
    const publishAndWait = () => {
      publish(60);
      timers.pass(UPDATE_INTERVAL_MS);
    };
    publishAndWait();
    for (const { socket } of others) socket.fill();
    for (let count = 0; count < 12 && cutOff.length === 0; count++) {
      publishAndWait();
      expect(sendQueues.total).toBeLessThanOrEqual(1000 + 4 * 62);
    }
    expect(cutOff).toEqual([longest!.subscription]);
    expect(sendQueues.total).toBeLessThanOrEqual(1000);
  });

  test("only takes space in the queues: subscribers that keep up take none", () => {
    const { publish, connect, timers, sendQueues } = market();
    const all = Array.from({ length: 50 }, connect);
    for (let count = 0; count < 100; count++) publish(1000);
    expect(sendQueues.total).toBe(0);
    timers.pass(UPDATE_INTERVAL_MS);
    expect([sendQueues.total, new Set(all.map(({ sent }) => sent.length)).size]).toEqual([0, 1]);
  });
});
