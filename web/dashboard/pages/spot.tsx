// Spot prices of the nodes: what they were, what the market pays for the hours to come, and what was special.

import { useMemo } from "preact/hooks";
import { Choice } from "../../components/choice.tsx";
import { contractPrice } from "../../components/contract-price.ts";
import { EmptyState, ErrorNote, Skeleton } from "../../components/notices.tsx";
import { Panel } from "../../components/panel.tsx";
import { seconds } from "../../components/spot-news.ts";
import { SpotPrices } from "../../components/spot-prices.tsx";
import type { Outlook, PriceStep } from "../../components/spot-timeline.ts";
import type { ContractRow } from "../../contract/market.ts";
import { useAddressed } from "../address/address-state.ts";
import { timezone } from "../live/market-clock.ts";
import { useContractsNow } from "../live/contracts-now.ts";
import { useSpot } from "../live/spot.ts";
import { PageHead } from "./page-head.tsx";
import { address } from "./page.ts";

const SPANS = [["24", "24 h"], ["168", "7 d"]] as const;

export default function Spot() {
  const [given, setHours] = useAddressed("hours", "24");
  const [hours] = SPANS.find(([known]) => known === given) ?? SPANS[0];
  const { spot, error, reload } = useSpot(Number(hours));
  const contracts = useContractsNow();
  const outlook = useMemo(() => outlookOf([...contracts.values()]), [contracts]);
  return (
    <div class="page">
      <PageHead title="Spot prices">
        <Choice label="Time shown" options={SPANS} value={hours} onChange={setHours} />
      </PageHead>
      {error !== null && <ErrorNote report={error} onRetry={reload} />}
      {spot === null
        ? error === null && <Skeleton label="Asking the simulator" lines={8} />
        : (
          <Panel title="Simulated prices by hour of market time">
            {spot.nodes.length === 0
              ? (
                <EmptyState title="No spot prices">
                  <span>
                    The simulator has no price nodes. <a href={address("simulation")}>Simulation</a>
                  </span>
                </EmptyState>
              )
              : <SpotPrices key={hours} spot={spot} timezone={timezone.value} outlook={outlook} />}
          </Panel>
        )}
    </div>
  );
}

/** What the contracts of hours cost, by node, the earliest first. */
function outlookOf(contracts: readonly ContractRow[]): Outlook {
  const steps = contracts.filter(({ productType }) => productType === "hour").flatMap((row) => {
    const known = contractPrice(row);
    if (known === null) return [];
    const step = { from: seconds(row.deliveryStart), to: seconds(row.deliveryEnd), price: known.cents };
    return [[row.node, step] as const];
  });
  const byNode = Map.groupBy(steps.sort(([, a], [, b]) => a.from - b.from), ([node]) => node);
  return new Map([...byNode].map(([node, ofNode]): [string, PriceStep[]] => [node, ofNode.map(([, step]) => step)]));
}
