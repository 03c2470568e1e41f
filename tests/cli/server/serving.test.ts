// `mkt` as a server from its start to its end, `mkt freeze` and `mkt thaw`, and one call of `mkt call`.

import { expect, test } from "bun:test";
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { callTool, reportOf } from "../../../cli/server/call-tool.ts";
import { freeze, thaw } from "../../../cli/server/freeze.ts";
import { serve } from "../../../cli/server/serve.ts";
import * as stalls from "../../../common/stall-watch.ts";
import * as connecting from "../../../core/backend/auto-connect.ts";
import * as engines from "../../../core/backend/same-engine.ts";
import { ToolError } from "../../../core/error.ts";
import * as https from "../../../core/server/http.ts";
import * as factories from "../../../core/server/sdk/mcp-server.ts";
import * as stdios from "../../../core/server/stdio/serve-stdio.ts";
import * as switches from "../../../replicas/group/namespace-kill-switch.ts";
import { replaced } from "../../support/replaced.ts";
import { temporaryDirectory } from "../../support/temporary-directory.ts";

interface Settings {
  readonly http?: object | null;
  readonly autoConnect?: boolean;
  readonly replicas?: boolean;
  /** The one thing that happens once it serves. */
  readonly end?: "signal" | "stdin closes";
}

const newWait = () => Promise.withResolvers<void>();
/** Everything that needs no more than promises happens before. */
const turn = () => new Promise<void>((resolve) => void setImmediate(resolve));

/** Serves until its end comes, and returns what was done, in order. Fails if it ends before that, or not at once. */
async function served(
  { http = null, autoConnect = false, replicas = false, end = "signal" }: Settings,
): Promise<unknown[]> {
  const done: unknown[] = [];
  const [stopped, closed, ready] = [newWait(), newWait(), newWait()];
  const step = (name: unknown) => () => Promise.resolve(void done.push(name));
  replaced(factories, "mcpServerFactory", () => "factory");
  replaced(stdios, "serveStdio", () => ({ ended: closed.promise, stop: step("stdio stops") }));
  replaced(https, "serveHttp", ({ tokens }) => {
    done.push({ tokens });
    return { url: "http://here", stop: step("http stops") };
  });
  replaced(stalls, "watchStalls", () => done.push("watch"));
  replaced(engines, "connectToOneEngine", (_services, userId) => done.push(`connect as ${userId}`));
  let connection: AbortSignal | null = null;
  replaced(connecting, "beginConnecting", ({ connect, signal }) => {
    connection = signal;
    return connect(signal);
  });
  const runtime = {
    failures: [],
    warnings: [],
    services: {
      frozen: () => null,
      replicas: replicas ? { start: (userId: string | null) => done.push({ replicas: userId }) } : null,
      server: { tools: new Map() },
    },
    configuration: { http, backend: { userId: "anna", autoConnect } },
    dispatcher: { refuseChanges: () => done.push("refuse"), drain: (ms: number) => done.push(`drain ${ms}`) },
    metrics: http === null ? null : {},
    tokens: "the tokens",
    close: () => done.push({ close: (connection as AbortSignal | null)?.aborted ?? null }),
  };
  const onReady = (url: string | null) => {
    done.push({ ready: url });
    ready.resolve();
  };
  const serving = serve(runtime as never, { onReady, started: { stopped: stopped.promise } as never });
  await Promise.race([ready.promise, serving]);
  await turn();
  expect(Bun.peek.status(serving)).toBe("pending");
  (end === "signal" ? stopped : closed).resolve();
  await turn();
  expect(Bun.peek.status(serving)).toBe("fulfilled");
  return done;
}

const END = ["refuse", "drain 10000"];

test("a server refuses changes before it ends, waits for calls, then ends its transport and what it uses", async () => {
  expect(await served({})).toEqual([{ ready: null }, ...END, "stdio stops", { close: null }]);
  const overHttp = [{ tokens: "the tokens" }, "watch", { ready: "http://here" }, ...END, "http stops", { close: null }];
  expect(await served({ http: {} })).toEqual(overHttp);
});

test.each(["signal", "stdin closes"] as const)(
  "a server on stdio serves until its end, though connected: %s",
  async (end) => {
    const ended = [{ ready: null }, ...END, "stdio stops"];
    expect(await served({ end })).toEqual([...ended, { close: null }]);
    expect(await served({ end, autoConnect: true })).toEqual(["connect as anna", ...ended, { close: true }]);
  },
);

test("a server connects by itself if it is told to, as its user, or lets its replicas do it", async () => {
  expect(await served({ autoConnect: true }))
    .toEqual(["connect as anna", { ready: null }, ...END, "stdio stops", { close: true }]);
  const ended = [{ ready: null }, ...END, "stdio stops", { close: null }];
  expect(await served({ replicas: true, autoConnect: true })).toEqual([{ replicas: "anna" }, ...ended]);
  expect(await served({ replicas: true })).toEqual([{ replicas: null }, ...ended]);
});

