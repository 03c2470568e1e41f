// When a replica makes log and buffer agree, whether it writes without the lease, what it tells Redis besides, and how long a
// call waits. How log and buffer agree is in the tests beside it.

import { describe, expect, test } from "bun:test";
import { DamagedLog, digestOf } from "../../../replicas/event-log/log-codec.ts";
import { RedisUnavailable } from "../../../replicas/redis/redis-link.ts";
import { isSettled } from "../../support/still-clock.ts";
import { advance, HISTORY, onTheClockOfTheTest, replica, turns } from "./log-round-world.ts";

onTheClockOfTheTest();

describe("the newest history is told to Redis", () => {
  test("once for each session, and again whenever Redis is back, since it may have lost it", async () => {
    const { log, client, state, sent, up, announced } = replica();
    expect([await log.catchUp(1), announced()]).toEqual([true, 1]);
    expect([await log.catchUp(1), sent]).toEqual([true, []]);
    client.session = { session: 2 };
    state.newest = null;
    expect([await log.catchUp(1), announced()]).toEqual([true, 1]);
    state.newest = null;
    await up();
    expect([announced(), JSON.parse(state.newest!)]).toEqual([1, HISTORY]);
    expect([await log.catchUp(1), announced()]).toEqual([true, 0]);
  });

  test("only by a replica that is connected, and not again if it is there", async () => {
    const { log, client, state, up, announced, sent } = replica();
    client.status = "reconnecting";
    await log.catchUp(1);
    expect([announced(), state.newest]).toEqual([0, null]);
    client.status = "connected";
    await log.catchUp(1);
    expect(announced()).toBe(1);
    await up();
    expect(sent).toEqual(["TYPE", "GET"]);
  });

  test("in place of another one, whose log then expires", async () => {
    const { log, state, sent } = replica();
    const before = { ...HISTORY, epoch: 9 };
    state.newest = JSON.stringify(before);
    await log.catchUp(1);
    expect(JSON.parse(state.newest)).toEqual(HISTORY);
    expect(sent.slice(0, 3)).toEqual(["TYPE", "GET", "SET newest"]);
    expect(sent.slice(3)).not.toEqual([]);
    for (const each of sent.slice(3)) expect(each).toContain(digestOf(before));
  });
});

