// The unit of a generator, or the load of a retailer, from the parameters of its strategy.

import type { z } from "zod";
import { KILOWATTS_PER_MEGAWATT } from "../../../engine/market/units.ts";
import type { SeededRandom } from "../../random/seeded-random.ts";
import { drawn } from "../../strategies/parameters.ts";
import { generatorParameters, retailerParameters } from "../../strategies/physical-parameters.ts";
import type { StrategyParameters, StrategyRole } from "../../strategies/registry.ts";
import type { PhysicalAsset } from "./physical-asset.ts";
import type { PhysicalAssets } from "./physical-assets.ts";

/** Null if the role has no physical side. `parameters`: as parsed by its schema; absent: the defaults. */
export function createAsset(
  role: StrategyRole,
  parameters: StrategyParameters | undefined,
  assets: PhysicalAssets,
  random: SeededRandom,
): PhysicalAsset | null {
  if (role === "generator") {
    const { capacityMw, heatRate, fuelPrice, variableCost } = given(parameters, generatorParameters);
    const capacity = Math.round(capacityMw * KILOWATTS_PER_MEGAWATT);
    return assets.addUnit({ capacity, heatRate: drawn(heatRate, random), fuelPrice, variableCost });
  }
  if (role === "retailer") {
    const { loadMw, tariff } = given(parameters, retailerParameters);
    return assets.addLoad({ load: drawn(loadMw, random) * KILOWATTS_PER_MEGAWATT, tariff });
  }
  return null;
}

function given<Schema extends z.ZodObject>(
  parameters: StrategyParameters | undefined,
  schema: Schema,
): z.output<Schema> {
  return (parameters ?? schema.parse({})) as z.output<Schema>;
}
