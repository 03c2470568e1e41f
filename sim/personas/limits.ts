// What a persona never goes beyond, whatever its strategy asks for.

export interface PersonaLimits {
  /** Orders that work, or were sent and are not yet answered for; all contracts together. */
  readonly workingOrders: number;
  /** Lots of one order. */
  readonly orderLots: number;
  /** MW long or short in one contract, counting all that works on that side as filled. */
  readonly contractPositionMw: number;
  /** MW in all contracts, long and short ones added up, counting all that works as filled. */
  readonly totalPositionMw: number;
  /** How far a price may lie from the persona's own valuation, as a share of it; at least `collarCents` either way. */
  readonly collarShare: number;
  /** cents/MWh. */
  readonly collarCents: number;
}

export const DEFAULT_LIMITS: PersonaLimits = {
  workingOrders: 60,
  orderLots: 50,
  contractPositionMw: 200,
  totalPositionMw: 1_000,
  collarShare: 0.5,
  collarCents: 2_000,
};
