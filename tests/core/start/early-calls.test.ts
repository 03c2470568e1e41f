// Calls that run before the SDK is loaded: which of them a notification cancels.

import { expect, test } from "bun:test";
import { z } from "zod";
import { ToolCatalogue } from "../../../core/dispatch/catalogue.ts";
import { Dispatcher } from "../../../core/dispatch/dispatcher.ts";
import type { EarlyAnswers } from "../../../core/start/early-answers.ts";
import { EarlyCalls } from "../../../core/start/early-calls.ts";
import { defineTool, READ_ONLY } from "../../../core/tools/tool.ts";
import { unlessAborted } from "../../../common/unless-aborted.ts";
import { servicesWith } from "../support/services.ts";

const waiting = defineTool({
  name: "waiting",
  title: "t",
  description: "d",
  input: z.strictObject({}),
  output: z.looseObject({}),
  annotations: READ_ONLY,
  handler: (_input, { signal }) => unlessAborted(new Promise<never>(() => {}), signal),
});

function open() {
  const outcomes: string[] = [];
  const dispatcher = new Dispatcher(new ToolCatalogue([waiting]), servicesWith(), ({ outcome }) => {
    outcomes.push(outcome);
  });
  const answers = { era: "legacy", take: () => "passed" } as unknown as EarlyAnswers;
  const written: string[] = [];
  const output = { write: (line: string) => written.push(line) > 0 };
  const calls = new EarlyCalls({ dispatcher, answers, output, modernEnd: "" });
  const call = (id: string | number) =>
    calls.take({ jsonrpc: "2.0", id, method: "tools/call", params: { name: "waiting" } });
  const cancel = (params: object) => calls.take({ jsonrpc: "2.0", method: "notifications/cancelled", params });
  const ended = async () => {
    await dispatcher.drain(0);
    return outcomes;
  };
  return { calls, call, cancel, ended, written };
}

test("a notification ends the call with its id, once, and the call is not answered", async () => {
  const { calls, call, cancel, ended, written } = open();
  expect([call(1), call("1")]).toEqual(["taken", "taken"]);
  expect(cancel({ requestId: 1 })).toBe("taken");
  expect(await ended()).toEqual(["given_up"]);
  expect(cancel({ requestId: 1 })).toBe("passed");
  expect(await ended()).toEqual(["given_up"]);
  calls.close();
  expect(await ended()).toEqual(["given_up", "given_up"]);
  expect(written).toEqual([]);
});

test("a notification without an id, or with an unknown one, ends no call", async () => {
  const { calls, call, cancel, ended } = open();
  expect(call("")).toBe("taken");
  for (const params of [{}, { requestId: null }, { requestId: 0 }, { requestId: "other" }]) {
    expect(cancel(params)).toBe("passed");
  }
  expect(await ended()).toEqual([]);
  expect(cancel({ requestId: "" })).toBe("taken");
  expect(await ended()).toEqual(["given_up"]);
  calls.close();
});
