// Parameters of the strategies with a physical side. Some describe the unit or the load, the others how it is traded.

import { z } from "zod";
import { interval, number, wholeNumber } from "./parameters.ts";

/** By default a gas unit between a new combined cycle and an old turbine, at $3 for an MMBtu. */
export const generatorParameters = z.strictObject({
  capacityMw: number(0, 100_000, 200, "capacity of the unit, MW; shared among the products of its node"),
  heatRate: interval(1, 50, [6.5, 11], "heat rate, MMBtu/MWh"),
  fuelPrice: number(0, 100_000, 300, "normal price of fuel, cents/MMBtu"),
  variableCost: number(0, 100_000, 300, "operation and maintenance, cents/MWh"),
  horizonHours: number(0.01, 8760, 24, "hours before delivery over which the premium shrinks to 0"),
  buyBackPremium: number(0, 1000, 2, "premium paid for capacity that an outage takes away, half spreads"),
});

export const retailerParameters = z.strictObject({
  loadMw: interval(0, 100_000, [100, 300], "mean load of its customers, MW; shared among the products of its node"),
  tariff: wholeNumber(-100_000, 1_000_000, 4_000, "what its customers pay, cents/MWh"),
  forecastError: number(0, 1, 0.1, "standard deviation of the first load forecast, as a share of the load"),
  firstShare: number(0, 1, 0.25, "share of the load that is bought at once"),
  firstPremium: number(-1000, 1000, -1, "premium over the expected value at first, half spreads"),
  lastPremium: number(-1000, 1000, 4, "premium over the expected value at delivery, half spreads"),
});
