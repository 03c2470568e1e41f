// A real engine on a free port, and a client that checks every message it gets against the protocol's schemas.

import { isModuleType, moduleSchema } from "../../../protocol/modules/registry.ts";
import {
  type Action,
  type ActionRequest,
  type ClientMessage,
  type EngineMessage,
  engineMessage,
  type EventMessage,
  EVENTS,
  type EventType,
  healthResponse,
  PATHS,
  PROTOCOL_VERSION,
  type ResponseMessage,
  type StateMessage,
} from "../../../protocol/index.ts";
import { SqliteAuditStore } from "../../../engine/audit/sqlite-audit-store.ts";
import { builtInMarket } from "../../../engine/definition/built-in-market.ts";
import { contractsAt } from "../../../engine/definition/listed-contracts.ts";
import type { MarketDefinition } from "../../../engine/definition/market-definition.ts";
import { Engine } from "../../../engine/engine.ts";
import { type ServedEngine, type ServeEngineOptions } from "../../../engine/server/engine-server.ts";
import { DEFAULT_ENGINE_LIMITS, type EngineLimits } from "../../../common/http/guards/engine-limits.ts";
import { until } from "../../support/until.ts";
import { atEnd } from "../../support/at-end.ts";
import { serveOnFreePort } from "../../support/engines.ts";

export const BUYER = "riverbend-trader-1";
export const SELLER = "heartland-trader-1";
export const BYSTANDER = "summit-trader-1";
export const OPERATOR = "operator";
export const VIEWER = "viewer";
export const SECRET = "a test's secret";

export interface TestEngine extends ServedEngine {
  readonly engine: Engine;
  readonly audit: SqliteAuditStore;
  readonly definition: MarketDefinition;
  readonly contractId: string;
  readonly epoch: number;
}

interface TestEngineOptions extends Partial<Omit<ServeEngineOptions, "limits">> {
  /** Limits that differ from the defaults. */
  readonly limits?: Partial<EngineLimits>;
}

/** Serves the built-in market, or what `change` makes of it. */
export function serveTestEngine(
  { limits, ...options }: TestEngineOptions = {},
  change: (definition: MarketDefinition) => MarketDefinition = (definition) => definition,
): TestEngine {
  const now = options.now ?? Date.now;
  const started = now();
  const definition = change(builtInMarket());
  const epoch = started * 1000;
  const engine = new Engine(definition, { epoch, now: started, engineId: "test-engine", secret: SECRET });
  const audit = SqliteAuditStore.inMemory({ now });
  const settings = { engine, engineId: "test-engine", audit, now, limits: { ...DEFAULT_ENGINE_LIMITS, ...limits } };
  const served = serveOnFreePort({ ...settings, ...options });
  const contractId = contractsAt(definition, started).at(-1)?.id ?? "";
  return { ...served, engine, audit, definition, contractId, epoch };
}

type Hello = Extract<ClientMessage, { kind: "hello" }>;

export class TestClient {
  /** Messages by frame, in order of arrival. */
  readonly frames: EngineMessage[][] = [];
  readonly #socket: WebSocket;
  #requests = 0;
  closed: { code: number; reason: string } | null = null;

