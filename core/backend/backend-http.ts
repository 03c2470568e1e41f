// Asks the backend over HTTP: one GET, its answer checked against the protocol, every failure a ToolError.

import type { z } from "zod";
import { parseJson } from "../json.ts";
import { ACTING_USER_HEADER, errorResponse } from "../protocol/index.ts";
import { ToolError } from "../tools/error.ts";

export interface BackendHttpOptions {
  readonly baseUrl: string;
  readonly token: string | null;
  /** The user whose permissions the backend checks. */
  readonly actingUserId: () => string;
  readonly timeoutMs?: number;
}

export type QueryParameters = Readonly<Record<string, string | number | undefined>>;

const TIMEOUT_MS = 10_000;
const EXCERPT_LENGTH = 200;

export class BackendHttp {
  constructor(private readonly options: BackendHttpOptions) {}

  /**
   * Throws ToolError: `backend_unavailable` where nothing answers in time, `forbidden` for 401 and 403, else
   * `backend_error`. An abort of `signal` is thrown as it is.
   */
  async get<Schema extends z.ZodType>(
    path: string,
    schema: Schema,
    { query = {}, signal }: { readonly query?: QueryParameters; readonly signal?: AbortSignal } = {},
  ): Promise<z.output<Schema>> {
    const url = this.#urlOf(path, query);
    const { status, body } = await this.#fetch(url, signal);
    if (status === 401 || status === 403) throw this.#forbidden(status, body);
    if (status !== 200) {
      throw new ToolError(
        "backend_error",
        `The backend answered ${status} to GET ${path}: ${refusalIn(body)}`,
        "Look into the backend's log; MKT_BASE_URL must name an engine that speaks the protocol.",
      );
    }
    const parsed = schema.safeParse(parseJson(body));
    if (parsed.success) return parsed.data;
    const fields = [...new Set(parsed.error.issues.map((issue) => issue.path.join(".") || "body"))].slice(0, 5);
    throw new ToolError(
      "backend_error",
      `The backend's answer to GET ${path} is not in the protocol (${fields.join(", ")}).`,
      "Check that MKT_BASE_URL names an engine that speaks the protocol of this version.",
    );
  }

  #urlOf(path: string, query: QueryParameters): string {
    const parameters = new URLSearchParams();
    for (const [name, value] of Object.entries(query)) {
      if (value !== undefined) parameters.set(name, String(value));
    }
    const search = parameters.toString();
    return `${this.options.baseUrl}${path}${search === "" ? "" : `?${search}`}`;
  }

  async #fetch(url: string, signal: AbortSignal | undefined): Promise<{ status: number; body: string }> {
    const { baseUrl, token, actingUserId, timeoutMs = TIMEOUT_MS } = this.options;
    const headers = new Headers({ Accept: "application/json", [ACTING_USER_HEADER]: actingUserId() });
    if (token !== null) headers.set("Authorization", `Bearer ${token}`);
    const timeout = AbortSignal.timeout(timeoutMs);
    try {
      const response = await fetch(url, {
        headers,
        // A token goes to the configured backend and nowhere else.
        redirect: "manual",
        signal: signal === undefined ? timeout : AbortSignal.any([signal, timeout]),
      });
      return { status: response.status, body: await response.text() };
    } catch (error) {
      signal?.throwIfAborted();
      const reason = timeout.aborted ? `no answer within ${timeoutMs} ms` : messageOf(error);
      throw new ToolError(
        "backend_unavailable",
        `There is no answer from the backend at ${baseUrl}: ${reason}`,
        "Check that the engine is running and that MKT_BASE_URL names it.",
        { cause: error },
      );
    }
  }

  #forbidden(status: number, body: string): ToolError {
    return new ToolError(
      "forbidden",
      `The backend refused: ${refusalIn(body)}`,
      status === 401
        ? "Set MKT_BEARER_TOKEN to the token that the backend was started with."
        : `Act as a user who holds the permission; now it is ${this.options.actingUserId()}.`,
    );
  }
}

/** What an answer that is no success says about itself. */
function refusalIn(body: string): string {
  const parsed = errorResponse.safeParse(parseJson(body));
  return parsed.success ? parsed.data.error.message : body.slice(0, EXCERPT_LENGTH) || "it gave no reason";
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
