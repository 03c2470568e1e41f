// Measures of market experiments: distance of prices from the equilibrium, and realised share of the possible surplus.

/**
 * Smith's alpha: root mean square distance of trade prices from the equilibrium price, in percent of the equilibrium
 * price (Smith, "An experimental study of competitive market behavior", Journal of Political Economy 70, 1962). Null
 * without trades.
 */
export function smithsAlpha(prices: readonly number[], equilibriumPrice: number): number | null {
  if (prices.length === 0) return null;
  const squares = prices.reduce((sum, price) => sum + (price - equilibriumPrice) ** 2, 0);
  return 100 * Math.sqrt(squares / prices.length) / Math.abs(equilibriumPrice);
}

/** Greatest possible sum of buyers' less sellers' limits over pairs of one unit each. */
export function greatestSurplus(buyerLimits: readonly number[], sellerLimits: readonly number[]): number {
  const sellers = sellerLimits.toSorted((a, b) => a - b);
  return buyerLimits.toSorted((a, b) => b - a).reduce(
    (sum, limit, at) => sum + Math.max(0, limit - (sellers[at] ?? Infinity)),
    0,
  );
}

/** Realised surplus in percent of the greatest possible; null if none is possible. */
export function allocativeEfficiency(realisedSurplus: number, greatest: number): number | null {
  return greatest > 0 ? 100 * realisedSurplus / greatest : null;
}
