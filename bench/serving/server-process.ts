// Starts a measured server as a process of its own, with the probe that reports its processor time and its memory.
//
// A server is ready when it has written its address to stderr, as mkt does: a JSON line with "transport":"http://...".

import { join } from "node:path";
import type { Memory, Question, Usage } from "./probe.ts";

const PROBE = join(import.meta.dir, "probe.ts");
const ADDRESS = /"transport":"(http:[^"]+)"/;

interface SpawnOptions {
  readonly env: Record<string, string>;
  readonly stdin: "ignore";
  readonly stdout: "ignore";
  readonly stderr: "pipe";
  readonly ipc: (message: unknown) => void;
}

type Child = Pick<Bun.Subprocess<"ignore", "ignore", "pipe">, "stderr" | "send" | "kill" | "exited" | "exitCode">;

/** Bun.spawn, or in tests a function that also makes sure that the process ends with them. */
export type Spawn = (command: string[], options: SpawnOptions) => Child;

export interface ServerProcess {
  readonly url: string;
  readonly usage: () => Promise<Usage>;
  /** After a collection. */
  readonly memory: () => Promise<Memory>;
  readonly end: () => Promise<void>;
}

/** `program`: a source file and its arguments. Throws with what the process wrote if it ends before it is ready. */
export async function startServer(
  spawn: Spawn,
  program: readonly string[],
  env: Record<string, string>,
): Promise<ServerProcess> {
  let settle: (message: unknown) => void = () => {};
  const child = spawn([process.execPath, "--preload", PROBE, ...program], {
    env: { PATH: process.env["PATH"] ?? "", HOME: process.env["HOME"] ?? "", ...env },
    stdin: "ignore",
    stdout: "ignore",
    stderr: "pipe",
    ipc: (message) => settle(message),
  });
  const ask = <Reply>(question: Question) =>
    new Promise<Reply>((resolve, reject) => {
      settle = (reply) => resolve(reply as Reply);
      child.exited.then((status) => reject(new Error(`${program.join(" ")} ended with ${status}`)));
      child.send(question);
    });
  return {
    url: await addressOf(child, program),
    usage: () => ask<Usage>("usage"),
    memory: () => ask<Memory>("memory"),
    async end() {
      child.kill("SIGTERM");
      await child.exited;
    },
  };
}

/** Reads stderr to its end, so the process never waits for a reader; resolves with the address. */
function addressOf({ stderr }: Child, program: readonly string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const read = async () => {
      const decoder = new TextDecoder();
      let text: string | null = "";
      for await (const chunk of stderr) {
        if (text === null) continue;
        text += decoder.decode(chunk, { stream: true });
        const [, url] = ADDRESS.exec(text) ?? [];
        if (url === undefined) continue;
        text = null;
        resolve(url);
      }
      reject(new Error(`${program.join(" ")} ended before it served:\n${text}`));
    };
    read().catch(reject);
  });
}
