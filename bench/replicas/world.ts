// What the bench measures, each in a process of its own: an engine, a redis-server and replicas of an MCP server, which act as
// one user who sees everything.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { RedisClient } from "bun";
import { KeptConnection, toolCall } from "../../tests/support/kept-connection.ts";
import { freePort } from "../../tests/support/free-port.ts";
import { ENGINE } from "../fan-out/sides.ts";
import { type ServerProcess, type Spawn, startServer } from "../serving/server-process.ts";

/** Bun.spawn, or in tests a function that also makes sure that the process ends with them. */
type SpawnProgram = (command: string[], options: { readonly stdout: "ignore" }) => {
  readonly pid: number;
  readonly exited: Promise<number>;
  kill(signal: "SIGKILL"): void;
};

export interface WorldOptions {
  readonly spawn: Spawn;
  readonly spawnProgram: SpawnProgram;
  /** Path of the program redis-server. */
  readonly redisServer: string;
  /** Empty, for the engine's data. */
  readonly folder: string;
  readonly replicas: number;
  /** False: each replica is alone. */
  readonly withRedis: boolean;
}

const USER = "operator";
/** Of each category: more than a run has, so that nothing is trimmed. */
const BUFFERED = "200000";
const MAIN = join(import.meta.dir, "../../main.ts");
/** Of the processor times that Linux counts, in a second. */
const TICKS = 100;

export interface Replica {
  readonly process: ServerProcess;
  call(name: string, input?: Record<string, unknown>): Promise<Record<string, unknown>>;
}

export class World {
  private constructor(
    readonly engine: ServerProcess,
    readonly replicas: readonly Replica[],
    readonly redis: Redis | null,
  ) {}

  /** All replicas are connected to the market. */
  static async start(options: WorldOptions): Promise<World> {
    const { spawn, folder, replicas: count, withRedis } = options;
    const redis = withRedis ? await Redis.start(options) : null;
    const engine = await startServer(spawn, [ENGINE, join(folder, crypto.randomUUID())], {});
    const replicas: Replica[] = [];
    const env = environment(engine, redis);
    for (let index = 0; index < count; index += 1) replicas.push(await startReplica(spawn, env));
    for (const replica of replicas) await replica.call("mkt_connect_pubsub");
    return new World(engine, replicas, redis);
  }

  async end(): Promise<void> {
    for (const { process } of this.replicas) await process.end();
    await this.engine.end();
    await this.redis?.end();
  }
}

class Redis {
  private constructor(readonly url: string, private readonly child: ReturnType<SpawnProgram>) {}

  static async start({ spawnProgram, redisServer, folder }: WorldOptions): Promise<Redis> {
    const port = String(await freePort());
    const settings = ["--bind", "127.0.0.1", "--port", port, "--dir", folder, "--save", "", "--appendonly", "no"];
    const redis = new Redis(
      `redis://127.0.0.1:${port}`,
      spawnProgram([redisServer, ...settings], { stdout: "ignore" }),
    );
    while (!await redis.#answers()) await Bun.sleep(20);
    return redis;
  }

  /** Processor time since its start, µs; Linux counts it in steps of 10,000. */
  get processorMicroseconds(): number {
    const fields = readFileSync(`/proc/${this.child.pid}/stat`, "utf8").split(") ")[1]!.split(" ");
    const [USER_TIME, SYSTEM_TIME] = [11, 12];
    return (Number(fields[USER_TIME]) + Number(fields[SYSTEM_TIME])) * 1e6 / TICKS;
  }

  /** Bytes that its data take. */
  async usedBytes(): Promise<number> {
    const text = String(await this.#command("INFO", "memory"));
    return Number(/used_memory_dataset:(\d+)/.exec(text)?.[1]);
  }

  async end(): Promise<void> {
    this.child.kill("SIGKILL");
    await this.child.exited;
  }

  async #answers(): Promise<boolean> {
    try {
      return await this.#command("PING") === "PONG";
    } catch (error) {
      if (/ERR_REDIS_CONNECTION|Connection/.test(String(error))) return false;
      throw error;
    }
  }

  async #command(name: string, ...args: string[]): Promise<unknown> {
    const client = new RedisClient(this.url, { autoReconnect: false });
    try {
      return await client.send(name, args);
    } finally {
      client.close();
    }
  }
}

function environment(engine: ServerProcess, redis: Redis | null): Record<string, string> {
  return {
    MKT_HOST: new URL(engine.url).host,
    MKT_BASE_URL: engine.url,
    MKT_USER_ID: USER,
    MKT_AUDIT_STORE: "backend",
    MKT_EVENT_BUFFER_SIZE: BUFFERED,
    MCP_HTTP_PORT: "0",
    ...(redis !== null && { MKT_REDIS_URL: redis.url }),
  };
}

async function startReplica(spawn: Spawn, env: Record<string, string>): Promise<Replica> {
  const process = await startServer(spawn, [MAIN], env);
  const call = async (name: string, input: Record<string, unknown> = {}) => {
    const connection = new KeptConnection(process.url);
    const answer = await connection.send(toolCall(process.url, name, input));
    connection.close();
    const { result } = JSON.parse(answer?.body ?? "{}");
    if (answer?.status !== 200 || result?.isError === true) throw new Error(`${name} failed: ${answer?.body}`);
    return result.structuredContent as Record<string, unknown>;
  };
  return { process, call };
}
