// A spark line: the last prices of a contract as the path of a small picture.

/** Spark lines keep this many prices. */
export const SPARK_PRICES = 40;

/** SVG path data in a box of `width` x `height`, with `margin` above and below; empty with fewer than two prices. */
export function sparkPath(prices: readonly number[], width: number, height: number, margin = 1.5): string {
  if (prices.length < 2) return "";
  const low = Math.min(...prices);
  const range = Math.max(...prices) - low;
  const step = width / (prices.length - 1);
  const y = (price: number) =>
    range === 0 ? height / 2 : height - margin - (price - low) / range * (height - 2 * margin);
  return prices.map((price, index) => `${index === 0 ? "M" : "L"}${rounded(index * step)} ${rounded(y(price))}`).join(
    "",
  );
}

/** From the first price to the last; null with fewer than two. */
export function changeOf(prices: readonly number[]): number | null {
  return prices.length < 2 ? null : prices.at(-1)! - prices[0]!;
}

/** Up, down or unchanged from the first price to the last; null with fewer than two. */
export function direction(prices: readonly number[]): "up" | "down" | "same" | null {
  const change = changeOf(prices);
  return change === null ? null : change > 0 ? "up" : change < 0 ? "down" : "same";
}

function rounded(value: number): number {
  return Math.round(value * 10) / 10;
}
