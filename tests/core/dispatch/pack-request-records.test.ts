// What each request of a client to a pack is checked for, is observed as, and leaves behind.

import { describe, expect, test } from "bun:test";
import type { Span, Tracer } from "../../../common/telemetry/tracer.ts";
import type { CallScope } from "../../../core/dispatch/call-context.ts";
import { type PackRequest, PackRequests } from "../../../core/dispatch/pack-requests.ts";
import { RunningCalls } from "../../../core/dispatch/running-calls.ts";
import { ToolError } from "../../../core/error.ts";
import type { RequestRecord } from "../../../core/guardrails/call-log.ts";
import { InputRequired } from "../../../core/tools/client.ts";
import type { Services } from "../../../core/tools/context.ts";
import type { Replicas } from "../../../core/tools/replicas.ts";
import { configurationFor, pubsubThatIs, servicesWith } from "../support/services.ts";
import { ownSignal } from "../../support/own-signal.ts";

const REQUEST = { kind: "resource", name: "odd://{id}", arguments: { id: "1" } } as const;

function serving({ services = {}, maxRequests, tracer }: {
  readonly services?: Partial<Services>;
  readonly maxRequests?: number;
  readonly tracer?: Tracer;
} = {}) {
  const configuration = configurationFor({
    MCP_HTTP_PORT: "0",
    ...(maxRequests !== undefined && { MCP_MAX_REQUESTS: String(maxRequests) }),
  });
  const records: RequestRecord[] = [];
  const running = new RunningCalls(configuration);
  const all = servicesWith({ configuration, ...services });
  const requests = new PackRequests(all, running, (record) => void records.push(record), tracer ?? null);
  const gone = new AbortController();
  const scope: CallScope = { signal: gone.signal, caller: "desk" };
  const outcomes = () => records.map(({ outcome }) => outcome);
  return { requests, records, running, gone, scope, outcomes };
}

const asked = new InputRequired({ requests: { one: { method: "roots/list" } } } as never);
const refused = new ToolError("not_found", "m", "h");

test.each<[string, () => unknown, string]>([
  ["a value", () => "value", "ok"],
  ["a promise", () => Promise.resolve("value"), "ok"],
  ["a question", () => asked, "asked"],
  ["a refusal", () => Promise.reject(refused), "not_found"],
  ["a fault", () => Promise.reject(new Error("inside")), "internal"],
])("a request whose handler gives %s is observed once, as what it ended in", async (_what, handle, outcome) => {
  const { requests, records, running, scope } = serving({ services: { pubsub: pubsubThatIs("connected") } });
  const given = await Promise.resolve(requests.run(REQUEST, scope, handle)).catch((error: unknown) => error);
  const expected = await Promise.resolve().then(handle).catch((error: unknown) => error);
  expect(given).toEqual(expected as never);
  expect(records).toEqual([
    { ...REQUEST, caller: "desk", userId: "user-1", outcome, durationMs: expect.any(Number) },
  ]);
  expect([records[0]!.durationMs >= 0, running.count]).toEqual([true, 0]);
});

test("a value may itself be a failure, and a fault after the client has gone is not one of mkt", async () => {
  const { requests, outcomes, scope, gone } = serving();
  await requests.run(REQUEST, scope, () => 404, (status) => `http_${status}`);
  const fail = () => {
    gone.abort();
    throw new Error("aborted");
  };
  await requests.run(REQUEST, scope, fail).catch(() => {});
  await requests.run(REQUEST, scope, () => Promise.reject(refused)).catch(() => {});
  expect(outcomes()).toEqual(["http_404", "given_up", "not_found"]);
});

test("arguments that are not given are none, invalid ones are null; nobody and no user are null", async () => {
  const { requests, records } = serving();
  const signal = ownSignal();
  const { arguments: _without, ...request } = REQUEST;
  await requests.run(request, { signal }, () => "");
  await requests.run({ ...request, arguments: null }, { signal, caller: null }, () => "");
  expect(records.map(({ arguments: given, caller, userId }) => [given, caller, userId])).toEqual([
    [{}, null, null],
    [null, null, null],
  ]);
});

test("the user is the one that the request began as; that of a connection that it waited for, if there was none", async () => {
  for (const [first, then, expected] of [["anna", null, "anna"], ["anna", "bob", "anna"], [null, "bob", "bob"]]) {
    const session = { userId: first as string | null };
    const pubsub = {
      ...pubsubThatIs("connected"),
      get session() {
        return session.userId === null ? null : { ...pubsubThatIs("connected").session!, userId: session.userId };
      },
    };
    const { requests, records, scope } = serving({ services: { pubsub } });
    await requests.run(REQUEST, scope, () => void (session.userId = then as string | null));
    expect([records[0]!.userId, requests.actingUser]).toEqual([expected, then] as never);
  }
});

test("a name that no pack offers is recorded without it", () => {
  const { requests, records, scope } = serving({ services: { pubsub: pubsubThatIs("connected") } });
  requests.recordUnknown("completion", "prompt", scope);
  requests.recordUnknown("subscription", "resource", { signal: scope.signal });
  const unknown = { name: "(not offered)", userId: "user-1", arguments: null, durationMs: 0 };
  expect(records).toEqual([
    { ...unknown, kind: "completion", caller: "desk", outcome: "unknown_prompt" },
    { ...unknown, kind: "subscription", caller: null, outcome: "unknown_resource" },
  ]);
});

