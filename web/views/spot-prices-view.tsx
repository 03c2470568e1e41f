// The view of mkt_sim_get_spot_prices: the prices of the nodes, for a day or a week.

import { Choice } from "../components/choice.tsx";
import { SpotPrices } from "../components/spot-prices.tsx";
import type { SpotResult } from "../contract/tool-results.ts";
import type { View, ViewProps } from "./view.ts";

const DEFAULT_HOURS = 24;
const HOURS = [["24", "24 hours"], ["168", "7 days"]] as const;

export const spotPricesView: View = {
  title: "Spot prices",
  tool: "mkt_sim_get_spot_prices",
  values: ({ hours = DEFAULT_HOURS, node }) => ({ hours, ...(node !== undefined && { node }) }),
  suits: () => true,
  Content: SpotPricesContent,
};

function SpotPricesContent({ result, values, follow, timezone }: ViewProps) {
  return (
    <>
      {follow !== null && (
        <Choice
          label="History"
          options={HOURS}
          value={String(values["hours"]) as (typeof HOURS)[number][0]}
          onChange={(hours) => follow({ ...values, hours: Number(hours) })}
        />
      )}
      <SpotPrices spot={result as unknown as SpotResult} timezone={timezone} height={300} />
    </>
  );
}
