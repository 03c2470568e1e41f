// The sum of prices over the hours of a delivery.

/** A sum of prices over hours; with `isPeak`, over peak hours only. */
export class DeliveryTotal {
  sum = 0;
  hours = 0;

  constructor(readonly isPeak: boolean) {}

  add(price: number, hours: number, isPeak: boolean): void {
    if (isPeak || !this.isPeak) this.addSum(price * hours, hours);
  }

  addSum(sum: number, hours: number): void {
    this.sum += sum;
    this.hours += hours;
  }
}
