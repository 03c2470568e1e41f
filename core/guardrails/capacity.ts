// A limit on what all clients together hold, and a lower limit for each client, so that capacity is left for others.

export class Capacity {
  #held = 0;
  readonly #byClient = new Map<string, number>();

  /** `mostForOne` returns the limit of one client; it is called on every take. */
  constructor(private readonly most: number, private readonly mostForOne: () => number) {}

  /** The number of clients that hold something. */
  get holders(): number {
    return this.#byClient.size;
  }

  /** Takes all of `amount`, or nothing. */
  take(client: string, amount: number): "taken" | "full" | "share_used" {
    const held = this.#byClient.get(client) ?? 0;
    if (this.#held + amount > this.most) return "full";
    if (held + amount > this.mostForOne()) return "share_used";
    this.#held += amount;
    this.#byClient.set(client, held + amount);
    return "taken";
  }

  release(client: string, amount: number): void {
    const left = (this.#byClient.get(client) ?? 0) - amount;
    if (left < 0) throw new Error(`${client} releases more than it holds`);
    this.#held -= amount;
    if (left === 0) this.#byClient.delete(client);
    else this.#byClient.set(client, left);
  }
}

/**
 * The limit of one client if there are others: three quarters of `most`, at least 1. Half would leave much unused while
 * only one is busy.
 */
export function shareOf(most: number): number {
  return Math.max(1, Math.floor(most * 3 / 4));
}
