// Something of which all clients together may hold so much, and one client only its share, so that others find room.

export class Capacity {
  #held = 0;
  readonly #byClient = new Map<string, number>();

  /** `mostForOne`: the share of a client, looked up at each taking. */
  constructor(private readonly most: number, private readonly mostForOne: () => number) {}

  /** How many clients hold something. */
  get holders(): number {
    return this.#byClient.size;
  }

  /** Takes nothing unless all of it fits. */
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
    if (left < 0) throw new Error(`${client} gives back more than it holds`);
    this.#held -= amount;
    if (left === 0) this.#byClient.delete(client);
    else this.#byClient.set(client, left);
  }
}

/** A client's share of `most` if there are other clients: three quarters, and at least one. */
export function shareOf(most: number): number {
  return Math.max(1, Math.floor(most * 3 / 4));
}
