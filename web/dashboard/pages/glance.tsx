// The market at a glance: the market events that act, a map of nodes by hours, and the curve from hours to years.

import { signal } from "@preact/signals";
import { useEffect, useMemo } from "preact/hooks";
import { Choice } from "../../components/choice.tsx";
import { EmptyState, Skeleton } from "../../components/notices.tsx";
import { SpotEvents } from "../../components/spot-events.tsx";
import { contractIds, nameOf } from "../live/listed-contracts.ts";
import { timezone, timezoneOf, timezones } from "../live/market-clock.ts";
import { market } from "../live/market-store.ts";
import { useContractsNow } from "../live/contracts-now.ts";
import { startSparks } from "../live/sparks.ts";
import { useSpot } from "../live/spot.ts";
import { PageHead } from "./page-head.tsx";
import { address, type PageProps } from "./page.ts";
import { CurvePanel } from "./glance/curve-panel.tsx";
import { curveRows } from "./glance/curve.ts";
import "./glance/glance.css";
import { hourGrid } from "./glance/hour-grid.ts";
import type { Mode } from "./glance/map-values.ts";
import { PriceMap } from "./glance/price-map.tsx";

/** Enough to know the price before an event of the last day. */
const HOURS = 24;
const MODES = [["price", "Price"], ["change", "Change"]] as const;

/** Stays while other pages are shown. */
const mode = signal<Mode>("price");

const contractAddress = (contractId: string) => address("contract", contractId);

export default function Glance(_: PageProps) {
  useEffect(startSparks, []);
  return (
    <div class="page glance">
      <PageHead title="The market at a glance">
        <Choice
          label="Colours show"
          options={MODES}
          value={mode.value}
          onChange={(chosen) => void (mode.value = chosen)}
        />
      </PageHead>
      <Content />
    </div>
  );
}

function Content() {
  const { spot, error } = useSpot(HOURS);
  const contracts = useContractsNow();
  const days = useMemo(() => hourGrid([...contracts.values()], timezoneOf), [contractIds.value, timezones.value]);
  const rows = useMemo(() => curveRows([...contracts.values()].map((row) => ({ row, name: nameOf(row) }))), [
    contracts,
  ]);
  if (!market.isKnown.value) return <Skeleton label="The contracts are on their way" lines={12} />;
  return (
    <>
      {spot !== null && <SpotEvents spot={spot} timezone={timezone.value} />}
      {error !== null && (
        <p class="glance-note">
          Market events and spot prices are unknown: <bdi>{error.message}</bdi>
        </p>
      )}
      {contracts.size === 0
        ? (
          <EmptyState title="No contracts are listed">
            They appear once the market is connected and lists some.
          </EmptyState>
        )
        : (
          <>
            <PriceMap
              days={days}
              contracts={contracts}
              events={spot?.events ?? []}
              mode={mode.value}
              addressOf={contractAddress}
            />
            <CurvePanel rows={rows} addressOf={contractAddress} />
          </>
        )}
    </>
  );
}
