// The compiled executable, started as users start it. It is built first if it is missing or out of date.

import { atEnd } from "./at-end.ts";
import { builtExecutable } from "./built-executable.ts";
import { FOR_SHORT_PROCESSES } from "./short-processes.ts";
import { type Completed, run, startProcess } from "./processes.ts";
import { size } from "./sizes.ts";

export const MKT = builtExecutable();

/** Variables of the runtime alone. */
export const PROCESS_SETTINGS = size<Record<string, string>>(FOR_SHORT_PROCESSES, {});

/** Only what a process needs to start. No other variable of this machine reaches mkt. */
export const BARE_ENVIRONMENT = {
  PATH: process.env["PATH"] ?? "",
  HOME: process.env["HOME"] ?? "",
  ...PROCESS_SETTINGS,
};

/** Runs a command of mkt until it ends. */
export function runMkt(args: readonly string[], env: Record<string, string> = {}): Promise<Completed> {
  return run([MKT, ...args], { env: { ...BARE_ENVIRONMENT, ...env } });
}

export interface RunningMkt {
  readonly pid: number;
  /** The first match of `pattern` on stderr; throws with all of stderr if the process ends first. */
  untilStderr(pattern: RegExp): Promise<RegExpExecArray>;
  stderr(): string;
  readonly exited: Promise<number>;
  kill(signal: NodeJS.Signals): void;
  /** Kills it with SIGKILL, and waits for the end. */
  crash(): Promise<void>;
  /** Sends SIGTERM, waits for the end, and returns the exit status. */
  stop(): Promise<number>;
}

/**
 * Starts mkt, or another `command` that becomes it. If it still runs at the end of the test or the file, it gets SIGTERM and
 * must end with status 0.
 */
export function startMkt(
  args: readonly string[],
  env: Record<string, string> = {},
  command: readonly string[] = [MKT],
): RunningMkt {
  const child = startProcess([...command, ...args], {
    env: { ...BARE_ENVIRONMENT, ...env },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
  let text = "";
  let wake: () => void = () => {};
  const reading = (async () => {
    const decoder = new TextDecoder();
    for await (const chunk of child.stderr) {
      text += decoder.decode(chunk, { stream: true });
      wake();
    }
    wake();
  })();
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null;
  const running: RunningMkt = {
    pid: child.pid,
    stderr: () => text,
    exited: child.exited,
    kill: (signal) => child.kill(signal),
    async untilStderr(pattern) {
      for (;;) {
        const match = pattern.exec(text);
        if (match) return match;
        if (hasEnded()) {
          throw new Error(`mkt ${args.join(" ")} ended with ${child.exitCode ?? child.signalCode}:\n${text}`);
        }
        await Promise.race([new Promise<void>((resolve) => (wake = resolve)), child.exited]);
      }
    },
    async crash() {
      child.kill("SIGKILL");
      await child.exited;
    },
    async stop() {
      child.kill("SIGTERM");
      const exitCode = await child.exited;
      await reading;
      return exitCode;
    },
  };
  atEnd(async () => {
    if (hasEnded()) return;
    const exitCode = await running.stop();
    if (exitCode !== 0) throw new Error(`mkt ${args.join(" ")} ended with ${exitCode}:\n${text}`);
  });
  return running;
}

export interface RunningEngineProcess extends RunningMkt {
  readonly port: number;
  readonly url: string;
  readonly webSocketUrl: string;
  /** Environment of an mkt that uses this engine as its backend. */
  environmentFor(userId: string): Record<string, string>;
}

export interface EngineProcessOptions {
  readonly args?: readonly string[];
  readonly env?: Record<string, string>;
  readonly port?: number;
}

/** `mkt engine` on a free port, or on `port`. */
export async function startEngineProcess(
  { args = [], env = {}, port = 0 }: EngineProcessOptions = {},
): Promise<RunningEngineProcess> {
  const running = startMkt(["engine", "--port", String(port), ...args], env);
  const [, actualPort] = await running.untilStderr(/engine: http:\/\/127\.0\.0\.1:(\d+)/);
  return {
    ...running,
    port: Number(actualPort),
    url: `http://127.0.0.1:${actualPort}`,
    webSocketUrl: `ws://127.0.0.1:${actualPort}/ws`,
    environmentFor: (userId) => ({
      MKT_HOST: `127.0.0.1:${actualPort}`,
      MKT_BASE_URL: `http://127.0.0.1:${actualPort}`,
      MKT_USER_ID: userId,
      MKT_AUDIT_STORE: "backend",
    }),
  };
}

export interface RunningHttpServer extends RunningMkt {
  readonly url: string;
}

/** `mkt` over HTTP on a free port. */
export async function startHttpServer(env: Record<string, string>): Promise<RunningHttpServer> {
  const running = startMkt([], { MCP_HTTP_PORT: "0", ...env });
  const [, url] = await running.untilStderr(/"transport":"(http:[^"]+)"/);
  return { ...running, url: url ?? "" };
}
