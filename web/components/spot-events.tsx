// The market events that act now: what happened, where, until when, and what it did to the prices.

import type { SpotEvent, SpotNode, SpotResult } from "../contract/tool-results.ts";
import { percent, price, quantity, signedPrice } from "./format.ts";
import { MarketTime } from "./market-time.tsx";
import "./spot-events.css";
import { eventName, priceBefore } from "./spot-news.ts";
import { TableBox } from "./table-box.tsx";

interface SpotEventsProps {
  readonly spot: Pick<SpotResult, "nodes" | "events">;
  readonly timezone: string;
}

/** Nothing if no event acts. */
export function SpotEvents({ spot: { nodes, events }, timezone }: SpotEventsProps) {
  if (events.length === 0) return null;
  return (
    <div class="spot-events">
      <TableBox label="Market events that act now">
        <table class="data-table">
          <thead>
            <tr>
              <th scope="col">Market event</th>
              {nodes.map(({ node }) => (
                <th
                  key={node}
                  scope="col"
                  title="Mean of the last whole hour before it began, and spot price now, $/MWh"
                >
                  <bdi>{node}</bdi> before, now, $/MWh
                </th>
              ))}
              <th scope="col">Began</th>
              <th scope="col">Expected end</th>
              <th scope="col" class="number">Left of its effect</th>
            </tr>
          </thead>
          <tbody>
            {events.map((event) => <Event key={event.id} event={event} nodes={nodes} timezone={timezone} />)}
          </tbody>
        </table>
      </TableBox>
    </div>
  );
}

interface EventProps {
  readonly event: SpotEvent;
  readonly nodes: readonly SpotNode[];
  readonly timezone: string;
}

function Event({ event, nodes, timezone }: EventProps) {
  const { type, node, size, remaining, startedAt, endsAt } = event;
  return (
    <tr>
      <th scope="row" class="name">
        {eventName(type)} at {node ?? "both nodes"}, size {quantity(size)}
      </th>
      {nodes.map((each) => {
        const before = priceBefore(each, event);
        return (
          <td key={each.node}>
            {before === null ? "unknown" : price(before)} → {price(each.price)}
            {before !== null && ` (${signedPrice(each.price - before)})`}
          </td>
        );
      })}
      <td>
        <MarketTime value={startedAt} timezone={timezone} parts="dateTime" />
      </td>
      <td>
        <MarketTime value={endsAt} timezone={timezone} parts="dateTime" />
      </td>
      <td class="number">{percent(remaining, 0)}</td>
    </tr>
  );
}
