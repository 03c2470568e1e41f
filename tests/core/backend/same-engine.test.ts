// When a connect checks that the HTTP side is the same engine, who waits for it, and what ends the check. two-engines.test.ts
// of plugins has two real engines.

import { expect, spyOn, test } from "bun:test";
import { logger } from "../../../common/logger.ts";
import type { Session } from "../../../core/backend/pubsub.ts";
import { connectToOneEngine } from "../../../core/backend/same-engine.ts";
import type { Health } from "../../../core/backend/state-client.ts";
import { ToolError } from "../../../core/error.ts";
import { isSettled } from "../../support/still-clock.ts";
import { configurationFor } from "../support/services.ts";

const SESSION: Session = { userId: "u", entityId: null, capabilities: [], engineId: "engine-1", epoch: 1 };
type Answer = PromiseWithResolvers<Pick<Health, "engineId">>;

function sides({ checksEngine = false } = {}) {
  const disconnects: unknown[] = [];
  const pubsub = {
    status: "disconnected",
    session: null as Session | null,
    checksEngine,
    connect: () => {
      Object.assign(pubsub, { status: "connected", session: pubsub.session ?? SESSION });
      return Promise.resolve(pubsub.session!);
    },
    disconnect: (options: unknown) => Promise.resolve(void disconnects.push(options)),
  };
  const asked: (Answer & { readonly signal: AbortSignal | undefined })[] = [];
  const health = (signal?: AbortSignal) => {
    const answer = { ...Promise.withResolvers<Pick<Health, "engineId">>(), signal };
    signal?.addEventListener("abort", () => answer.reject(signal.reason));
    asked.push(answer);
    return answer.promise;
  };
  const parts = { pubsub, backend: { health }, configuration: configurationFor(), log: logger("test") };
  const connect = () =>
    connectToOneEngine(parts as never, "u").then(({ engineId }) => engineId, (error: ToolError) => error.code ?? error);
  return { pubsub, asked, disconnects, connect };
}

const turns = () => isSettled(new Promise(() => {}));

test("whoever connects while the first one's check is under way has its outcome, and later ones need no check", async () => {
  for (const [engineId, outcome] of [["engine-1", "engine-1"], ["engine-2", "not_configured"]] as const) {
    const { asked, connect, disconnects } = sides();
    const first = connect();
    await turns();
    const second = connect();
    await turns();
    expect([asked.length, await isSettled(first), await isSettled(second)]).toEqual([1, false, false]);
    asked[0]!.resolve({ engineId });
    expect(await Promise.all([first, second])).toEqual([outcome, outcome]);
    expect(disconnects).toEqual(outcome === "engine-1" ? [] : [{ isFault: true }]);
    expect([await connect(), asked.length]).toEqual(["engine-1", 1]);
  }
});

test.each<[string, (parts: ReturnType<typeof sides>) => void]>([
  ["the engine has restarted meanwhile, and is another one", ({ pubsub, asked }) => {
    pubsub.session = { ...SESSION, engineId: "engine-2" };
    asked[0]!.resolve({ engineId: "engine-2" });
  }],
  ["the connection was lost meanwhile", ({ pubsub, asked }) => {
    pubsub.status = "reconnecting";
    asked[0]!.resolve({ engineId: "engine-2" });
  }],
  ["the HTTP side does not say which engine it is", ({ asked }) => asked[0]!.resolve({ engineId: null as never })],
  ["the HTTP side can't be asked", ({ asked }) => asked[0]!.reject(new ToolError("backend_unavailable", "m", "h"))],
])("nothing is ended if %s", async (_what, end) => {
  const parts = sides();
  const connecting = parts.connect();
  await turns();
  end(parts);
  expect([await connecting, parts.disconnects]).toEqual(["engine-1", []]);
});

test("the check ends after three seconds without an answer, and nothing is ended", async () => {
  const limit = new AbortController();
  const timeout = spyOn(AbortSignal, "timeout").mockReturnValue(limit.signal);
  try {
    const { connect, disconnects } = sides();
    const connecting = connect();
    await turns();
    expect(timeout.mock.calls).toEqual([[3_000]]);
    limit.abort(new DOMException("too late", "TimeoutError"));
    expect([await connecting, disconnects]).toEqual(["engine-1", []]);
  } finally {
    timeout.mockRestore();
  }
});

test("a fault that is none of the HTTP side is the caller's", async () => {
  const { asked, connect } = sides();
  const connecting = connect();
  await turns();
  const fault = new Error("odd");
  asked[0]!.reject(fault);
  expect(await connecting).toBe(fault as never);
});

test("a connection that makes sure itself is not checked", async () => {
  const { asked, connect } = sides({ checksEngine: true });
  expect([await connect(), asked.length]).toEqual(["engine-1", 0]);
});
