// The HTTP routes of an OpenEnv server. A body that does not fit is answered as FastAPI would, which the standard's clients
// expect: 422 with `detail`.

import { randomUUID } from "node:crypto";
import { type Context, Hono } from "hono";
import { HTTPException } from "hono/http-exception";
import type { z } from "zod";
import { withJsonErrors } from "../../common/http/http-app.ts";
import { hostCheck, LOOPBACK_NAMES } from "../../common/http/host-check.ts";
import { isLoopback } from "../../common/http/listen.ts";
import { Deadlines } from "../../common/deadlines.ts";
import { RequestBodies } from "../../common/http/request-bodies.ts";
import { securityHeaders } from "../../common/http/security-headers.ts";
import type { Logger } from "../../common/logger.ts";
import { EnvironmentFault, failedCall } from "./environment.ts";
import { type Environments, NoCapacity } from "./environments.ts";
import { environmentOf, type HttpSessions } from "./http-sessions.ts";
import { type Action, action, resetRequest, stepJson, stepRequest } from "./messages.ts";
import { metadataOf, type Mode, openapiOf, SCHEMAS } from "./openapi.ts";
import type { Rpc } from "./rpc.ts";

interface RoutesOptions {
  readonly environments: Environments;
  readonly sessions: HttpSessions;
  readonly rpc: Rpc;
  readonly mode: Mode;
  readonly version: string;
  /** The address that the server listens on. */
  readonly host: string;
  readonly log: Logger;
}

export const MAX_MESSAGE_BYTES = 1 << 20;
const BODY_SECONDS = 30;
const SECOND_MS = 1_000;

export function httpRoutes(options: RoutesOptions): Hono {
  const { rpc, mode, version, host, log } = options;
  const app = new Hono();
  app.use(securityHeaders());
  // Others reach it by names that it does not know.
  if (isLoopback(host)) app.use(hostCheck(LOCAL_ONLY));
  app.get("/health", (context) => context.json({ status: "healthy" }));
  app.get("/metadata", (context) => context.json(metadataOf(version)));
  app.get("/schema", (context) => context.json(SCHEMAS));
  app.get("/openapi.json", (context) => context.json(openapiOf(version, mode)));
  app.post("/mcp", async (context) => asJson(await rpc.answerText(await bodyOf(context), null)));
  if (mode === "simulation") addControlRoutes(app, options);
  return withJsonErrors(app, log);
}

const LOCAL_ONLY = {
  allowedHosts: LOOPBACK_NAMES,
  allowedOrigins: LOOPBACK_NAMES,
  hostExempt: [],
  settings: { hosts: "--host", origins: "--host" },
};

function addControlRoutes(app: Hono, { environments, sessions }: RoutesOptions): void {
  app.post("/reset", async (context) => {
    const request = await read(context, resetRequest);
    const id = request.episode_id ?? randomUUID();
    const question = { kind: "reset", request: { ...request, episode_id: id } } as const;
    return await answered(() => sessions.resetEpisode(id, (name) => environments.ask(name, question)));
  });
  app.post("/step", async (context) => {
    const request = await read(context, stepRequest);
    const chosen = checked(action, request.action, ["body", "action"]);
    const id = episodeOf(sessions, request.episode_id ?? null, ["body", "episode_id"]);
    return await answered(async () => {
      const step = environments.ask(environmentOf(id), { kind: "step", action: chosen });
      const text = await withinTime(step, request.timeout_s ?? null, chosen);
      sessions.usedEpisode(id, { isOver: text.endsWith(`"done":true}`) });
      return text;
    });
  });
  app.get("/state", async (context) => {
    const named = context.req.query("episode_id") ?? null;
    if (named === null && sessions.episodes.length === 0) return context.json({ episode_id: null, step_count: 0 });
    const id = episodeOf(sessions, named, ["query", "episode_id"]);
    return await answered(() => environments.ask(environmentOf(id), { kind: "state" }));
  });
}

/** An episode that is open. */
function episodeOf({ episodes }: HttpSessions, named: string | null, loc: readonly string[]): string {
  if (named !== null && !episodes.includes(named)) {
    throw unprocessable([{ type: "unknown", loc, msg: `No episode ${named} is open` }]);
  }
  if (named !== null) return named;
  const [only, ...others] = episodes;
  if (only !== undefined && others.length === 0) return only;
  throw unprocessable([{ type: "missing", loc, msg: `${episodes.length} episodes are open: name one` }]);
}

/** The answer to an action, or that it took too long, in which case the call goes on. */
async function withinTime(step: Promise<string>, seconds: number | null, chosen: Action): Promise<string> {
  if (seconds === null || chosen.type !== "call_tool") return await step;
  const { promise, resolve } = Promise.withResolvers<string>();
  const message = `no answer within ${seconds} s; the call goes on`;
  const late = () => resolve(stepJson(failedCall(chosen.tool_name, "timeout", message), null, false));
  const timer = setTimeout(late, seconds * SECOND_MS);
  try {
    return await Promise.race([step, promise]);
  } finally {
    clearTimeout(timer);
  }
}

async function answered(ask: () => Promise<string>): Promise<Response> {
  try {
    return asJson(await ask());
  } catch (error) {
    if (error instanceof NoCapacity) {
      const { active, most, message } = error;
      throw refusal(503, { detail: message, active_sessions: active, max_sessions: most });
    }
    if (error instanceof EnvironmentFault) throw refusal(422, { detail: error.message });
    throw error;
  }
}

const bodies = new RequestBodies({
  maxBytes: MAX_MESSAGE_BYTES,
  setting: "the most that is read",
  deadlines: new Deadlines(BODY_SECONDS * SECOND_MS),
});

async function bodyOf(context: Context): Promise<string> {
  const { body, release } = bodies.read(context.req.raw);
  const read = await body;
  release();
  if (read.kind === "whole") return new TextDecoder().decode(read.bytes);
  const { status, message, headers } = bodies.refusal(read.kind);
  throw new HTTPException(status, { res: Response.json({ detail: message }, { status, headers }) });
}

async function read<Schema extends z.ZodType>(context: Context, schema: Schema): Promise<z.output<Schema>> {
  const text = await bodyOf(context);
  let value: unknown;
  try {
    value = text.trim() === "" ? {} : JSON.parse(text);
  } catch {
    throw unprocessable([{ type: "json_invalid", loc: ["body"], msg: "The body is no JSON" }]);
  }
  return checked(schema, value, ["body"]);
}

function checked<Schema extends z.ZodType>(schema: Schema, value: unknown, at: readonly string[]): z.output<Schema> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  throw unprocessable(
    result.error.issues.map(({ code, path, message }) => ({
      type: code,
      loc: [...at, ...path.map(String)],
      msg: message,
    })),
  );
}

interface Detail {
  readonly type: string;
  readonly loc: readonly string[];
  readonly msg: string;
}

function unprocessable(detail: readonly Detail[]): HTTPException {
  return refusal(422, { detail });
}

function refusal(status: 422 | 503, body: object): HTTPException {
  return new HTTPException(status, { res: Response.json(body, { status }) });
}

function asJson(text: string): Response {
  return new Response(text, { headers: { "Content-Type": "application/json" } });
}
