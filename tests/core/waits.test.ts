// Every wait of a call, with its two ends: what it waits for, and its client who goes. The clock stands still, so neither end
// is that of a time limit. Afterwards nothing of the wait is left: no timer, no listener, no entry, no place of a limit.

import { describe, expect, jest, test } from "bun:test";
import { logger } from "../../common/logger.ts";
import { unlessAborted } from "../../common/unless-aborted.ts";
import { within } from "../../common/within.ts";
import { paused } from "../../core/backend/auto-connect.ts";
import { ConnectWaiters } from "../../core/backend/connect-waiters.ts";
import { untilAborted } from "../../core/backend/pending-call.ts";
import type { Session } from "../../core/backend/pubsub.ts";
import { EventWaits, MAX_WAITING } from "../../core/dispatch/event-waits.ts";
import { RunningCalls } from "../../core/dispatch/running-calls.ts";
import { confirmation } from "../../core/guardrails/confirmation.ts";
import { EventBuffer } from "../../core/market/event-buffer.ts";
import type { PlainMessage } from "../../core/messages/plain-message.ts";
import { type PlainBody, PlainTransport } from "../../core/server/plain/plain-transport.ts";
import { MAX_WAIT_SECONDS, type ToolContext } from "../../core/tools/context.ts";
import { reportSteps } from "../../core/tools/progress.ts";
import type { EngineClient } from "../../protocol/client/engine-client.ts";
import { PendingRequests, type RequestMessage, type RequestOutcome } from "../../protocol/client/pending-requests.ts";
import { configurationFor, servicesWith } from "./support/services.ts";
import { toolNamed } from "./support/tools.ts";
import { isSettled, listenersOf, onStillClock } from "../support/still-clock.ts";

interface Begun {
  readonly wait: Promise<unknown>;
  /** What was waited for comes. */
  readonly finish: () => void;
  /** What the wait holds, besides timers and listeners; 0 after its end. */
  readonly held?: () => number;
}

const request: RequestMessage = {
  kind: "request",
  requestId: "r-1",
  operationId: "o-1",
  action: "market.halt",
  payload: {},
  validUntil: "2030-06-01T12:00:00.000Z",
};
const response = { kind: "response", requestId: "r-1", operationId: "o-1", status: "ok", result: {} } as const;

/** A call that waits for the response to its request, which has a deadline of its own. */
function pendingCall(signal: AbortSignal): Begun {
  const pending = new PendingRequests(15_000);
  const client: Pick<EngineClient, "request" | "drop"> = {
    request: () => new Promise<RequestOutcome>((resolve) => pending.add(request, resolve)),
    drop: (requestId) => pending.drop(requestId),
  };
  const call = { action: request.action, payload: {}, ids: request, signal };
  const wait = untilAborted(client as EngineClient, call, logger("test"));
  return { wait, finish: () => void pending.settle(response), held: () => pending.count };
}

/** A call that waits as long as it may, beside all others that may wait. */
function eventWait(signal: AbortSignal): Begun {
  const waits = new EventWaits();
  const buffer = new EventBuffer(10);
  buffer.begin(1, 1);
  let entries = 0;
  const own = {
    onNext: (...given: Parameters<EventBuffer["onNext"]>) => {
      const cancel = buffer.onNext(...given);
      entries += 1;
      return () => {
        entries -= 1;
        cancel();
      };
    },
  } as EventBuffer;
  const begin = (caller: string, signal: AbortSignal) =>
    waits.begin(own, { filter: {}, seconds: MAX_WAIT_SECONDS, caller, signal });
  const wait = begin("a", signal)!;
  const finish = () => buffer.push({ sequence: 2, type: "new.order", time: "", data: {} });
  // Its place is free again: as many calls of its caller as may wait can.
  const lost = () => {
    const begun = Array.from({ length: MAX_WAITING / 2 }, () => begin("a", new AbortController().signal));
    buffer.interrupt();
    return begun.filter((each) => each === null).length;
  };
  return { wait, finish, held: () => waits.count === 0 ? entries + lost() : waits.count };
}

function plainAnswer(signal: AbortSignal): Begun {
  const { promise, resolve } = Promise.withResolvers<PlainBody>();
  const exchange = { caller: null, client: "a", isAccepted: () => true, freeSlot: () => {} };
  const given = { signal, headers: new Headers({ Accept: "application/json" }) } as Request;
  const message = { era: "legacy", id: 7, method: "ping" } as PlainMessage;
  const wait = new PlainTransport(given, exchange, message).written(promise);
  return { wait, finish: () => resolve({ type: "json", body: "{}" }) };
}

function connectWait(signal: AbortSignal): Begun {
  let waiting = 1;
  const waiters = new ConnectWaiters(() => void (waiting -= 1));
  const wait = waiters.add(signal);
  const finish = () => {
    waiting -= 1;
    waiters.resolveAll({} as Session);
  };
  return { wait, finish, held: () => waiting };
}

function work(wrap: (work: Promise<void>, signal: AbortSignal) => Promise<unknown>) {
  return (signal: AbortSignal): Begun => {
    const { promise, resolve } = Promise.withResolvers<void>();
    return { wait: wrap(promise, signal), finish: resolve };
  };
}

