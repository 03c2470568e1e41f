// The arithmetic of units.ts and exact-integer.ts in bigint alone: slow and obviously right. It is the reference of the tests.

/** kW x min. */
export function energyOf(kilowatts: number, minutes: number): bigint {
  return BigInt(kilowatts) * BigInt(minutes);
}

/** |price| x energy, in cents/MWh x kW x min. */
export function notionalOf(price: number, energy: bigint): bigint {
  return BigInt(Math.abs(price)) * energy;
}

/** numerator / denominator (above 0), rounded to the nearest integer, half away from zero. */
export function roundedDivision(numerator: bigint, denominator: bigint): bigint {
  const magnitude = numerator < 0n ? -numerator : numerator;
  const rounded = (2n * magnitude + denominator) / (2n * denominator);
  return numerator < 0n ? -rounded : rounded;
}

/** numerator / denominator (above 0) to `decimals` places, half away from zero, as the nearest number. */
export function roundedNumber(numerator: bigint, denominator: bigint, decimals: number): number {
  const rounded = roundedDivision(numerator * 10n ** BigInt(decimals), denominator);
  const digits = (rounded < 0n ? -rounded : rounded).toString().padStart(decimals + 1, "0");
  const point = digits.length - decimals;
  const sign = rounded < 0n ? "-" : "";
  return Number(`${sign}${digits.slice(0, point)}.${digits.slice(point)}`);
}
