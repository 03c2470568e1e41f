// How experiments on markets are judged: how far prices lie from the equilibrium, and how much of the possible gain from
// trade was realised.

/**
 * Smith's alpha: the root mean square distance of trade prices from the equilibrium price, as a percentage of it (Smith,
 * "An experimental study of competitive market behavior", Journal of Political Economy 70, 1962). Null without trades.
 */
export function smithsAlpha(prices: readonly number[], equilibriumPrice: number): number | null {
  if (prices.length === 0) return null;
  const squares = prices.reduce((sum, price) => sum + (price - equilibriumPrice) ** 2, 0);
  return 100 * Math.sqrt(squares / prices.length) / Math.abs(equilibriumPrice);
}

/** The greatest sum of buyers' less sellers' limits that pairs of one unit each can give. */
export function greatestSurplus(buyerLimits: readonly number[], sellerLimits: readonly number[]): number {
  const sellers = sellerLimits.toSorted((a, b) => a - b);
  return buyerLimits.toSorted((a, b) => b - a).reduce(
    (sum, limit, at) => sum + Math.max(0, limit - (sellers[at] ?? Infinity)),
    0,
  );
}

/** Realised surplus as a percentage of the greatest possible; null where none is possible. */
export function allocativeEfficiency(realisedSurplus: number, greatest: number): number | null {
  return greatest > 0 ? 100 * realisedSurplus / greatest : null;
}
