import { describe, expect, jest, test } from "bun:test";
import { type AutoConnectOptions, beginConnecting, keepConnecting } from "../../../core/backend/auto-connect.ts";
import { ToolError } from "../../../core/error.ts";
import { logger } from "../../../common/logger.ts";
import { atEnd } from "../../support/at-end.ts";
import type { ScriptedEngine } from "../../support/scripted-engine.ts";
import { isSettled, onStillClock } from "../../support/still-clock.ts";
import { until } from "../../support/until.ts";
import { idle } from "./support/clients.ts";

/** An auto-connect whose pauses end when the test says so. */
function autoConnect() {
  const { engine, client: pubsub } = idle({ confirmTimeoutMs: 1_000 });
  const abort = new AbortController();
  const pauses: { waitMs: number; end: () => void }[] = [];
  const begun: (() => void)[] = [];
  const pause: AutoConnectOptions["pause"] = (waitMs) =>
    new Promise((end) => {
      pauses.push({ waitMs, end });
      begun.shift()?.();
    });
  const ended = keepConnecting({
    pubsub,
    connect: (signal) => pubsub.connect("u-1", signal),
    signal: abort.signal,
    log: logger("test"),
    pause,
  });
  atEnd(() => abort.abort());
  return {
    engine,
    pubsub,
    abort,
    ended,
    waits: () => pauses.map(({ waitMs }) => waitMs),
    /** The backend refuses the next attempt for now; resolves with what ends the pause after it. */
    nextPause: async () => {
      const begins = new Promise<void>((resolve) => begun.push(resolve));
      await refuse(engine, "shutting_down");
      await begins;
      return pauses.at(-1)?.end ?? (() => {});
    },
  };
}

const refuse = async (engine: ScriptedEngine, code: string) =>
  (await engine.connection()).send({ kind: "refused", code, message: "Not now." });

type AutoConnect = ReturnType<typeof autoConnect>;

async function connectsOther({ engine, pubsub }: AutoConnect): Promise<void> {
  const session = pubsub.connect("u-2");
  await engine.admitted();
  await session;
}

describe("auto-connect", () => {
  test("tries again after growing waits while the backend is shutting down, and connects once it is back", async () => {
    const auto = autoConnect();
    for (let attempt = 0; attempt < 6; attempt++) (await auto.nextPause())();
    await auto.engine.admitted();
    await auto.ended;
    expect(auto.pubsub.session?.userId).toBe("u-1");
    expect(auto.waits()).toEqual([500, 1000, 2000, 4000, 8000, 10_000]);
  });

  test("ends when the backend refuses the user", async () => {
    const auto = autoConnect();
    await refuse(auto.engine, "unknown_user");
    await auto.ended;
    expect([auto.engine.connectionCount, auto.waits()]).toEqual([1, []]);
  });

  test.each<[string, (auto: AutoConnect) => unknown]>([
    ["a disconnect", ({ pubsub }) => pubsub.disconnect()],
    ["the process", ({ abort }) => abort.abort()],
  ])("ends with %s during an attempt", async (_what, act) => {
    const auto = autoConnect();
    await auto.engine.connection();
    await act(auto);
    await auto.ended;
    expect([auto.engine.connectionCount, auto.waits(), auto.pubsub.status]).toEqual([1, [], "disconnected"]);
  });

  test.each<[string, (auto: AutoConnect) => unknown, [connections: number, userId: string | null]]>([
    ["a disconnect", ({ pubsub }) => pubsub.disconnect(), [1, null]],
    ["the process", ({ abort }) => abort.abort(), [1, null]],
    ["another caller's connection, which stays", connectsOther, [2, "u-2"]],
    ["a connect and a disconnect by another caller", async (auto) => {
      await connectsOther(auto);
      await auto.pubsub.disconnect();
    }, [2, null]],
  ])("ends with %s during its pause", async (_what, act, expected) => {
    const auto = autoConnect();
    const end = await auto.nextPause();
    await act(auto);
    end();
    await auto.ended;
    expect([auto.engine.connectionCount, auto.pubsub.session?.userId ?? null]).toEqual(expected);
  });

  test("continues after a caller has stopped waiting for the same attempt", async () => {
    const auto = autoConnect();
    const connection = await auto.engine.connection();
    const caller = new AbortController();
    const givenUp = auto.pubsub.connect("u-1", caller.signal).then(() => "connected", () => "given up");
    caller.abort();
    expect(await givenUp).toBe("given up");
    await connection.admit();
    await auto.ended;
    expect(auto.pubsub.status).toBe("connected");
  });

  test("ends its default pause with the process", async () => {
    const auto = autoConnect();
    const abort = new AbortController();
    await auto.nextPause();
    const ended = keepConnecting({
      pubsub: auto.pubsub,
      connect: (signal) => auto.pubsub.connect("u-1", signal),
      signal: abort.signal,
      log: logger("test"),
    });
    await refuse(auto.engine, "shutting_down");
    await until(() => auto.pubsub.status === "disconnected");
    abort.abort();
    await ended;
    expect(auto.pubsub.status).toBe("disconnected");
  });
});

test.each(["resolve", "reject"] as const)(
  "the start waits for the first attempt, and no longer if it %ss",
  (end) =>
    onStillClock(async () => {
      const attempt = Promise.withResolvers<void>();
      const pubsub = { disconnects: 0 } as AutoConnectOptions["pubsub"];
      const { signal } = new AbortController();
      const begun = beginConnecting({ pubsub, connect: () => attempt.promise, signal, log: logger("test") });
      expect(await isSettled(begun)).toBe(false);
      if (end === "resolve") attempt.resolve();
      else attempt.reject(new Error("refused"));
      expect(await isSettled(begun)).toBe(true);
    }),
);

test("the start does not wait longer than two seconds for the first attempt", async () => {
  jest.useFakeTimers();
  try {
    const pubsub = { disconnects: 0 } as AutoConnectOptions["pubsub"];
    const connect = () => new Promise<void>(() => {});
    const begun = beginConnecting({ pubsub, connect, signal: new AbortController().signal, log: logger("test") });
    jest.advanceTimersByTime(1_999);
    expect(await isSettled(begun)).toBe(false);
    jest.advanceTimersByTime(1);
    expect(await isSettled(begun)).toBe(true);
  } finally {
    jest.useRealTimers();
  }
});

test("no attempt follows one during which the process began to end, whatever it failed with", async () => {
  const ending = new AbortController();
  let attempts = 0;
  const connect = () => {
    attempts += 1;
    ending.abort();
    return Promise.reject(new ToolError("backend_unavailable", "Down.", "Wait."));
  };
  const pubsub = { disconnects: 0 } as AutoConnectOptions["pubsub"];
  const ended = keepConnecting({ pubsub, connect, signal: ending.signal, log: logger("test"), pause: () => ended });
  expect(await isSettled(ended)).toBe(true);
  expect(attempts).toBe(1);
});
