// A server of a pack whose routes accept the sessions of browsers, without a network; and a browser that keeps its cookies.

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import type { PubSub } from "../../../../core/backend/pubsub.ts";
import { EventBuffer } from "../../../../core/market/event-buffer.ts";
import { CallLog } from "../../../../core/guardrails/call-log.ts";
import { definePack, type Pack } from "../../../../core/packs/pack.ts";
import { eventStream } from "../../../../core/routes/event-stream.ts";
import type { HandledRoute, RouteContext, RouteRequest } from "../../../../core/routes/route.ts";
import { mcpApp } from "../../../../core/server/mcp-app.ts";
import type { Access } from "../../../../core/tools/context.ts";
import type { Freeze } from "../../../../core/tools/freeze.ts";
import type { Tool } from "../../../../core/tools/tool.ts";
import { temporaryDirectory } from "../../../support/temporary-directory.ts";
import { CHANGING, testRoute, testTool } from "../../support/declarations.ts";
import { httpParts } from "../../support/http-parts.ts";
import { configurationFor } from "../../support/services.ts";

export const DESK = "token-of-the-desk-at-acme";
export const ROBOT = "token-of-the-robot-at-acme";

interface State {
  readonly access: Access | null;
  readonly caller: string | null;
  readonly requestToken: string | null;
  readonly endsAt: number | null;
}

const stateOf = ({ browser: { session } }: RouteContext): State => {
  const { access = null, caller = null, requestToken = null, endsAt = null } = session ?? {};
  return { access, caller, requestToken, endsAt };
};

async function* ticks({ signal }: RouteContext) {
  yield { data: { count: 1 } };
  await new Promise((resolve) => signal.addEventListener("abort", resolve));
}

const tellState: HandledRoute["handler"] = (_, context) => Response.json(stateOf(context));
const SIGNING = { browser: "sign-in" } as const;
const SIGNED_IN = { browser: "session" } as const;

const routes = [
  testRoute("/session", tellState, SIGNING),
  testRoute("/session", async (request, context) => {
    const { access, token } = request.json() as { access: Access; token?: string };
    return await context.browser.signIn(access, token) ?? Response.json(stateOf(context));
  }, { ...SIGNING, method: "POST" }),
  testRoute("/session", (_, context) => {
    context.browser.signOut();
    return Response.json(stateOf(context));
  }, { ...SIGNING, method: "DELETE" }),
  testRoute("/lobby/:tool", callTool, { ...SIGNING, method: "POST" }),
  testRoute("/state", tellState, SIGNED_IN),
  testRoute("/headers", ({ headers }) => Response.json([...headers.keys()]), SIGNED_IN),
  testRoute("/live", (_, context) => eventStream(ticks(context)), SIGNED_IN),
  testRoute("/change", () => new Response("done"), { ...SIGNED_IN, method: "POST", readOnlyHint: false }),
  testRoute("/tools/:tool", callTool, { ...SIGNED_IN, method: "POST" }),
  testRoute("/programs/:tool", callTool, { method: "POST" }),
  testRoute("/plain", () => new Response("plain")),
  testRoute("/curious", (_, { browser }) => Response.json(browser.session)),
];

const PACK = definePack({ name: "acme", description: "d", routes });

async function callTool(request: RouteRequest, context: RouteContext): Promise<Response> {
  const { input, agreed } = request.json() as { input?: unknown; agreed?: string };
  return Response.json(await context.callTool(request.parameters["tool"] ?? "", input ?? {}, agreed));
}

/** What the tools have done, and what the question of one of them asks about. */
interface World {
  readonly done: string[];
  subject: string;
}

function toolsOf(world: World) {
  const input = z.strictObject({ id: z.string().optional() });
  const tool = (name: string, handler: Tool["handler"], further: Partial<Tool> = {}) =>
    testTool(`acme_${name}`, handler, { input, ...further });
  const did = (name: string, further: Partial<Tool> = {}) =>
    tool(name, ({ id }) => {
      world.done.push(name);
      return { id: id ?? null };
    }, further);
  return [
    did("read"),
    did("change", CHANGING),
    did("begin", { ...CHANGING, allowedForViewers: ({ id }) => id === undefined }),
    did("halt", { ...CHANGING, question: ({ id }) => id === "preview" ? null : `Halt ${world.subject}?` }),
    tool("follow", async (_, { waitForEvent }) => ({ hasWaited: await waitForEvent({}, 30) })),
    tool("wait", async (_, { signal }) => {
      world.done.push("wait");
      await new Promise((resolve) => signal.addEventListener("abort", resolve));
      world.done.push("aborted");
      signal.throwIfAborted();
      return {};
    }),
  ];
}

interface Conditions {
  /** Lines of the token file; null: no tokens. */
  readonly tokens?: readonly string[] | null;
  readonly environment?: Readonly<Record<string, string>>;
  readonly frozen?: Freeze;
  /** Not connected if absent. */
  readonly pubsub?: PubSub;
  /** Instead of that of this file. */
  readonly pack?: Pack;
}

interface LogLine {
  readonly caller: string | null;
  readonly outcome: string;
  readonly tool?: string;
  readonly route?: string;
}

