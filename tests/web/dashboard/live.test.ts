// What a page reads again and again, and the stream that it follows. Time passes as the tests say.

import { afterAll, afterEach, describe, expect, spyOn, test } from "bun:test";
import { effect } from "@preact/signals";
import { atEnd } from "../../support/at-end.ts";
import { settle } from "../support/browser.ts";
import { openDashboard } from "../support/dashboard.ts";
import { hour } from "../support/market.ts";
import { update } from "../updates.ts";

const { document, inState, later, listeners, market } = await openDashboard();
const { repeat } = await import("../../../web/dashboard/live/polled.ts");
const { contact, startStream, stopStream, watchSurroundings } = await import("../../../web/dashboard/live/stream.ts");
const page = document as unknown as { hidden: boolean; dispatch(event: { type: string }): void };

describe("what is read again and again", () => {
  /** Rounds that wait for the test to end them. */
  async function rounds(everyMs: number | null) {
    const abort = new AbortController();
    const alarm: Parameters<typeof repeat>[3] & object = { isRung: false, wake: null };
    const underWay: (() => void)[] = [];
    let begun = 0;
    const ring = () => {
      alarm.isRung = true;
      alarm.wake?.();
    };
    const run = () => {
      begun++;
      return new Promise<void>((resolve) => void underWay.push(resolve));
    };
    const ended = repeat(abort.signal, () => everyMs, run, alarm);
    await settle();
    return { abort, alarm, ring, ended, begun: () => begun, finish: () => settle(() => underWay.shift()?.()) };
  }

  test("waits after each round, and an alarm ends the wait", async () => {
    const { begun, finish, ring, abort, ended } = await rounds(5_000);
    expect(begun()).toBe(1);
    await later();
    expect(begun()).toBe(1);
    await finish();
    await later(4_999);
    expect(begun()).toBe(1);
    await later(5_000);
    expect(begun()).toBe(2);
    await finish();
    await settle(ring);
    expect(begun()).toBe(3);
    await finish();
    abort.abort();
    await ended;
  });

  test.each([null, 5_000])(
    "goes on at once after a round in which the alarm rang, then waits (%p ms)",
    async (everyMs) => {
      const { begun, finish, ring, abort, ended } = await rounds(everyMs);
      ring();
      await finish();
      expect(begun()).toBe(2);
      await finish();
      expect(begun()).toBe(2);
      abort.abort();
      await ended;
    },
  );

  test("ends in a round and in a wait", async () => {
    const inRound = await rounds(null);
    inRound.abort.abort();
    await inRound.finish();
    await inRound.ended;
    const inWait = await rounds(5_000);
    await inWait.finish();
    inWait.abort.abort();
    await inWait.ended;
    expect([inRound.begun(), inWait.begun(), inWait.alarm.wake]).toEqual([1, 1, null]);
  });

  test("waits while the page is hidden, and ends there", async () => {
    page.hidden = true;
    const shown = await rounds(null);
    const left = await rounds(null);
    left.abort.abort();
    await left.ended;
    page.hidden = false;
    await settle(() => page.dispatch({ type: "visibilitychange" }));
    expect([shown.begun(), left.begun()]).toEqual([1, 0]);
    shown.abort.abort();
    await shown.finish();
    await shown.ended;
  });
});

test("what is read waits for the first connection to the market, and ends there", async () => {
  const aborts = [new AbortController(), new AbortController()];
  let begun = 0;
  inState({ connection: { status: "disconnected", asOf: null } });
  const ended = aborts.map(({ signal }) => repeat(signal, () => null, () => Promise.resolve(void begun++)));
  await settle();
  aborts[1]!.abort();
  await ended[1];
  expect(begun).toBe(0);
  await settle(() => inState({}));
  expect(begun).toBe(1);
  aborts[0]!.abort();
  await ended[0];
});

