// The environments of an OpenEnv server, spread over threads. Each is for one connection, one session or one episode.

import { availableParallelism } from "node:os";
import type { Scenario } from "../scenario/scenario.ts";
import { EnvironmentFault } from "./environment.ts";
import type { RewardKind } from "./rewards.ts";
import { EnvironmentThread } from "./thread.ts";
import type { Question } from "./thread-messages.ts";

interface EnvironmentsOptions {
  readonly scenarios: readonly Scenario[];
  readonly rewards: RewardKind;
  /** Of mkt. */
  readonly version: string;
  /** The most that may be open at a time. */
  readonly most: number;
  /** Over how many threads they are spread; default: one for each processor. */
  readonly threads?: number | undefined;
}

/** No more environments may be opened. */
export class NoCapacity extends Error {
  constructor(readonly active: number, readonly most: number) {
    super(`all ${most} sessions are in use: close one, or start the server with a greater --max-sessions`);
  }
}

/** Of a session whose thread has failed. */
const LOST = "The episode was lost, because the program failed: begin another one by reset, or in a new session.";

export class Environments {
  readonly #threads: EnvironmentThread[];
  readonly #open = new Map<string, EnvironmentThread>();
  /** Those that their thread no longer knows. */
  readonly #lost = new Set<string>();
  #hasStopped = false;

  constructor(private readonly options: EnvironmentsOptions) {
    const { scenarios, rewards, version, most, threads = availableParallelism() } = options;
    const begin = { kind: "begin", scenarios, rewards, version } as const;
    this.#threads = Array.from(
      { length: Math.min(threads, most) },
      () => new EnvironmentThread(begin, (thread) => this.#failed(thread)),
    );
  }

  /** Rejects if a thread can't begin. */
  async ready(): Promise<void> {
    await Promise.all(this.#threads.map((thread) => thread.ready()));
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
    this.#lost.delete(name);
    thread.environments -= 1;
    thread.tell({ kind: "close", environment: name });
  }

  /** The answer, a JSON text. The environment must be open. Throws EnvironmentFault, or an Error if the program has failed. */
  async ask(name: string, question: Question): Promise<string> {
    const thread = this.#open.get(name);
    if (thread === undefined) throw new EnvironmentFault("The session was closed.");
    if (question.kind === "reset") this.#lost.delete(name);
    if (this.#lost.has(name)) throw new EnvironmentFault(LOST);
    return await thread.ask(name, question);
  }

  get hasStopped(): boolean {
    return this.#hasStopped;
  }

  /** Every question that waits fails. */
  stop(): void {
    this.#hasStopped = true;
    for (const thread of this.#threads) thread.stop();
  }

  #failed(thread: EnvironmentThread): void {
    for (const [name, its] of this.#open) {
      if (its === thread) this.#lost.add(name);
    }
  }
}
