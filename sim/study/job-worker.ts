// A worker process of a study, seen from the study: one job at a time.

import { oneLine } from "../../common/command-line.ts";
import { ownInvocation } from "../../common/own-invocation.ts";
import { asLine, type JobAnswer, type JobRequest, linesOf } from "./job-messages.ts";

export class JobWorker {
  readonly #process: Bun.Subprocess<"pipe", "pipe", "pipe">;
  readonly #answers: AsyncGenerator<string, void, undefined>;
  /** What it writes to stderr until its end. */
  readonly #errors: Promise<string>;

  /** Starts this program with the arguments. */
  constructor(args: readonly string[]) {
    const { command, args: own } = ownInvocation();
    this.#process = Bun.spawn([command, ...own, ...args], { stdin: "pipe", stdout: "pipe", stderr: "pipe" });
    this.#answers = linesOf(this.#process.stdout);
    this.#errors = Bun.readableStreamToText(this.#process.stderr);
  }

  async run(request: JobRequest): Promise<JobAnswer> {
    try {
      this.#process.stdin.write(asLine(request));
      await this.#process.stdin.flush();
    } catch (error) {
      return await this.#failure(error);
    }
    const answer = await this.#answers.next();
    return answer.done === true ? await this.#failure(null) : JSON.parse(answer.value) as JobAnswer;
  }

  /** Lets it end by itself. */
  async finish(): Promise<void> {
    await this.#process.stdin.end();
    await this.#process.exited;
  }

  /** Ends it, also in the middle of a job. */
  async kill(): Promise<void> {
    this.#process.kill();
    await this.#process.exited;
  }

  /** Why there is no answer. */
  async #failure(error: unknown): Promise<JobAnswer> {
    const exitCode = await this.#process.exited;
    const faults = (await this.#errors).split("\n").filter((text) => text !== "")
      .map((text) => oneLine(text.replace(/^mkt: /, "")));
    if (faults.length > 0) return { ok: false, faults };
    const { signalCode } = this.#process;
    const how = signalCode === null
      ? `its process ended with status ${exitCode}`
      : `its process was ended by ${signalCode}`;
    const isKilled = signalCode === "SIGKILL" ? "; the machine may lack memory: try fewer --jobs" : "";
    const cause = error instanceof Error ? ` (${oneLine(error.message)})` : "";
    return { ok: false, faults: [`${how}${isKilled}${cause}`] };
  }
}
