// JSON-RPC of agents: MCP's tools/list and tools/call, and the two methods by which OpenEnv keeps an episode over several
// HTTP requests. What comes is a text, and so is the answer; a fault is an answer, too.

import { randomUUID } from "node:crypto";
import { z } from "zod";
import { errorMessage } from "../../common/error-message.ts";
import { type Environments, NoCapacity } from "./environments.ts";
import { RPC_CODES, rpcError, type RpcRequest, rpcRequest, rpcResult } from "./messages.ts";

/** The environment of a session, which its connection or its creator keeps open. */
export interface RpcSessions {
  /** Throws NoCapacity. */
  create(): string;
  has(id: string): boolean;
  used(id: string): void;
  close(id: string): void;
}

export class Rpc {
  constructor(private readonly environments: Environments, private readonly sessions: RpcSessions) {}

  /** `own`: the environment of the connection; null: the request names its session, or is alone. */
  async answerText(text: string, own: string | null): Promise<string> {
    let message: unknown;
    try {
      message = JSON.parse(text);
    } catch (error) {
      return rpcError(null, RPC_CODES.parse, `Parse error: ${errorMessage(error)}`);
    }
    return await this.answer(message, own);
  }

  async answer(message: unknown, own: string | null): Promise<string> {
    const read = rpcRequest.safeParse(message);
    if (!read.success) {
      return rpcError(null, RPC_CODES.invalidRequest, `Invalid request: ${z.prettifyError(read.error)}`);
    }
    const request = read.data;
    try {
      return await this.#answer(request, own);
    } catch (error) {
      if (!(error instanceof NoCapacity)) return rpcError(request.id, RPC_CODES.internal, errorMessage(error));
      const data = { active_sessions: error.active, max_sessions: error.most };
      return rpcError(request.id, RPC_CODES.server, error.message, data);
    }
  }

  async #answer(request: RpcRequest, own: string | null): Promise<string> {
    const { id, method, params: { session_id: named } } = request;
    if (method === "openenv/session/create") {
      return rpcResult(id, JSON.stringify({ session_id: own ?? this.sessions.create() }));
    }
    if (method === "openenv/session/close") return this.#close(request, own);
    if (own !== null) return await this.environments.ask(own, { kind: "rpc", request });
    if (named === undefined || named === null) return await this.#alone(request);
    if (typeof named !== "string" || !this.sessions.has(named)) {
      return rpcError(id, RPC_CODES.invalidParams, `Unknown session_id: ${named}`);
    }
    this.sessions.used(named);
    return await this.environments.ask(named, { kind: "rpc", request });
  }

  #close({ id, params: { session_id: named } }: RpcRequest, own: string | null): string {
    if (typeof named !== "string") {
      return rpcError(id, RPC_CODES.invalidParams, "Invalid params - 'session_id' is required");
    }
    if (named === own) {
      const message = "Cannot close active WebSocket-managed session via MCP method";
      return rpcError(id, RPC_CODES.invalidRequest, message);
    }
    if (!this.sessions.has(named)) return rpcError(id, RPC_CODES.invalidParams, `Unknown session_id: ${named}`);
    this.sessions.close(named);
    return rpcResult(id, JSON.stringify({ session_id: named, closed: true }));
  }

  /** In an environment for this request. */
  async #alone(request: RpcRequest): Promise<string> {
    const own = randomUUID();
    this.environments.open(own);
    try {
      return await this.environments.ask(own, { kind: "rpc", request });
    } finally {
      this.environments.close(own);
    }
  }
}