/** Of a person and of an agent. */
export const BOTH = [`desk ${DESK} person`, `robot ${ROBOT}`];

export function sessionServer({ tokens = BOTH, environment = {}, frozen, pubsub, pack = PACK }: Conditions = {}) {
  const folder = temporaryDirectory();
  const file = join(folder, "tokens");
  const setTokens = (lines: readonly string[]) => writeFileSync(file, lines.join("\n"), { mode: 0o600 });
  if (tokens !== null) setTokens(tokens);
  const clock = { now: Date.parse("2026-03-02T06:00:00Z") };
  const world: World = { done: [], subject: "WEST" };
  /** Of all connections, seconds, in the order in which they were set. */
  const idleTimeouts: number[] = [];
  const configuration = configurationFor({
    MCP_HTTP_PORT: "0",
    MCP_UNAUTHORIZED_LIMIT: "1000",
    ...(tokens !== null && { MCP_BEARER_TOKEN_FILE: file }),
    ...environment,
  });
  const path = join(folder, "calls");
  const callLog = new CallLog({ target: path, secrets: () => [], now: () => 0 });
  const parts = httpParts({
    configuration,
    packs: [{ ...pack, tools: toolsOf(world) }],
    services: {
      now: () => clock.now,
      frozen: () => frozen ?? null,
      events: new EventBuffer(10),
      ...(pubsub && { pubsub }),
    },
    record: (record) => callLog.record(record),
  });
  const app = mcpApp({ ...parts, plain: null, sdk: () => Promise.resolve(new Response("mcp")) });
  const send = async (method: string, url: string, init: RequestInit = {}, address = "10.0.0.1"): Promise<Response> => {
    const request = new Request(`http://localhost:4087${url}`, {
      ...init,
      method,
      headers: { Host: "localhost:4087", ...init.headers as Record<string, string> },
    });
    return await app.fetch(request, { address, setIdleTimeout: (seconds) => void idleTimeouts.push(seconds) });
  };
  return {
    send,
    setTokens,
    clock,
    world,
    idleTimeouts,
    dispatcher: parts.dispatcher,
    browser: () => new TestBrowser(send),
    lines: (): LogLine[] => readFileSync(path, "utf8").split("\n").filter(Boolean).map((line) => JSON.parse(line)),
    logText: () => readFileSync(path, "utf8"),
  };
}

/** A server, and a browser in which a person has signed in. */
export async function signedIn(access: Access = "view", conditions: Conditions = {}) {
  const server = sessionServer(conditions);
  const person = server.browser();
  await person.signIn(access, conditions.tokens === null ? undefined : DESK);
  return { person, ...server };
}

type Send = ReturnType<typeof sessionServer>["send"];

export interface Given {
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: object;
  readonly signal?: AbortSignal;
}

/** Null if the answer is no refusal. */
export async function refusalCode(response: Response): Promise<string | null> {
  return response.ok ? null : (await response.json() as { error: { code: string } }).error.code;
}

/** Keeps cookies and the request token as a page in a browser does. */
export class TestBrowser {
  readonly cookies = new Map<string, string>();
  requestToken: string | null = null;
  /** The last header Set-Cookie. */
  setCookie: string | null = null;

  constructor(private readonly server: Send) {}

  get cookie(): string {
    return [...this.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
  }

  /** The value of the only cookie. */
  get value(): string {
    return [...this.cookies.values()][0] ?? "";
  }

  set value(value: string) {
    this.cookies.set([...this.cookies.keys()][0] ?? "mkt-session-4087", value);
  }

  async send(method: string, path: string, { headers = {}, body, signal }: Given = {}): Promise<Response> {
    const response = await this.server(method, path, {
      headers: {
        "Sec-Fetch-Site": "same-origin",
        ...(method !== "GET" && { "X-Mkt-Request": this.requestToken ?? "none", Origin: "http://localhost:4087" }),
        ...(this.cookies.size > 0 && { Cookie: this.cookie }),
        ...headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      ...(signal !== undefined && { signal }),
    });
    this.#keep(response);
    return response;
  }

  async statusOf(method: string, path: string, given: Given = {}): Promise<number> {
    return (await this.send(method, path, given)).status;
  }

  async codeOf(method: string, path: string, given: Given = {}): Promise<string | null> {
    return await refusalCode(await this.send(method, path, given));
  }

  async signIn(access: Access, token?: string, headers: Given["headers"] = {}): Promise<Response> {
    const response = await this.send("POST", "/session", { body: { access, token }, headers });
    if (response.ok) this.requestToken = (await response.clone().json() as State).requestToken;
    return response;
  }

  async state(): Promise<State> {
    return await (await this.send("GET", "/session")).json() as State;
  }

  async call(tool: string, body: object = {}, path = "/tools"): Promise<Record<string, unknown>> {
    return await (await this.send("POST", `${path}/${tool}`, { body })).json() as Record<string, unknown>;
  }

  #keep(response: Response): void {
    this.setCookie = response.headers.get("Set-Cookie");
    const [, name, value] = /^([^=]+)=([^;]*)/.exec(this.setCookie ?? "") ?? [];
    if (name === undefined || value === undefined) return;
    if (value === "") this.cookies.delete(name);
    else this.cookies.set(name, value);
  }
}
