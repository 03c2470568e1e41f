// The sum of prices over the hours of a delivery.

import type { DeliveryShape } from "./spot-prices.ts";

/** A sum of prices over all hours, or over peak hours only. */
export class DeliveryTotal {
  readonly isPeak: boolean;
  sum = 0;
  hours = 0;

  constructor(shape: DeliveryShape) {
    this.isPeak = shape === "peak";
  }

  add(price: number, hours: number, isPeak: boolean): void {
    if (isPeak || !this.isPeak) this.addSum(price * hours, hours);
  }

  addSum(sum: number, hours: number): void {
    this.sum += sum;
    this.hours += hours;
  }
}
