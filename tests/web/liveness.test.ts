import { afterEach, expect, test } from "bun:test";
import type { Connection } from "../../web/contract/market.ts";
import { isAway } from "../../web/dashboard/live/liveness.ts";
import { marketNow, tick } from "../../web/dashboard/live/market-clock.ts";
import { market } from "../../web/dashboard/live/market-store.ts";
import { type Contact, contact, startStream, stopStream } from "../../web/dashboard/live/stream.ts";

/** The runtime has none. */
const realEventSource: typeof EventSource | undefined = globalThis.EventSource;

afterEach(() => {
  stopStream();
  market.connection.value = null;
  market.isKnown.value = false;
  tick();
  if (realEventSource !== undefined) globalThis.EventSource = realEventSource;
  else Reflect.deleteProperty(globalThis, "EventSource");
});

const MORNING = "2026-11-23T10:00:00.000Z";
const WELL = {
  wasDisconnected: false,
  stale: false,
  asOf: null,
  incomplete: false,
  problem: null,
  offersFreeze: false,
};
const ACTING = { userId: "user", entityId: null, permissions: [] };
const CONNECTED: Connection = { status: "connected", ...ACTING, ...WELL, marketTime: MORNING, speed: 1_000 };

/** The streams that the page has opened. */
function fakeStreams() {
  const opened: { onerror: () => void; close: () => void }[] = [];
  globalThis.EventSource = class {
    onerror = () => {};
    close = () => {};
    constructor() {
      opened.push(this);
    }
  } as unknown as typeof EventSource;
  return opened;
}

/** Ticks once real time has passed. */
function tickLater(): number | null {
  const before = performance.now();
  while (performance.now() - before < 2);
  tick();
  return marketNow.value;
}

test("the market's time stands still while the market is out of reach, and goes on afterwards", () => {
  contact.value = { state: "live", since: 0 };
  market.connection.value = CONNECTED;
  const live = tickLater()!;
  expect(live).toBeGreaterThan(Date.parse(CONNECTED.marketTime!));
  contact.value = { state: "stale", since: 0 };
  expect(tickLater()).toBe(live);
  contact.value = { state: "live", since: 0 };
  market.connection.value = { ...CONNECTED, status: "reconnecting" };
  expect(tickLater()).toBe(live);
  const marketTime = "2026-11-23T11:00:00.000Z";
  market.connection.value = { ...CONNECTED, marketTime };
  expect(tickLater()).toBeGreaterThan(Date.parse(marketTime));
  market.connection.value = { ...CONNECTED, status: "disconnected", marketTime: null };
  expect(tickLater()).toBeNull();
});

test("a connection that never said anything counts as lost since the page began", () => {
  const opened = fakeStreams();
  startStream("key", () => {});
  const { since } = contact.value as Contact & { state: "connecting" };
  opened[0]!.onerror();
  expect<Contact>(contact.value).toEqual({ state: "reconnecting", since, attempt: 1 });
});

test("a page that connects again shows what is old; a page that has just been opened shows nothing", () => {
  contact.value = { state: "connecting", since: 0 };
  expect(isAway.value).toBe(false);
  market.isKnown.value = true;
  expect(isAway.value).toBe(true);
});
