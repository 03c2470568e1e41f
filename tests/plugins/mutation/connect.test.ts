// A connect passes on who and its call's signal, and says what came of it; if the user is unknown, who was probably meant.

import { describe, expect, test } from "bun:test";
import * as sameEngine from "../../../core/backend/same-engine.ts";
import { ToolError } from "../../../core/error.ts";
import * as progress from "../../../core/tools/progress.ts";
import tools from "../../../plugins/mutation/connection.ts";
import { ownSignal } from "../../support/own-signal.ts";
import { replaced } from "../../support/replaced.ts";

const [connect, disconnect] = tools;
const SESSION = { userId: "alice", entityId: "E", capabilities: ["Market.View"], engineId: "engine", epoch: 3 };
const UNKNOWN = new ToolError("not_found", "There is no such user.", "Look.");

/** A call of the tool; `ends`: how the attempt to connect ends, and `users` how the question for users does. */
async function called(
  input: object,
  { status = "disconnected", ends = () => Promise.resolve(SESSION) as Promise<unknown>, users = [] as unknown } = {},
) {
  const signal = ownSignal();
  const attempts = replaced(sameEngine, "connectToOneEngine", () => ends());
  const waits = replaced(progress, "reportWait", (work) => work);
  const asked: unknown[] = [];
  const context = {
    signal,
    configuration: { backend: { confirmTimeoutMs: 1, userId: "configured" } },
    pubsub: { status, session: null },
    backend: {
      users: (...all: unknown[]) => {
        asked.push(...all);
        return users instanceof Error ? Promise.reject(users) : Promise.resolve(users);
      },
    },
  };
  const answer = await Promise.resolve(connect!.handler(input as never, context as never)).catch((error: unknown) =>
    error
  );
  return { answer: answer as never, attempts, waits, asked, signal, context };
}

test.each([[{ userId: "alice" }, "alice"], [{}, "configured"]])("a connect of %j is as %s", async (input, userId) => {
  const { answer, attempts, waits, signal, context } = await called(input);
  expect<unknown>(attempts).toEqual([[context, userId, signal]]);
  expect<unknown>(waits.map(([, of, wait]) => [of === context as never, wait])).toEqual([
    [true, { what: `Connects as ${userId} and loads the market` }],
  ]);
  expect<unknown>(answer).toEqual({
    ...SESSION,
    status: "success",
    message: "Connected as alice. Next: mkt_get_market_state, mkt_list_products, mkt_get_order_book.",
  });
});

test.each([["connected", /^Already connected as alice\.$/], ["reconnecting", /^Connected as alice\. Next/]])(
  "a connect of what is %s says so",
  async (status, message) => {
    expect((await called({}, { status })).answer as object).toMatchObject({ message: expect.stringMatching(message) });
  },
);

describe("a connect that fails", () => {
  const rejected = (error: unknown) => () => Promise.reject(error);

  test("because nobody has the id has the nearest one, asked with the call's signal", async () => {
    const users = [{ id: "alice", name: "Alice" }, { id: "bob", name: "Bob" }];
    const { answer, asked, signal } = await called({ userId: "alcie" }, { ends: rejected(UNKNOWN), users });
    expect<unknown>(answer).toMatchObject({
      code: "not_found",
      message: "There is no such user.",
      hint: "Did you mean alice? Look.",
    });
    expect(asked).toEqual([signal]);
  });

  test.each([
    ["the users can't be asked for", UNKNOWN, new ToolError("backend_unavailable", "Gone.", ""), UNKNOWN],
    ["asking for users has a fault", UNKNOWN, new TypeError("wrong"), new TypeError("wrong")],
  ])("tells its own error if %s", async (_what, error, users, told) => {
    const { answer } = await called({}, { ends: rejected(error), users });
    expect(answer as Error).toEqual(told);
  });

  test("for another reason asks for no users", async () => {
    const error = new ToolError("timeout", "Late.", "");
    const { answer, asked } = await called({}, { ends: rejected(error) });
    expect([answer as unknown === error, asked]).toEqual([true, []]);
  });

  test.each<[object | null, object]>([
    [SESSION, { entityId: "E", capabilities: ["Market.View"], engineId: "engine", epoch: 3 }],
    [null, { entityId: null, capabilities: [], engineId: null, epoch: null }],
  ])("says with the session %j who is connected now", (session, fields) => {
    expect(connect!.onFailure!(UNKNOWN, {}, { pubsub: { session } } as never)).toMatchObject(fields);
  });
});

test("both are allowed on a server that is frozen or read-only, and need no permission", () => {
  for (const tool of tools) {
    expect([tool.allowedInReadOnly, tool.allowedWhenFrozen, tool.requires]).toEqual([true, true, {}]);
  }
});

test.each([[{ userId: "alice" }, "Disconnected; the acting user was alice."], [null, "There was no connection."]])(
  "a disconnect with the session %j names who acted before it",
  async (session, message) => {
    const pubsub = { session, disconnect: () => Promise.resolve(void (pubsub.session = null)) };
    const context = { signal: ownSignal(), configuration: { backend: {} }, pubsub };
    expect(await disconnect!.handler({}, context as never)).toMatchObject({ status: "success", message });
    expect(pubsub.session).toBeNull();
  },
);
