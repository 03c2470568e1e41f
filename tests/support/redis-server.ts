// A real redis-server for tests, on a free port of loopback, with a directory of its own.

import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { atEnd } from "./at-end.ts";
import { freePort } from "./free-port.ts";
import { startProcess } from "./processes.ts";
import { temporaryDirectory } from "./temporary-directory.ts";

/**
 * The path of the program; null if there is none; `skipped` says what doesn't run without it. With MKT_TEST_ALL that is an
 * error instead.
 */
export function findRedisServer(skipped: string): string | null {
  const path = process.env["MKT_REDIS_SERVER"] ?? Bun.which("redis-server");
  if (path !== null) return path;
  if (process.env["MKT_TEST_ALL"] === "1") throw new Error("MKT_TEST_ALL=1, but there is no program redis-server");
  console.log(`skipped: ${skipped} need the program redis-server, or its path in MKT_REDIS_SERVER`);
  return null;
}

interface RedisServerOptions {
  readonly password?: string;
  /** Whether data survive a restart: each command is on disk before its reply. */
  readonly appendOnly?: boolean;
  /** Paths of PEM files: the server then speaks TLS only. */
  readonly tls?: { readonly certificate: string; readonly key: string };
  /** More arguments of the program. */
  readonly args?: readonly string[];
}

/** Starts a server. It ends with the test, or with the file, that started it. */
export async function startRedisServer(program: string, options: RedisServerOptions = {}): Promise<RedisServer> {
  const server = new RedisServer(program, await freePort(), temporaryDirectory(), options);
  await server.start();
  atEnd(() => server.kill());
  return server;
}

export class RedisServer {
  #process: Bun.Subprocess | null = null;

  constructor(
    private readonly program: string,
    readonly port: number,
    private readonly directory: string,
    private readonly options: RedisServerOptions,
  ) {}

  get url(): string {
    const { password, tls } = this.options;
    const user = password === undefined ? "" : `:${encodeURIComponent(password)}@`;
    return `${tls ? "rediss" : "redis"}://${user}127.0.0.1:${this.port}`;
  }

  /** Starts it again on the same port, with the data that it has kept. */
  async start(): Promise<void> {
    if (this.#process !== null) throw new Error("the redis-server runs already");
    const child = startProcess([this.program, ...this.#arguments()], { stdout: "pipe" });
    this.#process = child;
    const reader = child.stdout.getReader();
    const decoder = new TextDecoder();
    for (let log = ""; !log.includes("Ready to accept connections");) {
      const { value, done } = await reader.read();
      if (done) throw new Error(`redis-server ended before it was ready: ${log}`);
      log += decoder.decode(value, { stream: true });
    }
    void drain(reader);
  }

  /** Ends it as an operator would. */
  async stop(): Promise<void> {
    await this.#end("SIGTERM");
  }

  /** Ends it by SIGKILL. */
  async kill(): Promise<void> {
    await this.#end("SIGKILL");
  }

  /** Removes what it has kept, while it does not run. */
  loseData(): void {
    if (this.#process !== null) throw new Error("the redis-server still runs");
    for (const name of readdirSync(this.directory)) rmSync(join(this.directory, name), { recursive: true });
  }

  /** It keeps its connections and answers nothing, until `resume`. */
  suspend(): void {
    this.#process?.kill("SIGSTOP");
  }

  resume(): void {
    this.#process?.kill("SIGCONT");
  }

  /** Runs one command on a connection of its own. */
  async command(name: string, ...args: readonly string[]): Promise<unknown> {
    const client = new Bun.RedisClient(this.url, { autoReconnect: false });
    try {
      return await client.send(name, [...args]);
    } finally {
      client.close();
    }
  }

  /** Makes it empty: for tests that share one server. */
  async clear(): Promise<void> {
    await this.command("FLUSHALL");
  }

  #arguments(): string[] {
    const { password, appendOnly = false, tls, args = [] } = this.options;
    const ports = tls === undefined ? ["--port", String(this.port)] : [
      ...["--port", "0", "--tls-port", String(this.port), "--tls-auth-clients", "no"],
      ...["--tls-cert-file", tls.certificate, "--tls-key-file", tls.key],
    ];
    return [
      ...["--bind", "127.0.0.1", "--dir", this.directory, "--save", "", "--appendonly", appendOnly ? "yes" : "no"],
      ...(appendOnly ? ["--appendfsync", "always"] : []),
      ...ports,
      ...(password === undefined ? [] : ["--requirepass", password]),
      ...args,
    ];
  }

  async #end(signal: "SIGTERM" | "SIGKILL"): Promise<void> {
    const child = this.#process;
    if (child === null) return;
    this.#process = null;
    child.kill("SIGCONT");
    child.kill(signal);
    await child.exited;
  }
}

/** The program would stop at a full pipe. */
async function drain(reader: { read(): Promise<{ readonly done: boolean }> }): Promise<void> {
  while (!(await reader.read()).done);
}
