// An engine that a test scripts, to show faults that the real engine can't be made to show.

import type { Server, ServerWebSocket } from "bun";
import type { ModuleData } from "../../protocol/modules/registry.ts";
import type { ClientMessage, EngineMessage } from "../../protocol/index.ts";

type Kind = ClientMessage["kind"];
type MessageOf<Of extends Kind> = Extract<ClientMessage, { kind: Of }>;
type Socket = ServerWebSocket<undefined>;

export const EPOCH = 5_000_000;
export const ENGINE_TIME = "2030-06-01T12:00:00.000Z";

export function welcome(hello: { userId: string }, overrides: Record<string, unknown> = {}): EngineMessage {
  const user = { userId: hello.userId, entityId: "north", capabilities: ["Market.View", "Order.Submit"] };
  const present = { epoch: EPOCH, sequence: EPOCH, time: ENGINE_TIME };
  return { kind: "welcome", engineId: "engine-1", ...user, ...present, ...overrides } as EngineMessage;
}

export function entity(id: string, name = id): EngineMessage {
  return { statePath: `/ENTITY/${id}`, state: { id, name, code: id, userIds: [], creditStatus: "ok" } };
}

/** An open order, unless `fields` say otherwise. */
export function orderData(id: string, fields: Partial<ModuleData<"ORDER">> = {}): ModuleData<"ORDER"> {
  const place = { engineId: "engine-of-C", contractId: "C", productCode: "BASE", marketId: "M" };
  const owner = { entityId: "north", userId: "u-1" };
  const terms = { side: 0, timeInForce: "gtc", price: 5000, quantity: 1 } as const;
  const progress = { filledQuantity: 0, remainingQuantity: 1, averagePrice: null, closeReason: null };
  const times = { createdAt: ENGINE_TIME, updatedAt: ENGINE_TIME };
  return { id, clientOrderId: id, ...place, ...owner, ...terms, ...progress, status: "working", ...times, ...fields };
}

export function orderState(id: string, fields: Partial<ModuleData<"ORDER">>): EngineMessage {
  return { statePath: `/ORDER/${id}`, state: { ...orderData(id, fields) } };
}

/** `data`: if absent, an order. */
export function event(
  sequence: number,
  type = "new.order",
  data: Record<string, unknown> = orderData(`order-${sequence}`),
): EngineMessage {
  return { kind: "event", sequence: EPOCH + sequence, type, time: ENGINE_TIME, data };
}

export const snapshotEnd: EngineMessage = { kind: "snapshotEnd", sequence: EPOCH };

export class ScriptedConnection {
  readonly #received: ClientMessage[] = [];
  readonly #waiting: { kind: Kind; resolve: (message: ClientMessage) => void }[] = [];
  readonly closed = Promise.withResolvers<number>();

  constructor(readonly socket: Socket) {}

  /** Sends one frame: a single message, or several as an array. */
  send(...messages: (EngineMessage | Record<string, unknown>)[]): void {
    this.socket.send(JSON.stringify(messages.length === 1 ? messages[0] : messages));
  }

  sendText(text: string): void {
    this.socket.send(text);
  }

  /** The next message of a kind that was not returned yet. */
  async next<Of extends Kind>(kind: Of): Promise<MessageOf<Of>> {
    const index = this.#received.findIndex((message) => message.kind === kind);
    const message = index >= 0
      ? this.#received.splice(index, 1)[0]
      : await new Promise<ClientMessage>((resolve) => this.#waiting.push({ kind, resolve }));
    return message as MessageOf<Of>;
  }

  /** The number of received messages of a kind that were not returned yet. */
  unread(kind: Kind): number {
    return this.#received.filter((message) => message.kind === kind).length;
  }

  take(message: ClientMessage): void {
    const index = this.#waiting.findIndex(({ kind }) => kind === message.kind);
    if (index < 0) this.#received.push(message);
    else this.#waiting.splice(index, 1)[0]?.resolve(message);
  }

  /** Sends the welcome, and a snapshot of these messages. */
  async admit(states: readonly EngineMessage[] = [], overrides: Record<string, unknown> = {}) {
    const hello = await this.next("hello");
    this.send(welcome(hello, overrides), ...states, snapshotEnd);
    return hello;
  }

  /** Ends the connection without a closing handshake. */
  cut(): void {
    this.socket.terminate();
  }

  async respond(response: Record<string, unknown> = {}, ...before: EngineMessage[]) {
    const request = await this.next("request");
    const { requestId, operationId } = request;
    this.send(...before, { kind: "response", requestId, operationId, status: "ok", result: {}, ...response });
    return request;
  }
}

export class ScriptedEngine implements AsyncDisposable {
  readonly #server: Server<undefined>;
  readonly #connections = new Map<Socket, ScriptedConnection>();
  readonly #arrived: ScriptedConnection[] = [];
  readonly #waiting: ((connection: ScriptedConnection) => void)[] = [];
  /** The number of sockets opened so far. */
  connectionCount = 0;

  constructor(port = 0) {
    this.#server = Bun.serve({
      hostname: "127.0.0.1",
      port,
      fetch: (request, server) =>
        server.upgrade(request) ? undefined : Response.json({ status: "ok", engineId: "engine-1" }),
      websocket: {
        open: (socket: Socket) => this.#open(socket),
        message: (socket: Socket, text) => this.#connections.get(socket)?.take(JSON.parse(String(text))),
        close: (socket: Socket, code) => this.#connections.get(socket)?.closed.resolve(code),
      },
    });
  }

  get port(): number {
    return this.#server.port ?? 0;
  }

  get url(): string {
    return `ws://127.0.0.1:${this.port}/ws`;
  }

  /** The next connection that was not returned yet. */
  async connection(): Promise<ScriptedConnection> {
    return this.#arrived.shift() ?? await new Promise((resolve) => this.#waiting.push(resolve));
  }

  /** The next connection, with its welcome and a snapshot of these messages. */
  async admitted(states: readonly EngineMessage[] = [], overrides: Record<string, unknown> = {}) {
    const connection = await this.connection();
    await connection.admit(states, overrides);
    return connection;
  }

  async stop(): Promise<void> {
    await this.#server.stop(true);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
  }

  #open(socket: Socket): void {
    this.connectionCount += 1;
    const connection = new ScriptedConnection(socket);
    this.#connections.set(socket, connection);
    const waiting = this.#waiting.shift();
    if (waiting === undefined) this.#arrived.push(connection);
    else waiting(connection);
  }
}