describe("a request is refused before its handler, and recorded,", () => {
  const FROZEN = { frozen: () => ({ reason: null, since: null }) };
  const READ_ONLY = { configuration: configurationFor({ MKT_READ_ONLY: "1" }) };
  const requires = { connection: "read" } as const;
  test.each<[string, Partial<PackRequest>, Partial<Services>, string]>([
    ["on a frozen server, if it changes something", { readOnlyHint: false }, FROZEN, "frozen"],
    ["on a frozen server, unless that is allowed", { readOnlyHint: false, allowedWhenFrozen: true }, FROZEN, "ok"],
    ["on a frozen server, unless it reads", {}, FROZEN, "ok"],
    ["on a server that only reads, if it changes something", { readOnlyHint: false }, READ_ONLY, "read_only"],
    ["on a server that only reads, unless it reads", { readOnlyHint: true }, READ_ONLY, "ok"],
    ["without a connection that it needs", { requires }, {}, "not_connected"],
    ["without a connection, unless it needs none", {}, {}, "ok"],
    ["with a connection that is there", { requires }, { pubsub: pubsubThatIs("connected") }, "ok"],
  ])("%s", async (_when, own, services, outcome) => {
    const { requests, outcomes, scope } = serving({ services });
    let hasRun = false;
    await requests.run({ ...REQUEST, ...own }, scope, () => void (hasRun = true)).catch(() => {});
    expect([outcomes(), hasRun]).toEqual([[outcome], outcome === "ok"]);
    const look = () => requests.contextFor({ ...REQUEST, ...own });
    if (outcome === "ok") expect(look().caller).toBeNull();
    else expect(look).toThrow(expect.objectContaining({ code: outcome }));
  });

  test("if it changes something while the process ends; reading goes on", async () => {
    const { requests, outcomes, running, scope } = serving();
    running.end();
    for (const readOnlyHint of [false, true]) {
      await requests.run({ ...REQUEST, readOnlyHint }, scope, () => "").catch(() => {});
    }
    expect(outcomes()).toEqual(["shutting_down", "ok"]);
  });

  test("beyond the number of running ones, which counts each until it has ended; a look is none", async () => {
    const { requests, outcomes, running, scope } = serving({ maxRequests: 1 });
    const held = Promise.withResolvers<string>();
    const first = requests.run(REQUEST, scope, () => held.promise);
    await requests.run(REQUEST, scope, () => "").catch(() => {});
    expect([running.count, requests.contextFor(REQUEST, scope).caller]).toEqual([1, "desk"]);
    held.resolve("done");
    expect(await first).toBe("done");
    await requests.run(REQUEST, scope, () => "");
    expect([outcomes(), running.count]).toEqual([["rate_limited", "ok", "ok"], 0]);
  });
});

test("replicas are asked with the request and its signal before the checks, and told only of changes", async () => {
  for (const readOnlyHint of [true, false, undefined]) {
    const steps: unknown[] = [];
    const replicas = {
      begin: (call: unknown, signal: unknown) => Promise.resolve(void steps.push(["begin", call, signal])),
      changed: () => Promise.resolve(void steps.push("changed")),
    } as unknown as Replicas;
    const frozen = () => (steps.push("checks"), null);
    const { requests, scope } = serving({ services: { replicas, frozen } });
    const request = { ...REQUEST, ...(readOnlyHint !== undefined && { readOnlyHint }), allowedWhenFrozen: false };
    await requests.run(request, scope, () => void steps.push("handle"));
    const begin = [
      "begin",
      { annotations: { readOnlyHint: readOnlyHint ?? true }, allowedWhenFrozen: false },
      scope.signal,
    ];
    expect(steps).toEqual([
      begin,
      ...readOnlyHint === false ? ["checks"] : [],
      "handle",
      ...readOnlyHint === false ? ["changed"] : [],
    ]);
  }
});

test("a request that replicas refuse is recorded with their reason, and does not run", async () => {
  const begin = () => Promise.reject(new ToolError("backend_unavailable", "m", "h"));
  const { requests, outcomes, scope } = serving({ services: { replicas: { begin } as unknown as Replicas } });
  await expect(requests.run(REQUEST, scope, () => expect.unreachable())).rejects.toThrow("m");
  expect(outcomes()).toEqual(["backend_unavailable"]);
});

test("the span of a request begins with its origin, holds while it runs, and ends with its outcome before the record", async () => {
  const steps: unknown[] = [];
  const span = {
    set: (name: string, value: unknown) => void steps.push(`${name} ${value}`),
    fail: (reason: string) => void steps.push(`fail ${reason}`),
    end: () => void steps.push("end"),
  } as unknown as Span;
  const tracer = {
    active: () => null,
    start: (name: string, { attributes }: { readonly attributes: Record<string, unknown> }) => {
      steps.push(name, attributes["network.transport"]);
      return span;
    },
    within: (_span: Span, run: () => unknown) => {
      steps.push("within");
      return run();
    },
  } as unknown as Tracer;
  const { requests, records, scope } = serving({ tracer });
  const origin = { transport: "stdio" } as const;
  await requests.run(REQUEST, { ...scope, origin }, () => Promise.reject(refused)).catch(() => {});
  expect([steps, records.length]).toEqual([
    ["resources/read odd://{id}", "pipe", "within", "mkt.outcome not_found", "fail not_found", "end"],
    1,
  ]);
  steps.length = 0;
  await requests.run({ ...REQUEST, kind: "subscription" }, scope, () => "");
  expect([steps, records.length]).toEqual([[], 2]);
});
