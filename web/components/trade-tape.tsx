// The last trades of a contract, newest first. While the mouse is over them, or after "Pause", they stand still to be read.

import { useRef, useState } from "preact/hooks";
import { BUY } from "../../protocol/sides.ts";
import { Button } from "./button.tsx";
import { alignedQuantity, count, decimalsOf, price } from "./format.ts";
import { Panel } from "./panel.tsx";
import { TableBox } from "./table-box.tsx";
import { time, zoneName } from "./time-format.ts";
import type { Trade } from "../contract/market.ts";
import "./trade-tape.css";

const ROWS = 80;

interface TradeTapeProps {
  /** Newest first. */
  readonly trades: readonly Trade[];
  readonly timezone: string;
  /** In place of the rows, if there are none. */
  readonly empty: string;
  /** They are those of an earlier time, so they need no pause. */
  readonly isPast?: boolean;
}

export function TradeTape({ trades, timezone, empty, isPast = false }: TradeTapeProps) {
  const [isPaused, setPaused] = useState(false);
  const [isHovered, setHovered] = useState(false);
  const held = useRef(trades);
  if (isPast || (!isPaused && !isHovered)) held.current = trades;
  const shown = held.current.slice(0, ROWS);
  const newer = newerThan(trades, shown[0]);
  return (
    <Panel
      flush
      class="tape"
      title="Trades"
      actions={
        <>
          {newer !== 0 && (
            <span>{newer === null ? `${count(trades.length)} or more newer` : `${count(newer)} newer`}</span>
          )}
          {!isPast && (
            <Button
              small
              icon={isPaused ? "play" : "pause"}
              pressed={isPaused}
              onClick={() => setPaused(!isPaused)}
            >
              {isPaused ? "Paused" : "Pause"}
            </Button>
          )}
        </>
      }
    >
      <div onPointerEnter={() => setHovered(true)} onPointerLeave={() => setHovered(false)}>
        <TableBox label="Trades, newest first" maxHeight="420px">
          <table class="data-table">
            <thead>
              <tr>
                <th scope="col" data-value="Time">
                  Time, {zoneName(shown[0]?.time ?? new Date().toISOString(), timezone)}
                </th>
                <th scope="col" class="number" data-value="Price, $/MWh">$/MWh</th>
                <th scope="col" class="number" data-value="Quantity, MW">MW</th>
                <th scope="col">Aggressor</th>
              </tr>
            </thead>
            <tbody>
              <Rows trades={shown} timezone={timezone} />
            </tbody>
          </table>
          {shown.length === 0 && <p class="tape-empty">{empty}</p>}
        </TableBox>
      </div>
    </Panel>
  );
}

function Rows({ trades, timezone }: { readonly trades: readonly Trade[]; readonly timezone: string }) {
  const decimals = decimalsOf(trades.map(({ quantity }) => quantity));
  return trades.map((trade) => (
    <tr key={trade.id}>
      <td data-value={trade.time}>{time(trade.time, timezone)}</td>
      <td class={`number tape-${trade.aggressorSide === BUY ? "buy" : "sell"}`}>{price(trade.price)}</td>
      <td class="number">{alignedQuantity(trade.quantity, decimals)}</td>
      <td class={`tape-${trade.aggressorSide === BUY ? "buy" : "sell"}`}>
        {trade.aggressorSide === BUY ? "▲ buyer" : "▼ seller"}
      </td>
    </tr>
  ));
}

/** How many trades came after `shown`; null if it is no longer among those that are kept. */
function newerThan(trades: readonly Trade[], shown: Trade | undefined): number | null {
  if (shown === undefined) return trades.length;
  const index = trades.findIndex(({ id }) => id === shown.id);
  return index === -1 ? null : index;
}
