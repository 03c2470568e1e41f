// The two sides of the comparison, each a server as a process of its own with its connections: the engine with a data
// directory, and the bare server that sends frames of as many bytes to as many connections.

import { join } from "node:path";
import { PROTOCOL_VERSION } from "../../protocol/index.ts";
import { type ServerProcess, type Spawn, startServer } from "../serving/server-process.ts";
import type { Plan } from "./bare-plan.ts";
import { FrameConnection } from "./frame-connection.ts";
import { type OrderFlow, orderFlow } from "./orders.ts";

/** Connections that send orders. The others only read. */
export const REQUESTERS = 8;

export const ENGINE = join(import.meta.dir, "engine.ts");
export const BARE_SERVER = join(import.meta.dir, "bare-server.ts");

export abstract class Side {
  readonly #connections: FrameConnection[] = [];

  protected constructor(readonly process: ServerProcess) {}

  get connections(): readonly FrameConnection[] {
    return this.#connections;
  }

  get requesters(): readonly FrameConnection[] {
    return this.connections.slice(0, REQUESTERS);
  }

  async connectUpTo(count: number): Promise<void> {
    for (let number = this.#connections.length; number < count; number++) {
      this.#connections.push(await this.connect(number, number < REQUESTERS));
    }
  }

  protected abstract connect(number: number, looksForResponses: boolean): Promise<FrameConnection>;

  /** Text of the next request. */
  abstract nextRequest(): string;

  /** Whether every connection has everything that belongs to the confirmed orders. */
  abstract isComplete(): boolean;

  async end(): Promise<void> {
    for (const connection of this.connections) connection.close();
    await this.process.end();
  }
}

export class EngineSide extends Side {
  #requests = 0;

  private constructor(process: ServerProcess, private readonly flow: OrderFlow) {
    super(process);
  }

  /** `directory`: for the market, empty. */
  static async start(spawn: Spawn, directory: string, connections: number, seed: number): Promise<EngineSide> {
    const side = new EngineSide(await startServer(spawn, [ENGINE, directory], {}), orderFlow(seed));
    await side.connectUpTo(connections);
    return side;
  }

  protected connect(number: number, looksForResponses: boolean): Promise<FrameConnection> {
    const { users } = this.flow;
    return welcomed(this.process.url, users[number % users.length]!, looksForResponses);
  }

  nextRequest(): string {
    const id = String(++this.#requests);
    const order = { action: "order.submit", payload: this.flow.next() };
    return JSON.stringify({ kind: "request", requestId: id, operationId: `bench-order-${id}`, ...order });
  }

  isComplete(): boolean {
    const [newest, ...others] = this.connections.map(({ newestSequence }) => newestSequence);
    return newest !== null && others.every((sequence) => sequence === newest);
  }
}

/** Resolves once the snapshot is complete. */
export async function welcomed(
  url: string,
  userId: string,
  looksForResponses: boolean,
  cancelOnDisconnect = false,
): Promise<FrameConnection> {
  const connection = await FrameConnection.open(url, looksForResponses);
  const complete = Promise.withResolvers<void>();
  connection.onText = (text) => void (text.includes('"snapshotEnd"') && complete.resolve());
  connection.send(JSON.stringify({ kind: "hello", protocol: PROTOCOL_VERSION, userId, cancelOnDisconnect }));
  await complete.promise;
  connection.onText = null;
  return connection;
}

export class BareSide extends Side {
  #plan: Plan | null = null;
  #requests = 0;
  /** Frames of all connections when the plan began. */
  #framesBefore = 0;
  #request = "";

  static async start(spawn: Spawn, connections: number): Promise<BareSide> {
    const side = new BareSide(await startServer(spawn, [BARE_SERVER], {}));
    await side.connectUpTo(connections);
    return side;
  }

  protected connect(_number: number, looksForResponses: boolean): Promise<FrameConnection> {
    return FrameConnection.open(this.process.url, looksForResponses);
  }

  /** `request`: the text that each request has. */
  follow(plan: Plan, request: string): void {
    this.connections[0]!.send(JSON.stringify(plan));
    this.#plan = plan;
    this.#request = request;
    this.#requests = 0;
    this.#framesBefore = this.#frames;
  }

  nextRequest(): string {
    this.#requests += 1;
    return this.#request;
  }

  isComplete(): boolean {
    if (this.#plan === null) throw new Error("the bare server has no plan");
    const updates = Math.floor(this.#requests / this.#plan.ordersInUpdate);
    return this.#frames - this.#framesBefore === this.#requests + updates * this.connections.length;
  }

  get #frames(): number {
    return this.connections.reduce((sum, { frames }) => sum + frames, 0);
  }
}
