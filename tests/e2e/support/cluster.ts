// An engine with its data on disk, a Redis server, replicas of an MCP server that share it, and a balancer before them, as
// compiled executables. Each can be killed, and started again on its port.
//
// What is killed or started in a test ends with the test, what in `beforeAll` with the file (at-end.ts).

import { atEnd } from "../../support/at-end.ts";
import { freePort } from "../../support/free-port.ts";
import {
  type RunningEngineProcess,
  type RunningHttpServer,
  startEngineProcess,
  startHttpServer,
} from "../../support/executable.ts";
import { type HttpServerHere, httpServerHere } from "../../support/in-process.ts";
import { type RedisServer, startRedisServer } from "../../support/redis-server.ts";
import { temporaryDirectory } from "../../support/temporary-directory.ts";

type Environment = Readonly<Record<string, string>>;

interface ClusterOptions {
  /** Path of the program redis-server. */
  readonly redisServer: string;
  readonly replicas: number;
  readonly userId: string;
  /** Path of the market file. */
  readonly market: string;
  /** Of each replica. */
  readonly env?: Environment;
  /** False: a restarted engine has lost everything. */
  readonly keepsData?: boolean;
}

/** One replica; `running` is replaced at each start. */
class Replica {
  running: RunningHttpServer | null = null;

  constructor(readonly port: number, readonly env: Environment) {}

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  async start(): Promise<void> {
    this.running = await startHttpServer({ ...this.env, MCP_HTTP_PORT: String(this.port) });
  }

  async kill(): Promise<void> {
    await this.running?.crash();
    this.running = null;
  }
}

export class Cluster {
  readonly balancer: RoundRobin;

  private constructor(
    private readonly options: ClusterOptions,
    private readonly directory: string | null,
    public engine: RunningEngineProcess,
    readonly redis: RedisServer,
    readonly replicas: readonly Replica[],
  ) {
    this.balancer = startRoundRobin(replicas.map(({ url }) => url));
  }

  /** The replicas are started, and not connected to the market. */
  static async start(options: ClusterOptions): Promise<Cluster> {
    const directory = options.keepsData === false ? null : temporaryDirectory();
    const engine = await startEngine(options, directory, 0);
    const redis = await startRedisServer(options.redisServer, { appendOnly: true });
    const environment = environmentOf(engine, redis, options);
    const replicas: Replica[] = [];
    for (let count = 0; count < options.replicas; count += 1) replicas.push(new Replica(await freePort(), environment));
    await Promise.all(replicas.map((replica) => replica.start()));
    return new Cluster(options, directory, engine, redis, replicas);
  }

  /** A further replica, in this process, that the balancer does not know, of this group or another. */
  further(env: Environment = {}, userId = this.options.userId): Promise<HttpServerHere> {
    return httpServerHere({ ...environmentOf(this.engine, this.redis, { ...this.options, userId }), ...env });
  }

  killEngine(): Promise<void> {
    return this.engine.crash();
  }

  /** `market`: another market file; of use only without data. */
  async startEngine(market = this.options.market): Promise<void> {
    this.engine = await startEngine({ ...this.options, market }, this.directory, this.engine.port);
  }
}

function startEngine({ market }: ClusterOptions, directory: string | null, port: number) {
  const args = ["--market", market, ...(directory === null ? [] : ["--data", directory])];
  return startEngineProcess({ args, port, env: { LOG_LEVEL: "error" } });
}

function environmentOf(engine: RunningEngineProcess, redis: RedisServer, { userId, env = {} }: ClusterOptions) {
  return { ...engine.environmentFor(userId), MKT_REDIS_URL: redis.url, ...env };
}

const AS_IT_CAME = { redirect: "manual", decompress: false, keepalive: false } as const;

interface RoundRobin {
  readonly url: string;
  /** Requests that each server has answered. */
  readonly answered: readonly number[];
}

/**
 * A load balancer between clients and replicas: each request goes to the next server in turn, whoever sent it.
 *
 * A request is passed on to another server only if the first one refused the connection, so it was surely not sent. If the
 * connection is lost later, the client gets a 502, and has to know itself whether it may send the request again. Each request
 * has a connection of its own, because Bun repeats a request by itself if it finds a kept connection closed.
 */
function startRoundRobin(servers: readonly string[]): RoundRobin {
  const answered = servers.map(() => 0);
  let turn = 0;
  const pass = async (request: Request): Promise<Response> => {
    const { pathname, search } = new URL(request.url);
    const body = request.body === null ? undefined : await request.arrayBuffer();
    const { method, headers, signal } = request;
    headers.delete("Host");
    const first = turn++;
    for (const attempt of servers.keys()) {
      const index = (first + attempt) % servers.length;
      const target = new URL(pathname + search, servers[index]);
      try {
        const response = await fetch(target, { method, headers, body, signal, ...AS_IT_CAME });
        answered[index]! += 1;
        return response;
      } catch (error) {
        const { code, message } = error as NodeJS.ErrnoException;
        if (code !== "ConnectionRefused" && code !== "ECONNREFUSED") {
          return Response.json({ error: message }, { status: 502 });
        }
      }
    }
    return Response.json({ error: "no server accepts connections" }, { status: 503 });
  };
  const balancer = Bun.serve({ hostname: "127.0.0.1", port: 0, idleTimeout: 255, fetch: pass });
  atEnd(() => balancer.stop(true));
  return { url: `http://127.0.0.1:${balancer.port}`, answered };
}
