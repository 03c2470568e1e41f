// The environments of an OpenEnv server, spread over threads. Each is for one connection, one session or one episode.

import { availableParallelism } from "node:os";
import { threadUrl } from "../../common/thread-url.ts";
import type { Scenario } from "../scenario/scenario.ts";
import { EnvironmentFault } from "./environment.ts";
import type { RewardKind } from "./rewards.ts";
import type { FromEnvironmentThread, Question, ToEnvironmentThread } from "./thread-messages.ts";

interface EnvironmentsOptions {
  readonly scenarios: readonly Scenario[];
  readonly rewards: RewardKind;
  /** Of mkt. */
  readonly version: string;
  /** The most that may be open at a time. */
  readonly most: number;
}

/** No more environments may be opened. */
export class NoCapacity extends Error {
  constructor(readonly active: number, readonly most: number) {
    super(`all ${most} sessions are in use: close one, or start the server with a greater --max-sessions`);
  }
}

interface Thread {
  readonly worker: Worker;
  environments: number;
}

type Asked = Pick<PromiseWithResolvers<string>, "resolve" | "reject">;

export class Environments {
  readonly #threads: Thread[];
  readonly #ready: Promise<unknown>;
  readonly #open = new Map<string, Thread>();
  readonly #asked = new Map<number, Asked>();
  #questions = 0;
  #hasStopped = false;

  constructor(private readonly options: EnvironmentsOptions) {
    const { scenarios, rewards, version, most } = options;
    const begun: Promise<void>[] = [];
    this.#threads = Array.from({ length: Math.min(availableParallelism(), most) }, () => {
      const worker = new Worker(threadUrl("arena/openenv/environment-thread.ts"));
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      begun.push(promise);
      worker.onmessage = ({ data }: MessageEvent<FromEnvironmentThread>) => {
        if (data.kind === "ready") resolve();
        else this.#answered(data);
      };
      worker.onerror = ({ message }) => {
        const error = new Error(message);
        reject(error);
        for (const asked of this.#asked.values()) asked.reject(error);
      };
      tell(worker, { kind: "begin", scenarios, rewards, version });
      return { worker, environments: 0 };
    });
    this.#ready = Promise.all(begun);
  }

  /** Rejects if a thread can't begin. */
  async ready(): Promise<void> {
    await this.#ready;
  }

  get hasRoom(): boolean {
    return this.#open.size < this.options.most;
  }

  /** Throws NoCapacity. */
  open(name: string): void {
    if (this.#open.has(name)) return;
    if (!this.hasRoom) throw new NoCapacity(this.#open.size, this.options.most);
    const thread = this.#threads.reduce((one, other) => other.environments < one.environments ? other : one);
    thread.environments += 1;
    this.#open.set(name, thread);
  }

  close(name: string): void {
    const thread = this.#open.get(name);
    if (thread === undefined) return;
    this.#open.delete(name);
    thread.environments -= 1;
    tell(thread.worker, { kind: "close", environment: name });
  }

  /** The answer, a JSON text. The environment must be open. Throws EnvironmentFault, or an Error if the program has failed. */
  async ask(name: string, question: Question): Promise<string> {
    const thread = this.#open.get(name);
    if (thread === undefined) throw new EnvironmentFault("The session was closed.");
    const id = this.#questions += 1;
    const { promise, resolve, reject } = Promise.withResolvers<string>();
    this.#asked.set(id, { resolve, reject });
    tell(thread.worker, { kind: "ask", id, environment: name, question });
    return await promise;
  }

  get hasStopped(): boolean {
    return this.#hasStopped;
  }

  /** Every question that waits fails. */
  stop(): void {
    this.#hasStopped = true;
    for (const { worker } of this.#threads) worker.terminate();
    for (const { reject } of this.#asked.values()) reject(new Error("the server is shutting down"));
    this.#asked.clear();
  }

  #answered(message: Exclude<FromEnvironmentThread, { kind: "ready" }>): void {
    const asked = this.#asked.get(message.id);
    this.#asked.delete(message.id);
    if (message.kind === "answer") asked?.resolve(message.text);
    else asked?.reject(message.isFault ? new EnvironmentFault(message.message) : new Error(message.message));
  }
}

function tell(worker: Worker, message: ToEnvironmentThread): void {
  worker.postMessage(message);
}
