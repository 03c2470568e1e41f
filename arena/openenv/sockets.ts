// The WebSockets of an OpenEnv server. A connection is a session: it has one environment until it ends, and one answer comes
// for each message, in the order of the messages.

import { randomUUID } from "node:crypto";
import type { ServerWebSocket, WebSocketHandler } from "bun";
import { z } from "zod";
import { errorMessage } from "../../common/error-message.ts";
import { EnvironmentFault } from "./environment.ts";
import { type Environments, NoCapacity } from "./environments.ts";
import { MAX_MESSAGE_BYTES } from "./http-routes.ts";
import { action, resetRequest, RPC_CODES, rpcError, type SocketErrorCode } from "./messages.ts";
import type { Mode } from "./openapi.ts";
import type { Rpc } from "./rpc.ts";

/** ws: messages of trainers, also with JSON-RPC in them; mcp: JSON-RPC alone. */
type SocketKind = "ws" | "mcp";

export interface SocketData {
  readonly kind: SocketKind;
  /** Of its environment; null: there was no room for one. */
  session: string | null;
  /** Resolves when the last message has been answered. */
  last: Promise<void>;
  waiting: number;
}

type Socket = ServerWebSocket<SocketData>;

interface SocketOptions {
  readonly environments: Environments;
  readonly rpc: Rpc;
  readonly mode: Mode;
}

/** A client that sends more without reading the answers is ended. */
const MAX_WAITING = 1_000;
/** Of a connection that answers no ping. */
const IDLE_SECONDS = 120;
const CLOSED = { normal: 1000, policy: 1008, tryAgain: 1013 };

export function newSocket(kind: SocketKind): SocketData {
  return { kind, session: null, last: Promise.resolve(), waiting: 0 };
}

interface Sockets {
  readonly handler: WebSocketHandler<SocketData>;
  /** Resolves when the messages that have come are answered. */
  answered(): Promise<void>;
}

export function openEnvSockets({ environments, rpc, mode }: SocketOptions): Sockets {
  const answers = new SocketAnswers(environments, rpc, mode);
  const sockets = new Set<Socket>();
  const handler: WebSocketHandler<SocketData> = {
    open: (socket) => {
      sockets.add(socket);
      open(socket, environments);
    },
    message: (socket, message) => {
      const { data } = socket;
      if (data.session === null) return;
      if ((data.waiting += 1) > MAX_WAITING) return socket.close(CLOSED.policy, "too many messages without an answer");
      data.last = data.last.then(async () => {
        data.waiting -= 1;
        if (data.session === null) return;
        const answer = await answers.to(data.kind, data.session, message.toString());
        if (answer === null) socket.close(CLOSED.normal);
        else socket.send(answer);
      });
    },
    close: (socket) => {
      const { data } = socket;
      sockets.delete(socket);
      if (data.session !== null) environments.close(data.session);
      data.session = null;
    },
    maxPayloadLength: MAX_MESSAGE_BYTES,
    idleTimeout: IDLE_SECONDS,
    sendPings: true,
  };
  return { handler, answered: async () => void await Promise.all([...sockets].map(({ data }) => data.last)) };
}

function open(socket: Socket, environments: Environments): void {
  const session = randomUUID();
  try {
    environments.open(session);
    socket.data.session = session;
  } catch (error) {
    if (!(error instanceof NoCapacity)) throw error;
    const counts = { active_sessions: error.active, max_sessions: error.most };
    socket.send(
      socket.data.kind === "ws"
        ? errorJson("CAPACITY_REACHED", error.message, counts)
        : rpcError(null, RPC_CODES.server, error.message, counts),
    );
    socket.close(CLOSED.tryAgain, "no more sessions");
  }
}

class SocketAnswers {
  constructor(
    private readonly environments: Environments,
    private readonly rpc: Rpc,
    private readonly mode: Mode,
  ) {}

  /** Null: the client closes the connection. */
  async to(kind: SocketKind, session: string, text: string): Promise<string | null> {
    if (kind === "mcp") return await this.rpc.answerText(text, session);
    let message: unknown;
    try {
      message = JSON.parse(text);
    } catch (error) {
      return errorJson("INVALID_JSON", `Invalid JSON: ${errorMessage(error)}`);
    }
    const { type, data } = typeof message === "object" && message !== null
      ? message as { type?: unknown; data?: unknown }
      : {};
    if (type === "close") return null;
    if (type === "mcp") return `{"type":"mcp","data":${await this.rpc.answer(data, session)}}`;
    if (this.mode === "production") return unknownType(type);
    if (type === "state") return await this.#answered("state", session, () => ({ kind: "state" }));
    if (type === "reset") {
      return await this.#answered(
        "observation",
        session,
        () => ({ kind: "reset", request: resetRequest.parse(data ?? {}) }),
      );
    }
    if (type === "step") {
      return await this.#answered("observation", session, () => ({ kind: "step", action: action.parse(data) }));
    }
    return unknownType(type);
  }

  async #answered(
    type: "observation" | "state",
    session: string,
    question: () => Parameters<Environments["ask"]>[1],
  ): Promise<string> {
    let asked: ReturnType<typeof question> | null = null;
    try {
      asked = question();
      return `{"type":"${type}","data":${await this.environments.ask(session, asked)}}`;
    } catch (error) {
      if (error instanceof z.ZodError) {
        const errors = error.issues.map(({ code, path, message }) => ({ type: code, loc: path, msg: message }));
        return errorJson("VALIDATION_ERROR", "Invalid message", { errors });
      }
      if (error instanceof EnvironmentFault) return errorJson("EXECUTION_ERROR", error.message);
      if (this.environments.hasStopped) return errorJson("SESSION_ERROR", errorMessage(error));
      return errorJson(asked?.kind === "reset" ? "FACTORY_ERROR" : "EXECUTION_ERROR", errorMessage(error));
    }
  }
}

function unknownType(type: unknown): string {
  return errorJson("UNKNOWN_TYPE", `Unknown message type: ${String(type)}`);
}

function errorJson(code: SocketErrorCode, message: string, further: object = {}): string {
  return JSON.stringify({ type: "error", data: { message, code, ...further } });
}
