// Spot prices of the nodes: now, over time with what was special, and the market events that act.

import { useMemo, useState } from "preact/hooks";
import type { SpotNode, SpotResult } from "../contract/tool-results.ts";
import { Badge } from "./badge.tsx";
import { price } from "./format.ts";
import { MarketTime } from "./market-time.tsx";
import { EmptyState } from "./notices.tsx";
import { SpotEvents } from "./spot-events.tsx";
import { SpotPicture } from "./spot-picture.tsx";
import "./spot-prices.css";
import { SpotTable } from "./spot-table.tsx";
import { type Outlook, timelineOf } from "./spot-timeline.ts";
import { Stat, Stats } from "./stat.tsx";

interface SpotPricesProps {
  readonly spot: SpotResult;
  /** `UTC` if absent. */
  readonly timezone?: string;
  /** Of the picture, CSS pixels. */
  readonly height?: number;
  /** What the market pays for hours to come; none if absent. */
  readonly outlook?: Outlook;
}

const NO_OUTLOOK: Outlook = new Map();

export function SpotPrices({ spot, timezone = "UTC", height = 320, outlook = NO_OUTLOOK }: SpotPricesProps) {
  return (
    <div class="spot">
      <SpotEvents spot={spot} timezone={timezone} />
      <SpotFigures spot={spot} timezone={timezone} />
      <SpotHistory spot={spot} timezone={timezone} height={height} outlook={outlook} />
    </div>
  );
}

const REGIMES: Readonly<Record<string, readonly ["danger" | "good" | "neutral", "up" | "down" | "check"]>> = {
  spike: ["danger", "up"],
  drop: ["good", "down"],
  base: ["neutral", "check"],
};

function Regime({ regime }: { readonly regime: string }) {
  const [tone, icon] = REGIMES[regime] ?? ["neutral", undefined];
  return <Badge tone={tone} icon={icon}>{regime}</Badge>;
}

function SpotFigures({ spot, timezone }: Required<Pick<SpotPricesProps, "spot" | "timezone">>) {
  const { nodes, congested, status } = spot;
  const [first, second] = nodes;
  return (
    <Stats>
      {nodes.map((node) => (
        <Stat key={node.node} label={`${node.node}, $/MWh`} note={rangeOf(node)}>
          {price(node.price)} <Regime regime={node.regime} />
        </Stat>
      ))}
      {first !== undefined && second !== undefined && nodes.length === 2 && (
        <Stat
          label={`${first.node} less ${second.node}, $/MWh`}
          note={congested ? "the line between them is full" : "the line between them has room"}
        >
          {price(first.price - second.price)}{" "}
          {congested ? <Badge tone="warning" icon="alert">congested</Badge> : <Badge icon="check">not congested</Badge>}
        </Stat>
      )}
      <Stat label="As of" note={status === "running" ? undefined : `prices stand still: the simulation is ${status}`}>
        <MarketTime value={first?.time} timezone={timezone} parts="dateTime" />
      </Stat>
    </Stats>
  );
}

function rangeOf({ history, price: now }: SpotNode): string {
  const prices = [now, ...history.map((point) => point.price)];
  return `${price(Math.min(...prices))} to ${price(Math.max(...prices))}`;
}

function SpotHistory({ spot, timezone, height, outlook }: Required<SpotPricesProps>) {
  const timeline = useMemo(() => timelineOf(spot, outlook), [spot, outlook]);
  const [hasTable, setHasTable] = useState(false);
  if (timeline === null) {
    return (
      <EmptyState title="No history yet">
        {spot.status === "running"
          ? "Prices are kept by the hour of market time."
          : "Spot prices begin with the first run of the simulation."}
      </EmptyState>
    );
  }
  return (
    <figure class="spot-history" aria-label="Spot prices">
      <SpotPicture timeline={timeline} timezone={timezone} summary={summaryOf(spot.nodes)} height={height} />
      <details class="spot-hours" onToggle={(event) => setHasTable(event.currentTarget.open)}>
        <summary>Show as table</summary>
        {hasTable && <SpotTable timeline={timeline} timezone={timezone} />}
      </details>
    </figure>
  );
}

function summaryOf(nodes: readonly SpotNode[]): string {
  return nodes.map((node) =>
    `${node.node} is ${price(node.price)} dollars, from ${rangeOf(node)} in this time, regime ${node.regime}.`
  )
    .join(" ");
}