/** Here the signal is that of the process, which all calls share. */
function agreement(ending: AbortSignal): Begun {
  const { promise, resolve } = Promise.withResolvers<"agreed">();
  const tool = toolNamed("mkt_stop_it", { question: () => "Stop?" });
  const services = servicesWith({ configuration: configurationFor({ MKT_CONFIRM: "elicit" }) });
  const context = { ...services, elicitor: { elicit: () => promise } } as unknown as ToolContext;
  return { wait: confirmation(tool, {}, context, ending)!, finish: () => resolve("agreed") };
}

const WAITS: Readonly<Record<string, (signal: AbortSignal) => Begun>> = {
  "for the next event": eventWait,
  "for the response of the engine": pendingCall,
  "for the connection": connectWait,
  "for a person who is asked": agreement,
  "for a plain answer": plainAnswer,
  "for work that others share": work((promise, signal) => unlessAborted(promise, signal)),
};

describe.each(Object.entries(WAITS))("a wait %s", (_name, begin) => {
  test("ends when its client goes, and leaves nothing", () =>
    onStillClock(async () => {
      const client = new AbortController();
      const { wait, held = () => 0 } = begin(client.signal);
      expect([await isSettled(wait), listenersOf(client.signal)]).toEqual([false, 1]);
      client.abort();
      expect([await isSettled(wait), held()]).toEqual([true, 0]);
    }));

  test("ends with what it waits for, and leaves nothing with a client who stays", () =>
    onStillClock(async () => {
      const client = new AbortController();
      const { wait, finish, held = () => 0 } = begin(client.signal);
      finish();
      expect([await isSettled(wait), held(), listenersOf(client.signal)]).toEqual([true, 0, 0]);
      client.abort();
      expect(held()).toBe(0);
    }));
});

/** The answer is a stream, which begins at once if the work takes long. */
function streamedAnswer(work: Promise<void>): Promise<unknown> {
  const exchange = { caller: null, client: "a", isAccepted: () => true, freeSlot: () => {} };
  const headers = new Headers({ Accept: "application/json, text/event-stream" });
  const given = { signal: new AbortController().signal, headers } as Request;
  const message = { era: "legacy", id: 7, method: "ping" } as PlainMessage;
  return new PlainTransport(given, exchange, message).written(work.then(() => ({ type: "stream", body: "" })));
}

const ENDS: Readonly<Record<string, (work: Promise<void>) => Promise<unknown>>> = {
  "a plain answer": streamedAnswer,
  "a limit on work": (work) => within(60_000, work),
  "reports of progress": (work) =>
    reportSteps(work, { progress: async () => {}, log: logger("test") }, () => null, 1_000),
};

test.each(Object.entries(ENDS))(
  "%s leaves no timer after the end of the work",
  (_name, wrap) =>
    onStillClock(async () => {
      for (const end of ["resolve", "reject"] as const) {
        const work = Promise.withResolvers<void>();
        const wait = wrap(work.promise);
        expect(await isSettled(wait)).toBe(false);
        work[end]();
        expect(await isSettled(wait)).toBe(true);
      }
    }),
);

test("a pause ends with its signal, also with one that has aborted before, or after its time", () =>
  onStillClock(async () => {
    const ending = new AbortController();
    const pause = paused(60_000, ending.signal);
    expect([await isSettled(pause), listenersOf(ending.signal)]).toEqual([false, 1]);
    ending.abort();
    expect([await isSettled(pause), listenersOf(ending.signal)]).toEqual([true, 0]);
    expect(await isSettled(paused(60_000, ending.signal))).toBe(true);
    const { signal } = new AbortController();
    const whole = paused(60_000, signal);
    jest.advanceTimersByTime(60_000);
    expect([await isSettled(whole), listenersOf(signal)]).toEqual([true, 0]);
  }));

describe("calls that run when the process ends", () => {
  test("are waited for only as long as they run, and calls that wait for an event end at once", () =>
    onStillClock(async () => {
      const calls = new RunningCalls({ http: null });
      const work = Promise.withResolvers<void>();
      const waiting = calls.waits.begin(new EventBuffer(10), {
        filter: {},
        seconds: MAX_WAIT_SECONDS,
        caller: null,
        signal: new AbortController().signal,
      })!;
      void calls.counted(work.promise);
      void calls.counted(waiting);
      calls.end();
      expect([calls.ending.aborted, await isSettled(waiting), calls.count]).toEqual([true, true, 1]);
      work.resolve();
      expect(await isSettled(work.promise)).toBe(true);
      expect(calls.count).toBe(0);
    }));

  test("count against the limit until they settle, in whatever way, but not while they wait for an event", async () => {
    const calls = new RunningCalls({ http: { maxRequests: 2 } as never });
    const works = [
      Promise.withResolvers<void>(),
      Promise.withResolvers<void>(),
      Promise.withResolvers<void>(),
    ] as const;
    const [one, other, third] = works;
    const counted = works.slice(0, 2).map(({ promise }) => calls.counted(promise).catch(() => {}));
    expect(() => calls.checkCapacity()).toThrow(/2 calls are already running/);
    one.reject(new Error("failed"));
    await counted[0];
    calls.checkCapacity();
    void calls.counted(third.promise);
    expect(() => calls.checkCapacity()).toThrow(/already running/);
    const client = new AbortController();
    const wait = calls.waits.begin(new EventBuffer(10), {
      filter: {},
      seconds: 30,
      caller: null,
      signal: client.signal,
    });
    calls.checkCapacity();
    client.abort();
    await wait;
    other.resolve();
    third.resolve();
    await counted[1];
    expect(calls.waits.count).toBe(0);
  });
});
