// The rewards of an episode. Their sum is its score, so a trainer that adds them up trains for what the report shows.
//
// Until the end a reward is the change of the result at public forecasts, in units of the scenario's floor (in an operating
// scenario: the change of the score). The last one adds what is missing to the score: settlement, and the marks of the seed,
// which know the future.

export const REWARD_KINDS = ["steps", "final"] as const;
/** steps: as above; final: 0 until the end, and then the score. */
export type RewardKind = (typeof REWARD_KINDS)[number];

/** Rewards are rounded, so that they add up. */
const UNIT = 1e-6;

export class Rewards {
  readonly #before: number;
  /** In units. */
  #given = 0;

  /** `worth`: what the agent has earned at the beginning. */
  constructor(private readonly kind: RewardKind, worth: number) {
    this.#before = worth;
  }

  /** For what the agent has earned until now. */
  next(worth: number): number {
    return this.kind === "final" ? 0 : this.#giveUpTo(worth - this.#before);
  }

  last(score: number): number {
    return this.#giveUpTo(score);
  }

  #giveUpTo(sum: number): number {
    const units = Math.round(sum / UNIT);
    const reward = units - this.#given;
    this.#given = units;
    return Number((reward * UNIT).toFixed(6));
  }
}
