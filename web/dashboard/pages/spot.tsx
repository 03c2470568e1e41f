// Spot prices of both nodes. The history is read now and then; in between, the price now follows the market's events.

import { useEffect, useState } from "preact/hooks";
import { Choice } from "../../components/choice.tsx";
import { EmptyState, ErrorNote, Skeleton } from "../../components/notices.tsx";
import { Panel } from "../../components/panel.tsx";
import { withSpotEvent } from "../../components/spot-bands.ts";
import { SpotPrices } from "../../components/spot-prices.tsx";
import type { SpotResult } from "../../contract/tool-results.ts";
import { timezone } from "../live/market-clock.ts";
import { onEvents } from "../live/market-store.ts";
import { usePolled } from "../live/polled.ts";
import { readTool } from "../live/server.ts";
import { PageHead } from "./page-head.tsx";
import { address } from "./page.ts";

const EVERY_MS = 15_000;
const SPANS = [["24", "24 h"], ["168", "7 d"]] as const;
type Span = (typeof SPANS)[number][0];

export default function Spot() {
  const [hours, setHours] = useState<Span>("24");
  const { spot, error, reload } = useSpot(Number(hours));
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
              : <SpotPrices key={hours} spot={spot} timezone={timezone.value} />}
          </Panel>
        )}
    </div>
  );
}

function useSpot(hours: number) {
  const { value, error, reload } = usePolled(
    (signal) => readTool<SpotResult>("mkt_sim_get_spot_prices", { hours }, signal),
    String(hours),
    EVERY_MS,
  );
  const [live, setLive] = useState<SpotResult | null>(null);
  useEffect(() => setLive(value), [value]);
  useEffect(() =>
    onEvents((events) => {
      const changes = events.filter(({ type }) => type === "change.spot");
      if (changes.length === 0) return;
      setLive((spot) => spot === null ? null : changes.reduce((before, { data }) => withSpotEvent(before, data), spot));
    }), []);
  return { spot: value === null ? null : live ?? value, error, reload };
}