describe("the stream", () => {
  interface Source {
    onmessage(message: { data: string }): void;
    onerror(): void;
    isClosed: boolean;
  }
  const opened: Source[] = [];
  let changes = 0;
  /** The runtime has none. */
  globalThis.EventSource = class {
    isClosed = false;
    constructor() {
      opened.push(this as unknown as Source);
    }
    close() {
      this.isClosed = true;
    }
  } as unknown as typeof EventSource;

  afterAll(() => void Reflect.deleteProperty(globalThis, "EventSource"));
  afterEach(() => {
    stopStream();
    opened.length = 0;
    changes = 0;
  });

  watchSurroundings();
  const start = () => {
    contact.value = { state: "off" };
    startStream("key", () => void changes++);
  };
  /** The page's clocks go on from here, together. */
  function ownClock() {
    const clock = { now: 1_000_000 };
    for (const  of of[performance, Date]) {
      const spied = spyOn(of, "now").mockImplementation(() => clock.now);
      atEnd(() => spied.mockRestore());
    }
    return clock;
  }
  const message = () => opened.at(-1)!.onmessage({ data: JSON.stringify(update({})) });
  const fail = () => opened.at(-1)!.onerror();

  test("counts the tries that failed since it was last heard, and tells each failure and the return", async () => {
    start();
    const seen: unknown[] = [];
    const steps = [message, fail, fail, message, message, fail, fail, message];
    for (const step of steps) {
      if (opened.at(-1)?.isClosed) await later(15_000);
      step();
      const { state } = contact.value;
      seen.push([state, state === "reconnecting" ? contact.value.attempt : null, changes]);
    }
    expect(seen).toEqual([
      ["live", null, 0],
      ["reconnecting", 1, 1],
      ["reconnecting", 2, 2],
      ["live", null, 3],
      ["live", null, 3],
      ["reconnecting", 1, 4],
      ["reconnecting", 2, 5],
      ["live", null, 6],
    ]);
    expect(opened.map(({ isClosed }) => isClosed)).toEqual([true, true, true, true, false]);
  });

  test("is stale after 4 s of silence and given up after 12 s; what is stale or lost is tried at once when it may help", async () => {
    const clock = ownClock();
    start();
    message();
    const shown: unknown[] = [];
    const after = async (ms: number, step: () => unknown = () => {}) => {
      clock.now += ms;
      await later(1_000);
      await settle(() => void step());
      shown.push([contact.value.state, opened.length, changes]);
    };
    const online = () => listeners.dispatch({ type: "online" });
    const seen = () => page.dispatch({ type: "visibilitychange" });
    await after(4_000, online);
    await after(1, seen);
    await after(4_000, message);
    await after(12_000);
    await after(1);
    await after(0, online);
    await after(0, online);
    expect(shown).toEqual([
      ["live", 1, 0],
      ["stale", 2, 0],
      ["live", 2, 0],
      ["stale", 2, 0],
      ["reconnecting", 2, 1],
      ["reconnecting", 3, 1],
      ["reconnecting", 3, 1],
    ]);
  });

  test("is what it is since a time that has passed: if it is live, the first sign of it, else the last that was heard", async () => {
    const clock = ownClock();
    const seen: unknown[] = [];
    const after = async (ms: number, step: () => unknown) => {
      clock.now += ms;
      await settle(() => void step());
      const { value } = contact;
      seen.push([value.state, value.state === "off" ? null : clock.now - value.since, opened.at(-1)?.isClosed ?? null]);
    };
    const silence = () => later(1_000);
    const hidden = (isHidden: boolean) => () => {
      page.hidden = isHidden;
      page.dispatch({ type: "visibilitychange" });
    };
    await after(0, start);
    await after(500, message);
    await after(3_000, message);
    await after(5_000, silence);
    await after(1_000, fail);
    await after(2_000, () => later(15_000));
    await after(0, fail);
    await after(10, () => later(15_000));
    await after(20, message);
    await after(70, fail);
    await after(0, () => later(15_000));
    await after(30, message);
    await after(100, hidden(true));
    await after(100, hidden(false));
    await after(0, stopStream);
    await after(0, hidden(true));
    await after(0, hidden(false));
    expect(seen).toEqual([
      ["connecting", 0, false],
      ["live", 0, false],
      ["live", 3_000, false],
      ["stale", 5_000, false],
      ["reconnecting", 6_000, true],
      ["reconnecting", 8_000, false],
      ["reconnecting", 8_000, true],
      ["reconnecting", 8_010, false],
      ["live", 0, false],
      ["reconnecting", 70, true],
      ["reconnecting", 70, false],
      ["live", 0, false],
      ["live", 100, false],
      ["live", 200, false],
      ["off", null, true],
      ["off", null, true],
      ["off", null, true],
    ]);
  });

  test("is applied once a frame, at once on a page that is hidden, and opened once however often it is started", async () => {
    start();
    startStream("key", () => {});
    expect(opened.length).toBe(1);
    const drawn: number[] = [];
    const end = effect(() => void drawn.push(market.contracts.value.size));
    atEnd(end);
    const contracts = (...hours: number[]) =>
      opened[0]!.onmessage({ data: JSON.stringify(update({ contracts: hours.map((each) => hour(each)) })) });
    const frame = () => new Promise<void>((resolve) => void requestAnimationFrame(() => resolve()));
    contracts(1);
    contracts(2, 3);
    expect(drawn).toEqual([0]);
    await frame();
    expect(drawn).toEqual([0, 3]);
    contracts(4);
    await settle(() => {
      page.hidden = true;
      page.dispatch({ type: "visibilitychange" });
    });
    expect(drawn).toEqual([0, 3, 4]);
    contracts(5);
    expect(drawn).toEqual([0, 3, 4, 5]);
    page.hidden = false;
    stopStream();
    contracts(6);
    await frame();
    expect(drawn).toEqual([0, 3, 4, 5]);
  });
});
