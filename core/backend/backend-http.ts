// Sends one GET or POST to a peer, which is the backend or its simulator. The answer is checked against the protocol, and every
// failure is a ToolError.
//
// Invariant: if a POST may have reached the peer and its answer was lost, the error says that the outcome is unknown.

import type { z } from "zod";
import { connectionFault } from "../../protocol/client/connection-fault.ts";
import { parseJson } from "../../protocol/json.ts";
import { ACTING_USER_HEADER, errorResponse } from "../../protocol/index.ts";
import type { TraceFields } from "../../common/telemetry/trace-context.ts";
import type { Tracer } from "../../common/telemetry/tracer.ts";
import { ToolError } from "../error.ts";
import { tracedFetch } from "./client-span.ts";
import { setUser, TOKEN_SETTING } from "./connection-errors.ts";

export interface BackendHttpOptions {
  readonly baseUrl: string;
  readonly token: string | null;
  /** Where the token is set, for messages; MKT_BEARER_TOKEN if absent. */
  readonly tokenSetting?: string;
  /** The user whose permissions the peer checks. */
  readonly actingUserId: () => string;
  /** 10,000 if absent. */
  readonly timeoutMs?: number;
  /** The backend if absent. */
  readonly peer?: Peer;
  /** Null or absent: no traces are recorded. */
  readonly tracer?: Tracer | null;
  /** Sends the request; the runtime's fetch if absent. */
  readonly send?: (url: string, init: RequestInit) => Promise<Response>;
}

/** The peer's name in messages, and the variable with its address. */
export interface Peer {
  readonly name: string;
  readonly setting: string;
}

export interface HttpRequest {
  readonly method: "GET" | "POST";
  readonly path: string;
  readonly query?: Readonly<Record<string, string | number | undefined>>;
  /** Sent as JSON. */
  readonly body?: unknown;
  /** How a caller finds out what became of a POST, in whole sentences. */
  readonly afterUnknown?: string;
  readonly signal?: AbortSignal | undefined;
}

export interface HttpAnswer {
  readonly request: HttpRequest;
  readonly status: number;
  readonly body: string;
}

const TIMEOUT_MS = 10_000;
const EXCERPT_LENGTH = 200;
const BACKEND: Peer = { name: "backend", setting: "MKT_BASE_URL" };
/** Errors of a connection that was never established, so nothing was sent. */
const NEVER_SENT: ReadonlySet<unknown> = new Set(["ECONNREFUSED", "ENOTFOUND", "EHOSTUNREACH", "ENETUNREACH"]);

export class BackendHttp {
  readonly #peer: Peer;

  constructor(private readonly options: BackendHttpOptions) {
    this.#peer = options.peer ?? BACKEND;
  }

  /** `ask`, then `read`; throws what they throw. */
  async get<Schema extends z.ZodType>(
    path: string,
    schema: Schema,
    signal: AbortSignal | undefined,
  ): Promise<z.output<Schema>> {
    return this.read(await this.ask({ method: "GET", path, signal }), schema);
  }