describe("a round", () => {
  test("of a call writes without the lease, and so does one after Redis is back", async () => {
    const { log, up, forces } = replica();
    await log.catchUp(1);
    await up();
    expect(forces).toEqual([true, true]);
  });

  test("comes after a change of the buffer, once a turn, only with the lease or before the first one", async () => {
    const { change, forces, state, log } = replica();
    await change();
    expect(forces).toEqual([false]);
    await change();
    expect(forces).toEqual([false]);
    state.hasLease = true;
    await change();
    await change();
    expect(forces).toEqual([false, false, false]);
    await log.close();
  });

  test("is repeated until log and buffer agree, twelve times at most, and then counts as failed", async () => {
    const { log, forces, state } = replica();
    state.steps = Array<boolean>(11).fill(false);
    expect([await log.catchUp(1), forces.length]).toEqual([true, 12]);
    state.isStuck = true;
    expect([await log.catchUp(1), forces.length]).toEqual([false, 24]);
    state.isStuck = false;
    expect(await log.catchUp(1)).toBeTrue();
    expect(forces).not.toContain(false);
  });

  test("that a call has forced does not force the next one", async () => {
    const { log, forces, state, change } = replica();
    await log.catchUp(1);
    state.hasLease = true;
    await change();
    expect(forces).toEqual([true, false]);
  });

  test("that fails is logged once in a row, unless Redis is only away", async () => {
    const { log, logged, state } = replica();
    const fail = async (error: Error) => {
      state.steps = [error];
      return await log.catchUp(1);
    };
    const prefix = "the shared event log";
    expect(await fail(new RedisUnavailable("away"))).toBeFalse();
    expect(logged).toEqual([]);
    for (const error of [new Error("odd"), new Error("odd"), new DamagedLog("torn")]) await fail(error);
    const once = [`${prefix} can't be read or written: odd; trying again`, `${prefix} is damaged: torn; trying again`];
    expect(logged.splice(0)).toEqual(once);
    await fail(new DamagedLog("torn"));
    expect(logged).toEqual([]);
    await log.catchUp(1);
    await fail(new DamagedLog("torn"));
    expect(logged).toEqual([once[1]!]);
  });

  test.each<[string, Parameters<typeof Object.assign>[1], boolean[]]>([
    ["the log has all", {}, []],
    ["the log lags", { latestSequence: 11 }, [false]],
    ["an engine is away", { status: "reconnecting", isQuiet: true }, [false]],
    ["nobody is connected", { status: "disconnected", isQuiet: true }, []],
    ["there is no history", { latestSequence: 11, history: null }, []],
    ["Redis is away", { latestSequence: 11, isUp: false }, []],
  ])("of the clock looks four times a second (%s)", async (_what, given, expected) => {
    const { log, client, events, link, forces, state, change } = replica();
    await log.catchUp(1);
    forces.length = 0;
    const { latestSequence = 10, isUp = true, ...connection } = given;
    Object.assign(client, connection);
    events.latestSequence = latestSequence;
    link.isUp = isUp;
    await advance(200);
    expect(forces).toEqual([]);
    await advance(50);
    expect(forces).toEqual(expected);
    state.position = { ...state.position, top: 11 };
    await advance(250);
    expect(forces.length).toBe(connection.status === "reconnecting" ? 2 : expected.length);
    await change();
  });

  test("of the clock writes without the lease what has been missing since the one before", async () => {
    const { log, events, forces, state } = replica();
    await log.catchUp(1);
    events.latestSequence = 12;
    forces.length = 0;
    await advance(250);
    expect(forces).toEqual([false]);
    // Still behind what the buffer had a tick before.
    await advance(250);
    expect(forces).toEqual([false, false, true]);
    state.position = { ...state.position, top: 12 };
    events.latestSequence = 13;
    await advance(250);
    expect(forces).toEqual([false, false, true, false]);
    await log.close();
  });
});

describe("a call", () => {
  test("waits for nothing without a history or a connection, and fails at once while Redis is away", async () => {
    const { log, client, link, forces } = replica();
    link.isUp = false;
    expect(await log.catchUp(1)).toBeFalse();
    client.status = "disconnected";
    expect(await log.catchUp(1)).toBeTrue();
    Object.assign(client, { status: "connected", history: null });
    expect([await log.catchUp(1), forces]).toEqual([true, []]);
  });

  test("waits for a round as long as it may, and for the events of the log within the same time", async () => {
    const { log, state, events, change, waits } = replica();
    state.steps = [new Promise(() => {})];
    const stuck = log.catchUp(1_000);
    await advance(950);
    expect(await isSettled(stuck)).toBeFalse();
    await advance(50);
    expect(await stuck).toBeFalse();

    const other = replica();
    other.state.position = { ...other.state.position, newest: 12 };
    const slow = other.log.catchUp(1_000);
    await advance(500);
    await other.change(11);
    expect([await isSettled(slow), other.waits.size]).toEqual([false, 2]);
    await other.change(12);
    expect([await slow, other.waits.size]).toEqual([true, 1]);
    const late = replica();
    late.state.position = { ...late.state.position, newest: 12 };
    const waiting = late.log.catchUp(1_000);
    await advance(500);
    await late.change(11);
    await advance(450);
    expect(await isSettled(waiting)).toBeFalse();
    await advance(50);
    expect(await isSettled(waiting)).toBeTrue();
    expect([await waiting, late.waits.size]).toEqual([false, 1]);
    expect([waits.size, events.latestSequence]).toEqual([1, 10]);
    await change();
  });

  test("ends its wait for events once the buffer has others", async () => {
    const { log, state, events, change } = replica();
    state.position = { ...state.position, newest: 12 };
    const waiting = log.catchUp(60_000);
    await turns();
    events.incarnation += 1;
    await change();
    expect(await isSettled(waiting)).toBeTrue();
  });
});
