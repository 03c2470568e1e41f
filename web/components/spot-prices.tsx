// Spot prices of the nodes over time, with regimes and events.

import type { SpotResult } from "../contract/tool-results.ts";

export function SpotPrices({ spot }: { readonly spot: SpotResult }) {
  return <pre>{JSON.stringify(spot)}</pre>;
}
