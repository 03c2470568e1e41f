// A market of a test's own and clients that act in it: each client is an official one, launching the compiled
// executable over stdio (v1) or calling it over HTTP (v2).

import { connectHttp, connectStdio, type Generation, succeed, type TestClient } from "../../support/clients.ts";
import {
  type RunningEngineProcess,
  type RunningMkt,
  startEngineProcess,
  startHttpServer,
} from "../../support/executable.ts";
import { MARKET_FILE } from "./market.ts";

/** Each official client over one of the two transports; typical-workflow.test.ts walks all four combinations. */
export const DESKS: readonly [Generation, string][] = [["v2", "HTTP"], ["v1", "stdio"]];

export class Desk {
  readonly #closers: (() => Promise<unknown>)[] = [];

  private constructor(readonly generation: Generation, readonly engine: RunningEngineProcess) {}

  static async open(
    generation: Generation,
    options: { market?: string; env?: Record<string, string> } = {},
  ): Promise<Desk> {
    const engine = await startEngineProcess({ args: ["--market", options.market ?? MARKET_FILE], env: options.env });
    return new Desk(generation, engine);
  }

  /** A client whose mkt acts as `userId`; not yet connected to the market. */
  async client(userId: string, env: Record<string, string> = {}): Promise<TestClient> {
    return await openClient(this.generation, { ...this.engine.environmentFor(userId), ...env }, this.#closers);
  }

  /** A client that is connected to the market. */
  async trader(userId: string, env: Record<string, string> = {}): Promise<TestClient> {
    const client = await this.client(userId, env);
    await succeed(client, "mkt_connect_pubsub");
    return client;
  }

  async close(): Promise<void> {
    for (const close of this.#closers.reverse()) await close();
    await this.engine.stop();
  }
}

export async function openClient(
  generation: Generation,
  env: Record<string, string>,
  closers: (() => Promise<unknown>)[],
): Promise<TestClient> {
  if (generation === "v1") {
    const client = await connectStdio("v1", env);
    closers.push(() => client.close());
    return client;
  }
  const server: RunningMkt & { url: string } = await startHttpServer(env);
  const client = await connectHttp("v2", server.url);
  closers.push(() => server.stop(), () => client.close());
  return client;
}
