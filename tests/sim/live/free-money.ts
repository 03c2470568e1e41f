// Arbitrage between contracts of one delivery: whoever buys a day's base and sells each of its hours holds nothing
// afterwards, so the difference is free money, for one lot at the best quotes. There are no fees.

import { type TradedContract, tradedContract } from "../../../sim/personas/traded-contract.ts";
import { contractsAt } from "../../../engine/definition/listed-contracts.ts";
import type { MarketDefinition } from "../../../engine/definition/market-definition.ts";

export interface Quotes {
  readonly bestBid: number | null;
  readonly bestAsk: number | null;
}

interface Package {
  readonly whole: TradedContract;
  readonly kind: string;
  readonly parts: readonly TradedContract[];
}

/** Every contract that others listed at the same node make up: by one product, or a day's base by its peak and other hours. */
export function packagesAt(definition: MarketDefinition, now: number): Package[] {
  const contracts = contractsAt(definition, now).flatMap((listed, index) => {
    const product = definition.products.find(({ id }) => id === listed.productId);
    return product === undefined ? [] : [tradedContract(index, listed, product)];
  }).filter(({ deliveryStart }) => deliveryStart > now);
  return contracts.flatMap((whole) => {
    const inside = contracts.filter((other) => other !== whole && isWithin(other, whole));
    const hours = inside.filter(({ type }) => type === "hour");
    const groups = [...Map.groupBy(inside, ({ productId }) => productId).values()];
    const mixed = inside.filter(({ type }) => type === "peak").map((
      peak,
    ) => [peak, ...hours.filter((hour) => !isWithin(hour, peak))]);
    return [...groups, ...mixed].filter((parts) =>
      parts.reduce((sum, { minutes }) => sum + minutes, 0) === whole.minutes
    ).map((parts) => ({
      whole,
      parts,
      kind: `${whole.type} of ${[...new Set(parts.map(({ type }) => type))].join(" and ")}`,
    }));
  });
}

/** Cents/MWh gained by the better of the two ways; below 0: it costs. NaN if a quote is missing for both. */
export function gainOf({ whole, parts }: Package, quotesOf: (contract: TradedContract) => Quotes): number {
  const sum = (side: keyof Quotes) =>
    parts.reduce((total, part) => total + part.minutes * (quotesOf(part)[side] ?? NaN), 0) / whole.minutes;
  const gains = [sum("bestBid") - (quotesOf(whole).bestAsk ?? NaN), (quotesOf(whole).bestBid ?? NaN) - sum("bestAsk")];
  const known = gains.filter((gain) => !Number.isNaN(gain));
  return known.length === 0 ? NaN : Math.max(...known);
}

function isWithin(part: TradedContract, whole: TradedContract): boolean {
  return part.node === whole.node && part.marketId === whole.marketId && part.deliveryStart >= whole.deliveryStart &&
    part.deliveryEnd <= whole.deliveryEnd && (whole.shape === "base" || part.type === "hour" || part.shape === "peak");
}
