// Rounded decimals, for display: sums of decimals are inexact.

export function hundredths(value: number): number {
  return Math.round(value * 100) / 100;
}

export function thousandths(value: number): number {
  return Math.round(value * 1_000) / 1_000;
}
