// Requests share nothing, on both paths: many at once, whose bodies, handlers and ends are interleaved at random, and none
// sees another's id, arguments, caller or signal. Each has a server and a transport of its own, which are garbage afterwards.

import { describe, expect, test } from "bun:test";
import { Glob } from "bun";
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { z } from "zod";
import type { CallScope } from "../../../core/dispatch/call-context.ts";
import { definePack } from "../../../core/packs/pack.ts";
import { PlainTransport } from "../../../core/server/plain/plain-transport.ts";
import type { ToolContext } from "../../../core/tools/context.ts";
import { legacyCall, modernMeta } from "../../support/raw-request.ts";
import { SEED, withSeedInFailures } from "../../support/seed.ts";
import { size } from "../../support/sizes.ts";
import { until } from "../../support/until.ts";
import { testTool } from "../support/declarations.ts";
import { bytesOf } from "./two-paths/drafts.ts";
import { Draw } from "./two-paths/draw.ts";
import { settings } from "./two-paths/settings.ts";
import { openWorld, type World } from "./two-paths/world.ts";

const ROUNDS = size(5, 400);
const AT_ONCE = 30;
const PATHS = [["plain path", true], ["SDK", false]] as const;
const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

/** What a handler saw, and how the test lets it go on. */
interface Seen {
  readonly key: string;
  readonly context: ToolContext;
  readonly signal: AbortSignal;
  readonly goOn: () => void;
}

/** A tool that stops twice, and answers with what it sees each time. */
function packThatTells(seen: Seen[]) {
  return definePack({
    name: "telling",
    description: "d",
    tools: [testTool("tell", async ({ key, further }, context) => {
      const stop = async () => {
        const { promise, resolve } = Promise.withResolvers<void>();
        seen.push({ key: String(key), context, signal: context.signal, goOn: resolve });
        await promise;
        return { caller: context.caller, isAborted: context.signal.aborted };
      };
      return { key, further, first: await stop(), second: await stop() };
    }, { input: z.strictObject({ key: z.string(), further: z.looseObject({}).optional() }) })],
  });
}

type Sent = ReturnType<typeof send>;

/** The tokens of the setting with a token file, and their names. */
const CALLERS = [
  ["desk", "token-of-the-desk-1"],
  ["robot", "token-of-the-robot-2"],
  ["desk", "token-of-the-desk-new"],
] as const;

function send(world: World, key: string, draw: Draw) {
  const [caller, token] = draw.of(CALLERS);
  const id = draw.chance(0.5) ? `id of ${key}` : draw.integer(1, 2 ** 50);
  const further = { secret: `secret of ${key}`, numbers: [draw.integer(0, 9)] };
  const isModern = draw.chance(0.5);
  const meta = isModern && { _meta: modernMeta() };
  const params = { name: "tell", arguments: { key, further }, ...meta };
  const message = { jsonrpc: "2.0", id, method: "tools/call", params };
  const sent = sendWhole(world, message, token, {
    "Accept": draw.of(["application/json", "application/json, text/event-stream"]),
    ...(isModern && { "MCP-Protocol-Version": "2026-07-28", "Mcp-Method": "tools/call", "Mcp-Name": "tell" }),
  });
  const [bytes] = sent.pieces as [Uint8Array];
  const cut = draw.integer(1, bytes.length - 1);
  const pieces = [bytes.slice(0, cut), bytes.slice(cut)];
  return { ...sent, pieces, key, id, caller, further, isModern, hasLeft: false };
}

/** A request whose body has not been sent yet: it is the only piece. */
function sendWhole(world: World, message: object, token: string, headers: Readonly<Record<string, string>> = {}) {
  let body: ReadableStreamDefaultController<Uint8Array> | undefined;
  const stream = new ReadableStream<Uint8Array>({ start: (controller) => void (body = controller) });
  const client = new AbortController();
  const request = new Request("http://localhost/mcp", {
    method: "POST",
    headers: {
      "Host": "localhost",
      "Content-Type": "application/json",
      "Authorization": `Bearer ${token}`,
      ...headers,
    },
    body: stream,
    signal: client.signal,
  });
  if (body === undefined) throw new Error("the body has not begun");
  const answer = world.fetch(request);
  return { pieces: [bytesOf(JSON.stringify(message))], body, client, answer };
}

/** One step of a random request: a piece of its body, a step of its handler, or its client leaves. */
function advance(sent: Sent, stopped: Map<string, Seen>, draw: Draw): void {
  const piece = sent.pieces.shift();
  if (piece !== undefined) {
    sent.body.enqueue(piece);
    if (sent.pieces.length === 0) sent.body.close();
    return;
  }
  const seen = stopped.get(sent.key);
  if (seen === undefined) return;
  if (draw.chance(0.1)) {
    sent.hasLeft = true;
    sent.client.abort();
  }
  stopped.delete(sent.key);
  seen.goOn();
}

