// The environments that HTTP requests keep: episodes by the name that a reset gave them, and sessions of agents. One that
// nobody uses is closed after a while; an episode that is over gives way to a new one.

import { randomUUID } from "node:crypto";
import { MINUTE_MS } from "../../protocol/time-units.ts";
import type { Environments } from "./environments.ts";
import type { RpcSessions } from "./rpc.ts";

const MAX_IDLE_MS = 30 * MINUTE_MS;

interface Kept {
  /** Milliseconds, as of performance.now(). */
  lastUsed: number;
  isOver: boolean;
}

export class HttpSessions implements RpcSessions {
  /** By the names of their environments, oldest first. */
  readonly #episodes = new Map<string, Kept>();
  readonly #agents = new Map<string, Kept>();

  constructor(private readonly environments: Environments) {}

  /** The names of the episodes that are open. */
  get episodes(): readonly string[] {
    return [...this.#episodes.keys()];
  }

  /** Begins an episode, or another one of the same name. Throws NoCapacity, and what `reset` throws: then none is left open. */
  async resetEpisode(id: string, reset: (environment: string) => Promise<string>): Promise<string> {
    const isNew = !this.#episodes.has(id);
    if (isNew) this.#openEpisode(id);
    try {
      const answer = await reset(environmentOf(id));
      this.usedEpisode(id, { isOver: false });
      return answer;
    } catch (error) {
      if (isNew) this.#closeEpisode(id);
      throw error;
    }
  }

  #openEpisode(id: string): void {
    this.#makeRoom();
    this.environments.open(environmentOf(id));
    this.#episodes.set(id, { lastUsed: performance.now(), isOver: false });
  }

  usedEpisode(id: string, { isOver }: { readonly isOver: boolean }): void {
    const kept = this.#episodes.get(id);
    if (kept !== undefined) Object.assign(kept, { lastUsed: performance.now(), isOver });
  }

  create(): string {
    this.#makeRoom();
    const id = randomUUID();
    this.environments.open(id);
    this.#agents.set(id, { lastUsed: performance.now(), isOver: false });
    return id;
  }

  has(id: string): boolean {
    return this.#agents.has(id);
  }

  used(id: string): void {
    const kept = this.#agents.get(id);
    if (kept !== undefined) kept.lastUsed = performance.now();
  }

  close(id: string): void {
    this.#agents.delete(id);
    this.environments.close(id);
  }

  /** Closes those that nobody has used for long. */
  closeIdle(now = performance.now()): void {
    for (const [id, { lastUsed }] of this.#agents) {
      if (now - lastUsed > MAX_IDLE_MS) this.close(id);
    }
    for (const [id, { lastUsed }] of this.#episodes) {
      if (now - lastUsed > MAX_IDLE_MS) this.#closeEpisode(id);
    }
  }

  #makeRoom(): void {
    if (this.environments.hasRoom) return;
    const over = [...this.#episodes].find(([, { isOver }]) => isOver);
    if (over !== undefined) this.#closeEpisode(over[0]);
  }

  #closeEpisode(id: string): void {
    this.#episodes.delete(id);
    this.environments.close(environmentOf(id));
  }
}

/** A client chooses the name of an episode, so it must not be that of a session. */
export function environmentOf(episode: string): string {
  return `episode ${episode}`;
}
