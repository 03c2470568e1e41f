// Limits that a persona never exceeds, even if its strategy asks for more.

export interface PersonaLimits {
  /** Orders that are open or not yet answered, in all contracts together. */
  readonly workingOrders: number;
  /** Lots of one order. */
  readonly orderLots: number;
  /** MW long or short in one contract, as if all open orders on a side were filled. */
  readonly contractPositionMw: number;
  /** MW in all contracts, the sum of absolute positions, as if all open orders on a side were filled. */
  readonly totalPositionMw: number;
  /**
   * Largest distance of a price from the persona's own valuation, as a share of the valuation. `collarCents` is the
   * minimum.
   */
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

/** Of the owner of a plant, load or battery: two days of hours, each from all bought to all sold. `size`: MW. */
export function ownerLimits(size: number): PersonaLimits {
  return {
    ...DEFAULT_LIMITS,
    workingOrders: 200,
    orderLots: 1_000_000,
    contractPositionMw: 2 * size,
    totalPositionMw: 200 * size,
  };
}

/** Of a market maker, who quotes every contract. */
export const MAKER_LIMITS: PersonaLimits = {
  ...DEFAULT_LIMITS,
  workingOrders: 1_000,
  contractPositionMw: 400,
  totalPositionMw: 40_000,
};

/** Of arbitrageurs: a package of a base and its hours is 25 positions of one size. Its legs must not be blocked. */
export const ARBITRAGE_LIMITS: PersonaLimits = {
  ...DEFAULT_LIMITS,
  workingOrders: 200,
  contractPositionMw: 100,
  totalPositionMw: 8_000,
};
