import { describe, expect, test } from "bun:test";
import type { PubSub, Session } from "../../../core/backend/pubsub.ts";
import type { Elicitation, ElicitationOutcome } from "../../../core/tools/elicitation.ts";
import { ToolCatalogue } from "../../../core/dispatch/catalogue.ts";
import { Dispatcher } from "../../../core/dispatch/dispatcher.ts";
import { resultOf } from "../support/results.ts";
import { configurationFor, pubsubThatIs, servicesWith } from "../support/services.ts";
import { toolNamed } from "../support/tools.ts";

const PERMISSION = "Market.Operate";
const annotations = { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: true };

/** A server whose state a test may change, and one call of a tool that asks a person first. */
class AskedCall {
  readonly pubsub = pubsubThatIs("connected", [PERMISSION]) as { -readonly [Name in keyof PubSub]: PubSub[Name] };
  frozen = false;
  readOnly = false;
  marketName = "North";
  ran = 0;
  readonly questions: Elicitation[] = [];
  readonly dispatcher: Dispatcher;
  readonly #answer = Promise.withResolvers<ElicitationOutcome>();

  constructor() {
    const tool = toolNamed("mkt_stop_it", {
      annotations,
      requires: { connection: "write", permissions: [PERMISSION] },
      question: () => `Stop ${this.marketName}?`,
      handler: () => {
        this.ran += 1;
        return { stopped: true };
      },
    });
    const configuration = configurationFor({ MKT_CONFIRM: "elicit" });
    const isReadOnly = () => this.readOnly;
    const packs = {
      ...configuration.packs,
      get readOnly() {
        return isReadOnly();
      },
    };
    const services = servicesWith({
      configuration: { ...configuration, packs },
      pubsub: this.pubsub,
      frozen: () => this.frozen ? { reason: "stop", since: null } : null,
    });
    this.dispatcher = new Dispatcher(new ToolCatalogue([tool]), services);
  }

  changeSession(changes: Partial<Session>): void {
    this.pubsub.session = { ...this.pubsub.session!, ...changes };
  }

  /** The error code of the call, or `done`. The person answers after `meanwhile`. */
  async outcome(answer: ElicitationOutcome, meanwhile: () => void): Promise<string> {
    const call = resultOf(this.dispatcher.call("mkt_stop_it", {}, {
      signal: new AbortController().signal,
      elicitor: {
        elicit: (question) => {
          this.questions.push(question);
          return this.#answer.promise;
        },
      },
    }));
    expect(this.questions.length).toBe(1);
    meanwhile();
    this.#answer.resolve(answer);
    const result = await call;
    const [content] = result?.content ?? [];
    if (result?.isError !== true) return "done";
    return content?.type === "text" ? JSON.parse(content.text).error.code : "no text";
  }
}

describe("while a person is asked", () => {
  const changes: [string, string, (call: AskedCall) => void][] = [
    ["the server is frozen", "frozen", (call) => call.frozen = true],
    ["the server becomes read-only", "read_only", (call) => call.readOnly = true],
    ["the connection is lost", "not_connected", (call) => call.pubsub.status = "reconnecting"],
    ["the server disconnects", "forbidden", (call) => Object.assign(call.pubsub, pubsubThatIs("disconnected"))],
    ["another user is connected", "forbidden", (call) => call.changeSession({ userId: "user-2" })],
    ["the user's entity becomes another", "forbidden", (call) => call.changeSession({ entityId: "entity-2" })],
    ["the user loses the permission", "forbidden", (call) => call.changeSession({ capabilities: [] })],
    ["another engine is connected", "forbidden", (call) => call.changeSession({ engineId: "engine-2" })],
    ["the engine begins another history", "forbidden", (call) => call.changeSession({ epoch: 2 })],
    ["the question would have other words", "forbidden", (call) => call.marketName = "South"],
    ["the server begins to shut down", "shutting_down", (call) => call.dispatcher.refuseChanges()],
  ];
  test.each(changes)("%s: a yes has no effect", async (_name, code, change) => {
    const call = new AskedCall();
    expect(await call.outcome("agreed", () => change(call))).toBe(code);
    expect(call.ran).toBe(0);
  });

  test("things change and change back before the yes: the call runs", async () => {
    const call = new AskedCall();
    const meanwhile = () => {
      call.frozen = true;
      call.changeSession({ userId: "user-2" });
      call.frozen = false;
      call.changeSession({ userId: "user-1" });
    };
    expect(await call.outcome("agreed", meanwhile)).toBe("done");
    expect(call.ran).toBe(1);
  });

  test("the server begins to shut down: the call ends at once, without an answer", async () => {
    const call = new AskedCall();
    const never = resultOf(call.dispatcher.call("mkt_stop_it", {}, {
      signal: new AbortController().signal,
      elicitor: { elicit: () => new Promise(() => {}) },
    }));
    call.dispatcher.refuseChanges();
    expect(JSON.stringify(await never)).toContain("shutting_down");
    expect(call.ran).toBe(0);
  });
});

test.each<[ElicitationOutcome, string]>([
  ["declined", "forbidden"],
  ["pending", "forbidden"],
  ["unavailable", "forbidden"],
  ["busy", "rate_limited"],
  ["forged", "forbidden"],
])("the outcome %s has no effect and is %s", async (answer, code) => {
  const call = new AskedCall();
  expect(await call.outcome(answer, () => {})).toBe(code);
  expect(call.ran).toBe(0);
});

test.each([[{}, "Stop?"], [{ MKT_CONFIRM: "elicit" }, null]])(
  "nobody is asked with %j and the question %j, and the call runs",
  async (environment, question) => {
    let asked = 0;
    const tool = toolNamed("mkt_stop_it", { annotations, question: () => question });
    const services = servicesWith({ configuration: configurationFor(environment), pubsub: pubsubThatIs("connected") });
    const elicitor = {
      elicit: () => {
        asked += 1;
        return Promise.resolve("declined" as const);
      },
    };
    const scope = { signal: new AbortController().signal, elicitor };
    const result = await resultOf(new Dispatcher(new ToolCatalogue([tool]), services).call("mkt_stop_it", {}, scope));
    expect([asked, result?.isError]).toEqual([0, undefined]);
  },
);

test("the question names the caller, and is bound to tool, arguments, session, caller and wording", async () => {
  const call = new AskedCall();
  await call.outcome("declined", () => {});
  expect(call.questions[0]?.message).toBe("Stop North? Asked for by a client without a token, acting as user-1.");
  for (const part of ["mkt_stop_it", "{}", "user-1", "entity-1", "engine-1", "Stop North?"]) {
    expect(call.questions[0]?.call).toContain(part);
  }
});
