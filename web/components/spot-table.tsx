// The hours of a picture of spot prices as a table, for those who can't see the picture, or want the figures.

import { price } from "./format.ts";
import { hoursOf, type Timeline } from "./spot-timeline.ts";
import { TableBox } from "./table-box.tsx";
import { time, zoneName } from "./time-format.ts";

interface SpotTableProps {
  readonly timeline: Timeline;
  readonly timezone: string;
}

export function SpotTable({ timeline, timezone }: SpotTableProps) {
  return (
    <TableBox label="Spot prices, as a table" maxHeight="260px">
      <table class="data-table">
        <thead>
          <tr>
            <th scope="col">Hour from, {zoneName(timeline.now * 1_000, timezone)}</th>
            {timeline.nodes.map(({ node }) => (
              <th key={node} scope="col" class="number">
                <bdi>{node}</bdi>, $/MWh
              </th>
            ))}
            <th scope="col">Price of</th>
            <th scope="col">What was special</th>
          </tr>
        </thead>
        <tbody>
          {hoursOf(timeline).map(({ from, reading: { prices, isAhead, notes } }) => (
            <tr key={from}>
              <th scope="row">{time(from * 1_000, timezone, "dateTime").slice(0, -3)}</th>
              {prices.map(({ node, price: cents }) => <td key={node} class="number">{price(cents)}</td>)}
              <td>{isAhead ? "the market" : "spot"}</td>
              <td class="name">{notes.join(", ")}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </TableBox>
  );
}
