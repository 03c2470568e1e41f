// A thread of environments, as the server sees it. If it fails, its environments are gone, and another one takes its place.

import { threadUrl } from "../../common/thread-url.ts";
import { EnvironmentFault } from "./environment.ts";
import type { FromEnvironmentThread, Question, ToEnvironmentThread } from "./thread-messages.ts";

type Asked = Pick<PromiseWithResolvers<string>, "resolve" | "reject">;

export class EnvironmentThread {
  /** How many are open in it. */
  environments = 0;
  readonly #asked = new Map<number, Asked>();
  #worker!: Worker;
  #ready!: Promise<void>;
  #questions = 0;
  /** Why it can't begin. */
  #fault: Error | null = null;

  /** `onFailure`: is told when what it knew is gone. */
  constructor(
    private readonly begin: Extract<ToEnvironmentThread, { kind: "begin" }>,
    private readonly onFailure: (thread: EnvironmentThread) => void,
  ) {
    this.#start();
  }

  /** Rejects if it can't begin. */
  async ready(): Promise<void> {
    await this.#ready;
  }

  tell(message: ToEnvironmentThread): void {
    this.#worker.postMessage(message);
  }

  /** Throws EnvironmentFault, or an Error if the program has failed. */
  async ask(environment: string, question: Question): Promise<string> {
    if (this.#fault !== null) throw this.#fault;
    const id = this.#questions += 1;
    const { promise, resolve, reject } = Promise.withResolvers<string>();
    this.#asked.set(id, { resolve, reject });
    this.tell({ kind: "ask", id, environment, question });
    return await promise;
  }

  /** Every question that waits fails. */
  stop(): void {
    this.#worker.terminate();
    this.#fail(new Error("the server is shutting down"));
  }

  #start(): void {
    const worker = this.#worker = new Worker(threadUrl("arena/openenv/environment-thread.ts"));
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.#ready = promise;
    // Nobody waits for one that takes the place of another: whoever asks it is told the fault.
    promise.catch(() => {});
    let hasBegun = false;
    worker.onmessage = ({ data }: MessageEvent<FromEnvironmentThread>) => {
      if (data.kind !== "ready") return this.#answered(data);
      hasBegun = true;
      resolve();
    };
    worker.onerror = ({ message }) => {
      const error = new Error(message);
      worker.terminate();
      this.#fail(error);
      reject(error);
      this.onFailure(this);
      // One that can't begin would fail again and again.
      if (hasBegun) this.#start();
      else this.#fault = error;
    };
    this.tell(this.begin);
  }

  #fail(error: Error): void {
    for (const { reject } of this.#asked.values()) reject(error);
    this.#asked.clear();
  }

  #answered(message: Exclude<FromEnvironmentThread, { kind: "ready" }>): void {
    const asked = this.#asked.get(message.id);
    this.#asked.delete(message.id);
    if (message.kind === "answer") asked?.resolve(message.text);
    else asked?.reject(message.isFault ? new EnvironmentFault(message.message) : new Error(message.message));
  }
}
