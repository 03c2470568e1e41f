// Spot prices of the nodes over time, with regimes and market events shaded, and the price now.

import { useMemo } from "preact/hooks";
import type { SpotEvent, SpotNode, SpotResult } from "../contract/tool-results.ts";
import { Badge } from "./badge.tsx";
import { Chart, type ChartSeries } from "./chart.tsx";
import { percent, price, quantity } from "./format.ts";
import { MarketTime } from "./market-time.tsx";
import { EmptyState } from "./notices.tsx";
import { eventName, linePoints, spotBands, spreadPoints } from "./spot-bands.ts";
import "./spot-prices.css";
import { Stat, Stats } from "./stat.tsx";
import { TableBox } from "./table-box.tsx";

interface SpotPricesProps {
  readonly spot: SpotResult;
  /** `UTC` if absent. */
  readonly timezone?: string;
  /** CSS pixels. */
  readonly height?: number;
}

export function SpotPrices({ spot, timezone = "UTC", height = 380 }: SpotPricesProps) {
  const { nodes, events } = spot;
  const hasPrices = nodes.some(({ history }) => history.length > 0);
  return (
    <div class="spot">
      <SpotFigures spot={spot} timezone={timezone} />
      {hasPrices
        ? <SpotChart nodes={nodes} events={events} timezone={timezone} height={height} />
        : (
          <EmptyState title="No history yet">
            {spot.status === "running"
              ? "Prices are kept by the hour of market time."
              : "Spot prices begin with the first run of the simulation."}
          </EmptyState>
        )}
      {events.length > 0 && <Events events={events} timezone={timezone} />}
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

type SpotChartProps = Required<Omit<SpotPricesProps, "spot">> & Pick<SpotResult, "nodes" | "events">;

function SpotChart({ nodes, events, timezone, height }: SpotChartProps) {
  const series = useMemo(() => seriesOf(nodes), [nodes]);
  const bands = useMemo(() => spotBands({ nodes, events }), [nodes, events]);
  return (
    <>
      <ul class="spot-legend">
        {nodes.map(({ node }, index) => (
          <li key={node}>
            <span class={`spot-key spot-node-${index}`} aria-hidden="true" />
            <span class="name">{node}</span>
          </li>
        ))}
        <li>
          <span class="spot-key spot-spread" aria-hidden="true" />difference
        </li>
        <li>
          <span class="spot-key spot-spike" aria-hidden="true" />spike
        </li>
        <li>
          <span class="spot-key spot-drop" aria-hidden="true" />drop
        </li>
        <li>
          <span class="spot-key spot-event" aria-hidden="true" />market event
        </li>
      </ul>
      <Chart
        label="Spot prices"
        summary={summaryOf(nodes)}
        timezone={timezone}
        series={series}
        bands={bands}
        viewKey={String(nodes[0]?.history.length)}
        height={height}
      />
    </>
  );
}

function seriesOf(nodes: readonly SpotNode[]): ChartSeries[] {
  const lines = nodes.map((node, index): ChartSeries => ({
    id: node.node,
    name: `${node.node}, $/MWh`,
    kind: "line",
    unit: "price",
    colour: index === 0 ? "buy" : "sell",
    dashed: index > 0,
    steps: true,
    points: linePoints(node),
  }));
  const [first, second] = nodes;
  if (nodes.length !== 2 || first === undefined || second === undefined) return lines;
  const name = `${first.node} less ${second.node}, $/MWh`;
  return [
    ...lines,
    { id: "spread", name, kind: "bars", unit: "price", colour: "muted", pane: 1, points: spreadPoints(nodes) },
  ];
}

function summaryOf(nodes: readonly SpotNode[]): string {
  return nodes.map((node) =>
    `${node.node} is ${price(node.price)} dollars, from ${rangeOf(node)} in this time, regime ${node.regime}.`
  )
    .join(" ");
}

function Events({ events, timezone }: { readonly events: readonly SpotEvent[]; readonly timezone: string }) {
  return (
    <TableBox label="Market events that act now">
      <table class="data-table">
        <thead>
          <tr>
            <th scope="col">Market event</th>
            <th scope="col">Node</th>
            <th scope="col" class="number">Size</th>
            <th scope="col" class="number">Left of its effect</th>
            <th scope="col">Began</th>
            <th scope="col">Ends</th>
          </tr>
        </thead>
        <tbody>
          {events.map(({ id, type, node, size, remaining, startedAt, endsAt }) => (
            <tr key={id}>
              <th scope="row" class="name">{eventName(type)}</th>
              <td class="name">{node ?? "both"}</td>
              <td class="number">{quantity(size)}</td>
              <td class="number">{percent(remaining, 0)}</td>
              <td>
                <MarketTime value={startedAt} timezone={timezone} parts="dateTime" />
              </td>
              <td>
                <MarketTime value={endsAt} timezone={timezone} parts="dateTime" />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </TableBox>
  );
}