async function check(sent: Sent): Promise<void> {
  const response = await sent.answer;
  const text = await response.text();
  const secrets = [...text.matchAll(/secret of ([\d.]+)/g)].map(([, key]) => key);
  expect(secrets.every((key) => key === sent.key)).toBe(true);
  // Nobody reads this answer.
  if (sent.hasLeft) return;
  const message = JSON.parse(text.replace(/^event: message\ndata: /, ""));
  expect(message).toMatchObject({ jsonrpc: "2.0", id: sent.id });
  const told = { caller: sent.caller, isAborted: false };
  expect(message.result.structuredContent).toEqual({ key: sent.key, further: sent.further, first: told, second: told });
  expect(JSON.parse(message.result.content[0].text)).toEqual(message.result.structuredContent);
  expect("resultType" in message.result).toBe(sent.isModern);
}

async function round(world: World, seen: Seen[], name: string, draw: Draw): Promise<void> {
  const all = Array.from({ length: AT_ONCE }, (_, at) => send(world, `${name}.${at}`, draw));
  let answered = 0;
  for (const { answer } of all) answer.finally(() => answered += 1);
  const stopped = new Map<string, Seen>();
  let known = seen.length;
  while (answered < all.length) {
    for (; known < seen.length; known += 1) {
      const latest = seen[known];
      if (latest !== undefined) stopped.set(latest.key, latest);
    }
    advance(draw.of(all), stopped, draw);
    if (draw.chance(0.3)) await turn();
    // A stream has begun before its handler has ended.
    if (stopped.size === 0 && all.every(({ pieces }) => pieces.length === 0)) await turn();
  }
  for (const left of stopped.values()) left.goOn();
  // Handlers of event streams may still run.
  const checks = Promise.all(all.map(check));
  let isChecked = false;
  const end = () => void (isChecked = true);
  checks.then(end, end);
  while (!isChecked) {
    await turn();
    for (; known < seen.length; known += 1) seen[known]?.goOn();
  }
  await checks;
  for (const { key, signal } of seen) {
    if (all.some((sent) => sent.key === key && sent.hasLeft)) expect(signal.aborted).toBe(true);
  }
}

const setting = settings().find(({ name }) => name.startsWith("token file")) ?? expect.unreachable();

function open(plainPath: boolean, seen: Seen[]): Promise<World> {
  return openWorld({ ...setting, packs: [packThatTells(seen)] }, plainPath);
}

describe.each(PATHS)("%s", (_name, plainPath) => {
  test(`${AT_ONCE} requests at once see only what is theirs`, async () => {
    const seen: Seen[] = [];
    const world = await open(plainPath, seen);
    await withSeedInFailures(async (steps) => {
      for (let made = 0; made < ROUNDS; made += 1) {
        steps.add(`round ${made}`);
        await round(world, seen, String(made), new Draw(SEED, made));
      }
    });
    expect(seen).toHaveLength(ROUNDS * AT_ONCE * 2);
    expect(new Set(seen.map(({ context }) => context)).size).toBe(ROUNDS * AT_ONCE);
    expect(new Set(seen.map(({ signal }) => signal)).size).toBe(ROUNDS * AT_ONCE);
    expect(plainPath ? world.answeredBySdk() : 0).toBe(0);
  });

  test("a request has a transport of its own, which is garbage after the answer", async () => {
    const world = await open(plainPath, []);
    const scopes: WeakRef<CallScope>[] = [];
    const distinct = new WeakSet<CallScope>();
    const begin = world.dispatcher.begin.bind(world.dispatcher);
    world.dispatcher.begin = (name, given, scope) => {
      if (plainPath) expect(scope).toBeInstanceOf(PlainTransport);
      expect(distinct.has(scope)).toBe(false);
      distinct.add(scope);
      scopes.push(new WeakRef(scope));
      return begin(name, given, scope);
    };
    for (let sent = 0; sent < 300; sent += 1) {
      const { answer, body, pieces } = sendWhole(world, legacyCall(1, "mkt_ping"), CALLERS[0][1]);
      for (const piece of pieces) body.enqueue(piece);
      body.close();
      expect((await answer).status).toBe(200);
    }
    expect(scopes).toHaveLength(300);
    const alive = () => {
      Bun.gc(true);
      return scopes.filter((scope) => scope.deref() !== undefined).length;
    };
    // The collector is conservative: what is still on the stack stays.
    await until(alive, (count) => count <= 10);
  });
});

/** What a module may hold beside constants: nothing that a request could change. */
const CHANGEABLE = /^(?:export )?(?:let|var) |^(?:export )?const \w+ = new (?:Map|Set|WeakMap|WeakSet|Array)\b/;

test("no module of the server keeps anything between requests", () => {
  const root = resolve(import.meta.dir, "../../..");
  for (const path of new Glob("{core/server,core/messages,common/http}/**/*.ts").scanSync(root)) {
    const lines = readFileSync(join(root, path), "utf8").split("\n");
    expect([path, ...lines.filter((line) => CHANGEABLE.test(line))]).toEqual([path]);
  }
});
