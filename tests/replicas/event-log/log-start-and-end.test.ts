// How far a group can be as one of its replicas knows it, how a replica begins with the log, and how it ends.

import { describe, expect, jest, test } from "bun:test";
import { RedisUnavailable } from "../../../replicas/redis/redis-link.ts";
import { isSettled } from "../../support/still-clock.ts";
import { advance, HISTORY, onTheClockOfTheTest, pass, replica, turns } from "./log-round-world.ts";

onTheClockOfTheTest();

describe("how far the group can be", () => {
  test("is how far the log is, and unknown while Redis is away, and before the first round", async () => {
    const { log, events, link } = replica();
    expect([log.sequence, events.reached()]).toEqual([null, Infinity]);
    await log.catchUp(1);
    expect([log.sequence, events.reached()]).toEqual([10, 10]);
    link.isUp = false;
    expect([log.sequence, events.reached()]).toEqual([null, Infinity]);
  });

  test("is unknown for 30 seconds after Redis was away, which it was not when it first came", async () => {
    const { log, events, up } = replica();
    await up();
    expect(events.reached()).toBe(10);
    await up();
    expect(events.reached()).toBe(Infinity);
    pass(30_000);
    expect(events.reached()).toBe(Infinity);
    pass(1);
    expect(events.reached()).toBe(10);
    await log.close();
  });

  test("is unknown after a call whose round failed, until a round that began later has succeeded", async () => {
    const { log, events, state } = replica();
    await log.catchUp(1);
    state.steps = [new RedisUnavailable("away")];
    await log.catchUp(1);
    expect(events.reached()).toBe(Infinity);
    // Of two calls that share a round the first gives up: that the round succeeds at last says nothing of the log since.
    const round = Promise.withResolvers<boolean>();
    state.steps = [round.promise];
    const calls = [log.catchUp(60_000), log.catchUp(1_000)];
    await advance(1_000);
    round.resolve(true);
    await turns();
    expect([await isSettled(calls[0]!), events.reached()]).toEqual([true, Infinity]);
    await log.catchUp(1);
    expect(events.reached()).toBe(10);
    expect(await Promise.all(calls)).toEqual([true, false]);
  });
});

describe("a start", () => {
  const started = (given: Parameters<typeof Object.assign>[1] = {}) => {
    const world = replica({ isConnected: false });
    Object.assign(world.state, given);
    return world;
  };

  test("asks nothing while Redis is away, or if there is a connection or an attempt", async () => {
    const { log, link, client, sent } = started();
    link.isUp = false;
    expect(await log.restore("anna")).toBeNull();
    link.isUp = true;
    client.status = "connecting";
    expect([await log.restore("anna"), sent]).toEqual([null, []]);
  });

  test("goes on without a history if Redis has run for two seconds", async () => {
    for (const uptime of ["2", "9999", "odd"]) {
      const { log, sent } = started({ uptime });
      const restoring = log.restore("anna");
      expect(await isSettled(restoring)).toBeTrue();
      expect([await restoring, sent]).toEqual([null, ["TYPE", "INFO server"]]);
    }
  });

  test("looks ten times a second, for two seconds, if Redis has just started", async () => {
    const { log, sent } = started({ uptime: "1" });
    const restoring = log.restore("anna");
    await turns();
    await advance(2_000);
    expect([await isSettled(restoring), sent.filter((each) => each === "TYPE").length]).toEqual([false, 21]);
    await advance(100);
    expect(await restoring).toBeNull();
    expect(sent.filter((each) => each === "TYPE").length).toBe(22);
  });

  test("ends its looks once the client connects by itself", async () => {
    const { log, client } = started({ uptime: "1" });
    const restoring = log.restore("anna");
    await advance(100);
    client.status = "connecting";
    await advance(100);
    expect(await isSettled(restoring)).toBeTrue();
  });

  test("without a log of the newest history changes nothing", async () => {
    const { log, sent, client } = started({ newest: JSON.stringify(HISTORY) });
    expect(await log.restore("anna")).toBeNull();
    expect([client.history, sent.some((each) => each.startsWith("begin"))]).toEqual([null, false]);
  });

  test("puts what the process has of the same history together with the log", async () => {
    const { log, client, forces, state, sent } = started({ newest: JSON.stringify(HISTORY) });
    client.history = { ...HISTORY };
    expect(await log.restore("anna")).toEqual(HISTORY);
    expect([forces, sent.some((each) => each.startsWith("begin"))]).toEqual([[true], false]);
    state.steps = [new RedisUnavailable("away")];
    expect(await log.restore("anna")).toBeNull();
  });

  test("that fails goes on without the log, and says so", async () => {
    const { log, link, logged } = started();
    link.send = () => Promise.reject(new Error("odd"));
    expect(await log.restore("anna")).toBeNull();
    expect(logged).toEqual([
      "the shared event log can't be read or written: odd; trying again",
      "began without the shared event log: odd",
    ]);
  });
});

describe("the end", () => {
  test("writes once more without the lease, and leaves no timer, wait or listener", async () => {
    const { log, forces, waits, ups, change, up } = replica();
    await log.close();
    expect([forces, waits.size, ups.size, jest.getTimerCount()]).toEqual([[true], 0, 0, 0]);
    await log.close();
    await change();
    await up();
    expect([forces.length, await log.catchUp(1)]).toEqual([1, false]);
  });

  test("waits half a second for a Redis that does not answer, and not for one that is away", async () => {
    const { log, state } = replica();
    state.steps = [new Promise(() => {})];
    const closing = log.close();
    await advance(450);
    expect(await isSettled(closing)).toBeFalse();
    await advance(50);
    expect(await isSettled(closing)).toBeTrue();
    for (const away of [{ isUp: false }, { history: null }]) {
      const { log, link, client, forces } = replica();
      Object.assign("isUp" in away ? link : client, away);
      await log.close();
      expect(forces).toEqual([]);
    }
  });
});