  /**
   * Returns the answer with any status but 401, 403 and 429. Throws ToolError: `forbidden` for 401 and 403, `rate_limited`
   * for 429, `backend_unavailable` if there is no answer in time, but `timeout` if that leaves the outcome of a POST unknown.
   * If the request's signal aborts, its reason is thrown.
   */
  async ask(request: HttpRequest): Promise<HttpAnswer> {
    const { tracer = null, baseUrl } = this.options;
    const { status, body } = tracer === null
      ? await this.#fetch(request)
      : await tracedFetch(tracer, { ...request, url: baseUrl }, (trace) => this.#fetch(request, trace));
    if (status === 401 || status === 403) throw this.#forbidden(status, body);
    if (status === 429) throw this.#rateLimited(body);
    return { request, status, body };
  }

  /** The content of a successful answer. Throws ToolError `backend_error` for any other answer. */
  read<Schema extends z.ZodType>({ request, status, body }: HttpAnswer, schema: Schema): z.output<Schema> {
    const { name, setting } = this.#peer;
    const asked = `${request.method} ${request.path}`;
    if (status !== 200) {
      throw new ToolError(
        "backend_error",
        `The ${name} answered ${status} to ${asked}${unknownOutcome(request)}: ${refusalIn(body).message}`,
        withAdvice(
          request,
          `Read the ${name}'s log, and check that ${setting} names a ${name} that speaks the protocol.`,
        ),
      );
    }
    const parsed = schema.safeParse(parseJson(body));
    if (parsed.success) return parsed.data;
    const fields = [...new Set(parsed.error.issues.map((issue) => issue.path.join(".") || "body"))].slice(0, 5);
    throw new ToolError(
      "backend_error",
      `The ${name}'s answer to ${asked} is not in the protocol (${fields.join(", ")})${unknownOutcome(request)}.`,
      withAdvice(request, `Check that ${setting} names a ${name} that speaks the protocol of this version.`),
    );
  }

  async #fetch(request: HttpRequest, trace?: TraceFields): Promise<{ status: number; body: string }> {
    const { token, actingUserId, timeoutMs = TIMEOUT_MS, send = fetch } = this.options;
    const { method, body, signal } = request;
    const headers = new Headers({ Accept: "application/json", [ACTING_USER_HEADER]: actingUserId(), ...trace });
    if (token !== null) headers.set("Authorization", `Bearer ${token}`);
    if (body !== undefined) headers.set("Content-Type", "application/json");
    const timeout = AbortSignal.timeout(timeoutMs);
    try {
      const response = await send(this.#urlOf(request), {
        method,
        headers,
        body: body === undefined ? null : JSON.stringify(body),
        // The token must not be sent to any other host.
        redirect: "manual",
        // A POST on a reused connection is lost if the peer is just closing it.
        keepalive: method === "GET",
        signal: signal === undefined ? timeout : AbortSignal.any([signal, timeout]),
      });
      return { status: response.status, body: await response.text() };
    } catch (error) {
      signal?.throwIfAborted();
      const reason = timeout.aborted ? `no answer within ${timeoutMs} ms` : connectionFault(error);
      throw this.#unanswered(request, reason, error);
    }
  }

  #urlOf({ path, query = {} }: HttpRequest): string {
    const parameters = new URLSearchParams();
    for (const [name, value] of Object.entries(query)) {
      if (value !== undefined) parameters.set(name, String(value));
    }
    const search = parameters.toString();
    return `${this.options.baseUrl}${path}${search === "" ? "" : `?${search}`}`;
  }

  #unanswered(request: HttpRequest, reason: string, cause: unknown): ToolError {
    const { name, setting } = this.#peer;
    const { code } = cause as { readonly code?: unknown };
    const address = `${name} at ${this.options.baseUrl}`;
    const check = `Check that it is running and that ${setting} names it.`;
    if (request.method === "GET" || NEVER_SENT.has(code)) {
      return new ToolError("backend_unavailable", `There is no answer from the ${address}: ${reason}`, check, {
        cause,
      });
    }
    const message = `There is no answer from the ${address}${unknownOutcome(request)}: ${reason}`;
    return new ToolError("timeout", message, withAdvice(request, check), { cause });
  }

  #rateLimited(body: string): ToolError {
    return new ToolError(
      "rate_limited",
      `The ${this.#peer.name} accepts no more requests now, and did nothing: ${refusalIn(body).message}`,
      "Wait a few seconds and call again.",
    );
  }

  #forbidden(status: number, body: string): ToolError {
    const { name } = this.#peer;
    const { code, message } = refusalIn(body);
    return new ToolError("forbidden", `The ${name} refused: ${message}`, this.#adviceForForbidden(status, code));
  }

  #adviceForForbidden(status: number, code: string | null): string {
    const { name } = this.#peer;
    const { tokenSetting = TOKEN_SETTING } = this.options;
    const userId = this.options.actingUserId();
    if (status === 401) return `Set ${tokenSetting} to a token that the ${name} accepts.`;
    if (code === "unknown_user") {
      return `${setUser(name)} The acting user is ${userId}.`;
    }
    if (code === "user_not_covered") return `Set ${tokenSetting} to a token that may act as ${userId}.`;
    if (code === "forbidden_host") {
      return `Use the ${name}'s own host name in the settings of mkt, or allow this host name at the ${name}.`;
    }
    return `Act as a user who holds the permission: the acting user is ${userId}. A user with Market.View sees who holds ` +
      `what; otherwise ask the operator of the ${name}.`;
  }
}

function unknownOutcome({ method }: HttpRequest): string {
  return method === "POST" ? ", so it is unknown whether the request took effect, and it may still do so" : "";
}

/** The advice, after how to find out what became of the request. */
export function withAdvice({ afterUnknown }: HttpRequest, check: string): string {
  return afterUnknown === undefined ? check : `${afterUnknown} ${check}`;
}

/** The error in an unsuccessful answer; `code` is null if the answer has none. */
export function refusalIn(body: string): { readonly code: string | null; readonly message: string } {
  const parsed = errorResponse.safeParse(parseJson(body));
  return parsed.success
    ? parsed.data.error
    : { code: null, message: body.slice(0, EXCERPT_LENGTH) || "it gave no reason" };
}
