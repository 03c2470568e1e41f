// The ids of orders, trades and fills, which are made of their numbers.

const ORDER_PREFIX = "ORD-";
const ZERO = 48;
/** Ids have no more digits, so their numbers are exact. */
const MOST_DIGITS = 15;

export function orderIdOf(key: number): string {
  return `${ORDER_PREFIX}${key}`;
}

export function tradeIdOf(key: number): string {
  return `TRD-${key}`;
}

export function fillIdOf(key: number): string {
  return `FIL-${key}`;
}

/** The number in an order's id; Infinity if an order can't have this id. */
export function orderKeyOf(id: string): number {
  const { length } = id;
  if (length > ORDER_PREFIX.length + MOST_DIGITS || !id.startsWith(ORDER_PREFIX)) return Infinity;
  let key = 0;
  for (let at = ORDER_PREFIX.length; at < length; at++) {
    const digit = id.charCodeAt(at) - ZERO;
    if (!(digit >= 0 && digit <= 9)) return Infinity;
    key = key * 10 + digit;
    // Ids have no leading zeros.
    if (key === 0) return Infinity;
  }
  return key === 0 ? Infinity : key;
}
