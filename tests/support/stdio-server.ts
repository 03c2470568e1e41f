// `mkt` over stdio, for tests that send what no official client would.

import { MKT, PROCESS_SETTINGS } from "./executable.ts";
import { startProcess } from "./processes.ts";
import { until } from "./until.ts";

export interface StdioAnswer {
  readonly jsonrpc: string;
  readonly id: number;
  readonly result: { readonly isError?: boolean; readonly content: readonly [{ readonly text: string }] };
}

/** `env` is the whole environment, but for settings of the runtime: without PATH, no other program can help. */
export function startStdioServer(env: Record<string, string>) {
  const child = startProcess([MKT], {
    env: { ...PROCESS_SETTINGS, ...env },
    stdin: "pipe",
    stdout: "pipe",
    stderr: "pipe",
  });
  const output = { stdout: "", stderr: "" };
  const read = async (name: "stdout" | "stderr") => {
    const decoder = new TextDecoder();
    for await (const chunk of child[name]) output[name] += decoder.decode(chunk, { stream: true });
  };
  let hasEnded = false;
  const reading = Promise.all([read("stdout"), read("stderr")]).then(() => void (hasEnded = true));
  const answerIn = (text: string, id: number): StdioAnswer | undefined =>
    text.split("\n").slice(0, -1).map((line) => JSON.parse(line)).find((each) => each.id === id);
  return {
    output,
    kill: (signal: NodeJS.Signals) => child.kill(signal),
    /** Sends messages, each a text or an object. A process that has ended does not get them: `ended` and `output` tell why. */
    send(...messages: readonly (string | object)[]): void {
      try {
        for (const message of messages) {
          child.stdin.write(`${typeof message === "string" ? message : JSON.stringify(message)}\n`);
        }
        child.stdin.flush();
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== "EPIPE") throw error;
      }
    },
    /** The answer to the request with this id. Throws if the process ends without one. */
    async answer(id: number): Promise<StdioAnswer> {
      await until(() => hasEnded || answerIn(output.stdout, id), `an answer to request ${id}`);
      const answer = answerIn(output.stdout, id);
      if (answer === undefined) throw new Error(`mkt ended without an answer to request ${id}: ${output.stderr}`);
      return answer;
    },
    /** Closes stdin. */
    close: () => child.stdin.end(),
    /** The exit status, after all output. */
    async ended(): Promise<number> {
      await reading;
      return await child.exited;
    },
  };
}
