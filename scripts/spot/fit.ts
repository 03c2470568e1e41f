// The whole fit: the model's parameters from a price history. docs/spot-model.md describes how each is estimated.

import { DROP, SPIKE } from "../../sim/spot/regimes.ts";
import { fitBaseAndDay } from "./base-and-day.ts";
import { fitCongestion } from "./congestion.ts";
import { fitExtremeRegime } from "./extreme-regimes.ts";
import { fitNormalPrices } from "./normal-price.ts";
import type { PriceHistory } from "./price-history.ts";

export function fit(history: PriceHistory) {
  const { level, shape, normal, ratio } = fitNormalPrices(history);
  return {
    level,
    shape,
    ...fitBaseAndDay(history, ratio),
    spike: fitExtremeRegime(history, ratio, SPIKE),
    drop: fitExtremeRegime(history, ratio, DROP),
    spread: fitCongestion(history, normal),
  };
}