test("the file of a kill switch has the reason, is thawed once, and what can't be written is a fault", async () => {
  const folder = temporaryDirectory();
  const path = join(folder, "freeze");
  const target = { path, redis: null };
  expect(await thaw(target)).toEqual({ done: ["it was not frozen"], failed: [] });
  const { done, failed } = await freeze(target, "prices look wrong");
  expect([done.length, failed, readFileSync(path, "utf8")]).toEqual([1, [], "prices look wrong"]);
  expect(done[0]).toStartWith(`frozen: every server with MKT_FREEZE_FILE=${path} refuses changes`);
  expect(await thaw(target)).toEqual({ done: ["thawed"], failed: [] });
  const impossible = await freeze({ path: join(folder, "none", "x"), redis: null }, "");
  expect([impossible.done, impossible.failed[0]]).toEqual([[], expect.stringMatching(/^NOT frozen: /)]);
  mkdirSync(path);
  expect((await thaw(target)).failed[0]).toStartWith("still frozen: ");
});

test("the switch on Redis is tried beside the file, and each says for itself whether it was reached", async () => {
  const path = join(temporaryDirectory(), "freeze");
  const redis = { url: "redis://user:secret@r:1", namespace: "desk" };
  let wasFrozen: object | null = { reason: "x" };
  const frozen = replaced(switches, "freezeNamespace", () => Promise.resolve());
  replaced(switches, "thawNamespace", () => Promise.resolve(wasFrozen));
  const { done } = await freeze({ path, redis }, "why");
  expect([done.length, done[1]]).toEqual([
    2,
    expect.stringContaining("every replica of namespace desk refuses changes"),
  ]);
  expect(frozen[0]?.slice(0, 2)).toEqual([redis, "why"]);
  expect((await thaw({ path, redis })).done).toEqual(["thawed", "thawed: the replicas of namespace desk"]);
  wasFrozen = null;
  expect((await thaw({ path: null, redis })).done).toEqual(["the replicas of namespace desk were not frozen"]);
  replaced(switches, "freezeNamespace", () => Promise.reject(new Error("away")));
  replaced(switches, "thawNamespace", () => Promise.reject(new Error("away")));
  const fault = (not: string) =>
    expect.stringMatching(new RegExp(`^${not} for the replicas of namespace desk, by [^ ]*r:1[^ ]*: away$`));
  const half = await freeze({ path, redis }, "why");
  expect([half.done.length, half.failed]).toEqual([1, [fault("NOT frozen")]]);
  expect(half.failed[0]).not.toContain("secret");
  expect((await thaw({ path: null, redis })).failed).toEqual([fault("NOT thawed")]);
});

/** A runtime with one tool, which answers so. */
function runtimeWith(answer: unknown, requires?: { readonly connection: string }) {
  const called: unknown[] = [];
  const dispatcher = {
    catalogue: { names: ["mkt_do"], get: (name: string) => name === "mkt_do" ? { requires } : undefined },
    services: "the services",
    call: (...args: unknown[]) => Promise.resolve((called.push(args), answer)),
  };
  return { called, runtime: { dispatcher, configuration: { backend: { userId: "anna" } } } as never };
}

test("mkt call waits as long as its tool: it has no limit of its own", async () => {
  const limits = replaced(AbortSignal, "timeout", () => AbortSignal.abort());
  const { called, runtime } = runtimeWith({ kind: "json", isError: false, text: "{}", value: {} });
  await callTool(runtime, "mkt_do", {});
  expect([called.length, (called as [[string, object, { signal: AbortSignal }]])[0][2].signal.aborted]).toEqual([
    1,
    false,
  ]);
  expect(limits).toEqual([]);
});

test("mkt call connects only for a tool that needs it, and gives what the tool answers", async () => {
  const connected = replaced(engines, "connectToOneEngine", () => Promise.resolve());
  const json = { kind: "json", isError: false, text: '{"a":1}', value: { a: 1 } };
  const { called, runtime } = runtimeWith(json);
  expect(await callTool(runtime, "mkt_do", { b: 2 })).toEqual({ text: '{"a":1}', failed: false });
  expect([called, connected]).toMatchObject([[["mkt_do", { b: 2 }, { caller: "shell" }]], []]);
  await callTool(runtimeWith(json, { connection: "pubsub" }).runtime, "mkt_do", {});
  expect<unknown>(connected).toEqual([["the services", "anna"]]);
  await expect(callTool(runtime, "mkt_du", {})).rejects.toThrow(
    "no tool mkt_du is offered (did you mean mkt_do?); mkt tools lists the tools",
  );
  replaced(engines, "connectToOneEngine", () => Promise.reject(new ToolError("forbidden", "You may not.", "Ask.")));
  const refused = runtimeWith(json, { connection: "pubsub" });
  const outcome = await callTool(refused.runtime, "mkt_do", {});
  expect([outcome.failed, JSON.parse(outcome.text), refused.called]).toMatchObject([
    true,
    { error: { code: "forbidden", message: "You may not.", hint: "Ask." } },
    [],
  ]);
});

test("only a failed answer has a report", () => {
  const error = { code: "forbidden", message: "no", hint: "" };
  expect(reportOf({ kind: "json", isError: true, text: "", value: { error } } as never)).toEqual(error as never);
  expect(reportOf({ kind: "json", isError: false, text: "", value: { error } } as never)).toBeNull();
  expect(reportOf({ kind: "content", result: { content: [] } } as never)).toBeNull();
});
