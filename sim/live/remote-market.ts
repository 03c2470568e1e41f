// The facts of the market of an engine elsewhere, read from its snapshot.

import { factsOf, type MarketFacts } from "./market-facts.ts";
import { readSnapshot } from "./market-snapshot.ts";
import type { EngineAccess } from "./user-client.ts";

const READ_PATIENCE_MS = 5_000;

export class RemoteMarket {
  #facts: MarketFacts | null = null;
  #reading: Promise<MarketFacts> | null = null;

  /** `userId`: the user who reads the snapshot. */
  constructor(private readonly engine: EngineAccess, private readonly userId: string) {}

  /** Reads the facts as they are now. Throws an Error of one line if that fails. */
  async read(): Promise<MarketFacts> {
    this.#facts = factsOf(await readSnapshot(this.engine, this.userId, READ_PATIENCE_MS));
    return this.#facts;
  }

  /** Reads the facts unless they have been read. Concurrent calls share one attempt. Throws what `read` throws. */
  async ensureRead(): Promise<void> {
    if (this.#facts !== null) return;
    await (this.#reading ??= this.read().finally(() => this.#reading = null));
  }

  /** Undefined if the user or the facts are unknown. */
  user(userId: string) {
    const user = this.#facts?.users.find(({ id }) => id === userId);
    return user === undefined ? undefined : { ...user, permissions: new Set(user.permissions) };
  }
}