  constructor(url: string) {
    this.#socket = new WebSocket(url);
    this.#socket.onmessage = ({ data }) => {
      const frame: unknown = JSON.parse(String(data));
      this.frames.push((Array.isArray(frame) ? frame : [frame]).map(checkedMessage));
    };
    this.#socket.onclose = ({ code, reason }) => {
      this.closed = { code, reason };
    };
    atEnd(() => this.#socket.close());
  }

  get messages(): EngineMessage[] {
    return this.frames.flat();
  }

  get states(): StateMessage[] {
    return this.messages.filter((message) => "statePath" in message);
  }

  get events(): EventMessage[] {
    return this.messages.filter((message) => isKind(message, "event"));
  }

  get sequences(): number[] {
    return this.events.map(({ sequence }) => sequence);
  }

  /** The kind of each message; "state" for a state. */
  get kinds(): string[] {
    return this.messages.map((message) => "kind" in message ? message.kind : "state");
  }

  async opened(): Promise<this> {
    await until(() => this.#socket.readyState === WebSocket.OPEN, "an open socket");
    return this;
  }

  async hello(hello: Omit<Hello, "kind" | "protocol">): Promise<this> {
    await this.opened();
    this.send({ kind: "hello", protocol: PROTOCOL_VERSION, ...hello });
    return this;
  }

  send(message: unknown): void {
    this.#socket.send(JSON.stringify(message));
  }

  sendText(text: string | Uint8Array<ArrayBuffer>): void {
    this.#socket.send(text);
  }

  close(): void {
    this.#socket.close();
  }

  /** Sends a request and waits for its response. */
  async request<Name extends Action>(
    action: Name,
    payload: ActionRequest<Name>,
    operationId: string = crypto.randomUUID(),
  ): Promise<ResponseMessage> {
    this.#requests += 1;
    const requestId = `request-${this.#requests}`;
    this.send({ kind: "request", requestId, operationId, action, payload });
    return await this.response(requestId);
  }

  async response(requestId: string): Promise<ResponseMessage> {
    return await this.message("response", (message) => message.requestId === requestId);
  }

  /** Waits for the first message of a kind. */
  async message<Kind extends TaggedKind>(
    kind: Kind,
    fits: (message: Tagged<Kind>) => boolean = () => true,
  ): Promise<Tagged<Kind>> {
    const find = () => this.messages.filter((message) => isKind(message, kind)).find(fits);
    return await until(find, `a ${kind} message`) as Tagged<Kind>;
  }

  /** Waits for a pong, which comes after everything that the engine sent before it. */
  async settled(): Promise<void> {
    const count = () => this.messages.filter((message) => isKind(message, "pong")).length;
    const before = count();
    this.send({ kind: "ping" });
    await until(() => count() > before, "a pong");
  }

  /** Waits until the engine has refused and ended the connection; returns the code. */
  async refused(): Promise<string> {
    const { code } = await this.message("refused");
    await this.ended();
    return code;
  }

  async ended(): Promise<void> {
    await until(() => this.closed !== null, "the end of the connection");
  }
}

type TaggedKind = Extract<EngineMessage, { kind: string }>["kind"];
type Tagged<Kind extends TaggedKind> = Extract<EngineMessage, { kind: Kind }>;

export function isKind<Kind extends TaggedKind>(message: EngineMessage, kind: Kind): message is Tagged<Kind> {
  return "kind" in message && message.kind === kind;
}

/** A connected client that has its snapshot. */
export async function connect(
  { webSocketUrl }: { readonly webSocketUrl: string },
  userId: string,
  hello: Partial<Omit<Hello, "kind" | "protocol" | "userId">> = {},
): Promise<TestClient> {
  const client = await new TestClient(webSocketUrl).hello({ userId, ...hello });
  await client.message("snapshotEnd");
  return client;
}

/** Parses a message by its schema, and its module or event data by theirs. */
function checkedMessage(value: unknown): EngineMessage {
  const message = engineMessage.parse(value);
  if ("statePath" in message) {
    const [, type = "", id] = message.statePath.split("/");
    if (!isModuleType(type)) throw new Error(`a state of no module type: ${message.statePath}`);
    if (message.state === null) return message;
    moduleSchema(type).parse(message.state);
    if (message.state.id !== id) throw new Error(`${message.statePath} carries ${message.state.id}`);
  } else if (message.kind === "event") {
    if (!isEventType(message.type)) throw new Error(`an event of no type: ${message.type}`);
    EVENTS[message.type].parse(message.data);
  }
  return message;
}

function isEventType(type: string): type is EventType {
  return Object.hasOwn(EVENTS, type);
}

/** The numbers from the first of `numbers` on, without a hole. */
export function consecutive(numbers: readonly number[]): number[] {
  return Array.from(numbers, (_, place) => (numbers[0] ?? 0) + place);
}

/** Headers of a request that opens a WebSocket. */
export const UPGRADE = {
  "Upgrade": "websocket",
  "Connection": "Upgrade",
  "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
  "Sec-WebSocket-Version": "13",
};

/** A buy order of one MW that nothing in an empty book can fill. */
export function restingBuy(contractId: string): ActionRequest<"order.submit"> {
  return { contractId, side: 0, price: 1000, quantity: 1 };
}

/** A message that submits an order. */
export function submission(requestId: string, payload: unknown, operationId = requestId) {
  return { kind: "request", requestId, operationId, action: "order.submit", payload };
}

/** Submits an order of BUYER without a connection. */
export function submit(engine: TestEngine, operationId: string = crypto.randomUUID()): void {
  engine.execute({ userId: BUYER, operationId, action: "order.submit", payload: restingBuy(engine.contractId) });
}

/** Number of established connections. */
export async function connectionsOf({ url }: { readonly url: string }): Promise<number> {
  const health = healthResponse.parse(await (await fetch(`${url}${PATHS.health}`)).json());
  return Number(health["connections"]);
}
