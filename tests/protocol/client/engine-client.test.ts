// What a client of an engine leaves behind: on a clock that stands still, so no time limit ends anything.

import { expect, jest, test } from "bun:test";
import { logger } from "../../../common/logger.ts";
import { EngineClient } from "../../../protocol/client/engine-client.ts";
import type { EngineListener } from "../../../protocol/client/engine-client-options.ts";
import { EngineClock } from "../../../protocol/client/engine-clock.ts";
import { FrameReader } from "../../../protocol/client/frame-reader.ts";
import type { RequestOutcome } from "../../../protocol/client/pending-requests.ts";
import { onStillClock } from "../../support/still-clock.ts";
import { entity, ScriptedEngine } from "../../support/scripted-engine.ts";

const MINUTE = 60_000;
const TIMINGS = {
  pingMs: MINUTE,
  silenceMs: MINUTE,
  openMs: MINUTE,
  answerMs: MINUTE,
  synchronizeMs: MINUTE,
  closeMs: MINUTE,
  firstRetryMs: MINUTE,
  longestRetryMs: MINUTE,
  readAgainMs: MINUTE,
};

/** Calls of the listener, which a test waits for one after the other. */
class Calls {
  readonly #made: string[] = [];
  readonly #waiting: (() => void)[] = [];

  note(call: string): void {
    this.#made.push(call);
    this.#waiting.shift()?.();
  }

  async next(): Promise<string> {
    if (this.#made.length === 0) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    return this.#made.shift()!;
  }
}

/** Runs with an engine and a client that is up. No timer may be left after the client was closed. */
function withClient(
  run: (parts: {
    client: EngineClient;
    calls: Calls;
    connection: Awaited<ReturnType<ScriptedEngine["connection"]>>;
    engine: ScriptedEngine;
  }) => Promise<void>,
) {
  return onStillClock(async () => {
    await using engine = new ScriptedEngine();
    const calls = new Calls();
    const listener: EngineListener = {
      state: () => {},
      synchronized: () => calls.note("up"),
      unreadable: () => calls.note("unreadable"),
      ended: (_end, willRetry) => calls.note(willRetry ? "tries again" : "gave up"),
    };
    const client = new EngineClient({
      url: engine.url,
      userId: "u-1",
      token: null,
      reader: new FrameReader(logger("test")),
      clock: new EngineClock(() => 0),
      timings: TIMINGS,
      policy: { retriesFirstAttempt: true, finalRefusals: 1, validForMs: () => MINUTE, requestTimeoutMs: MINUTE },
      log: logger("test"),
      listener,
    });
    client.open();
    const connection = await engine.admitted([entity("north")]);
    expect(await calls.next()).toBe("up");
    // Pings and silence; the snapshot is whole.
    expect(jest.getTimerCount()).toBe(2);
    await run({ client, calls, connection, engine });
    await client.close();
  });
}

test("a client that is closed leaves no timer, and settles the requests that wait", () =>
  withClient(async ({ client, connection }) => {
    const outcome = client.request("market.halt", {}, { operationId: "o-1" });
    await connection.next("request");
    expect([client.pendingCount, jest.getTimerCount()]).toEqual([1, 3]);
    await client.close();
    expect([client.pendingCount, jest.getTimerCount()]).toEqual([0, 0]);
    expect(await outcome).toMatchObject({ kind: "timeout" });
  }));

test("a request leaves no timer once it is answered or dropped", () =>
  withClient(async ({ client, connection }) => {
    const outcomes: RequestOutcome[] = [];
    for (const operationId of ["answered", "dropped"]) {
      client.send("market.halt", {}, { operationId }, (outcome) => outcomes.push(outcome));
    }
    expect(jest.getTimerCount()).toBe(4);
    client.drop("dropped");
    expect(jest.getTimerCount()).toBe(3);
    const answered = client.request("market.halt", {}, { operationId: "last" });
    await connection.respond();
    await connection.next("request");
    await connection.respond();
    expect(await answered).toMatchObject({ kind: "ok" });
    expect([outcomes.length, client.pendingCount, jest.getTimerCount()]).toEqual([1, 0, 2]);
  }));

test("a lost connection leaves one timer, that of the next attempt, which a close ends", () =>
  withClient(async ({ client, calls, connection }) => {
    connection.cut();
    expect(await calls.next()).toBe("tries again");
    expect(jest.getTimerCount()).toBe(1);
    await client.close();
    expect(jest.getTimerCount()).toBe(0);
  }));

test("a connection that skips what it can't read is replaced later, unless it is closed before", () =>
  withClient(async ({ client, calls, connection, engine }) => {
    for (let broken = connection, strike = 1;; strike += 1) {
      broken.sendText("{");
      if (await calls.next() === "unreadable") break;
      expect([strike, jest.getTimerCount()]).toEqual([Math.min(strike, 2), 1]);
      client.open();
      broken = await engine.admitted([entity("north")]);
      expect(await calls.next()).toBe("up");
    }
    expect([client.isIncomplete, jest.getTimerCount()]).toEqual([true, 3]);
    await client.close();
    expect([client.isIncomplete, jest.getTimerCount()]).toEqual([false, 0]);
  }));

test("an attempt that is closed before the engine has accepted the socket leaves nothing", () =>
  withClient(async ({ client, connection, calls, engine }) => {
    connection.cut();
    await calls.next();
    client.open();
    const closed = client.close();
    await Promise.race([closed, engine.connection().then((late) => late.closed.promise).then(() => closed)]);
    expect(jest.getTimerCount()).toBe(0);
  }));
