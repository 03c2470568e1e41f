// In lockstep those who are due act one after the other: each sees what all before have caused, and meets their orders. So the
// order of trades does not depend on which connection is faster.

interface Reader {
  /** Resolves once everything is read that the engine had published by now. */
  caughtUp(): Promise<void>;
}

interface Actor extends Reader {
  /** Resolves once each action has its response, or will have none. */
  answered(): Promise<void>;
}

export class LockstepTurns {
  /** Changes of the market that every persona has read. */
  #read = -1;

  /** `feed`: the market as all personas see it. `others`: who publishes, then who watches the market for all. */
  constructor(
    private readonly feed: { readonly changes: number },
    private readonly personas: readonly Actor[],
    private readonly others: readonly Reader[],
  ) {}

  /** Resolves once all actions are answered, and everybody has read what they have caused. */
  async next(): Promise<void> {
    let changes;
    do {
      ({ changes } = this.feed);
      await Promise.all(this.personas.map((persona) => persona.answered()));
      for (const reader of this.others) await reader.caughtUp();
    } while (this.feed.changes !== changes);
    if (changes === this.#read) return;
    await Promise.all(this.personas.map((persona) => persona.caughtUp()));
    this.#read = changes;
  }
}
