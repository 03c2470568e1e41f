// The row of one contract in the list. It is drawn again if this contract has changed.

import { useComputed } from "@preact/signals";
import { useLayoutEffect, useMemo, useRef } from "preact/hooks";
import { HOUR_MS } from "../../../../protocol/time-units.ts";
import { Badge } from "../../../components/badge.tsx";
import { Delta } from "../../../components/delta.tsx";
import { count, price, quantity, signedPrice } from "../../../components/format.ts";
import { crossing } from "../../../components/ladder.ts";
import { changeOf, direction } from "../../../components/spark-path.ts";
import { Spark } from "../../../components/spark.tsx";
import { duration } from "../../../components/time-format.ts";
import type { ContractRow } from "../../../contract/market.ts";
import { contractSignal, nameOf } from "../../live/listed-contracts.ts";
import { marketNow } from "../../live/market-clock.ts";
import { sparkPrices } from "../../live/sparks.ts";
import { spreadOf } from "./contract-order.ts";
import { flash } from "./flash.ts";
import { address } from "../page.ts";

/** A contract that delivers sooner than this is marked: it can't be traded any more once delivery has started. */
const SOON_MS = HOUR_MS;

interface ContractRowProps {
  readonly contractId: string;
  /** Its place in the table, from 0. */
  readonly index: number;
}

export function ContractRowView({ contractId, index }: ContractRowProps) {
  const row = contractSignal(contractId)?.value;
  const prices = sparkPrices(contractId).value;
  // The same if only its place is another one, so that it is not drawn again.
  const cells = useMemo(() => row === undefined ? null : <Cells row={row} prices={prices} />, [row, prices]);
  return cells === null ? null : <tr data-contract={contractId} aria-rowindex={index + 2}>{cells}</tr>;
}

interface CellsProps {
  readonly row: ContractRow;
  /** Of the spark line, oldest first. */
  readonly prices: readonly number[];
}

function Cells({ row, prices }: CellsProps) {
  const { contractId } = row;
  const { short, full, delivery } = nameOf(row);
  return (
    <>
      <th scope="row" class="contracts-name">
        <a href={address("contract", contractId)} title={`${full} (${contractId})`}>{short}</a>{" "}
        <Marks contractId={contractId} />{" "}
        <span class="contracts-delivery">{short.includes(delivery) ? "" : delivery}</span>
        <span class="contracts-id name">{contractId}</span>
      </th>
      <PriceCell cents={row.bestBid} class="contracts-bid" size={row.bestBidVolume} />
      <PriceCell cents={row.bestAsk} class="contracts-ask" size={row.bestAskVolume} />
      <td class="number contracts-spread">{price(spreadOf(row))}</td>
      <PriceCell cents={row.lastPrice} class="contracts-last" prices={prices} />
      <td class="number contracts-volume">{row.tradedQuantity === 0 ? "" : quantity(row.tradedQuantity)}</td>
      <td class="contracts-spark">
        <Spark prices={prices} />
      </td>
      <td class="number contracts-change">
        <Change prices={prices} />
      </td>
      <td class="number contracts-orders">{count(row.workingOrders)}</td>
    </>
  );
}

function Marks({ contractId }: { readonly contractId: string }) {
  const state = useComputed(() => {
    const row = contractSignal(contractId)?.value;
    return row === undefined ? null : crossing(row.bestBid, row.bestAsk);
  });
  const startsIn = useComputed(() => {
    const start = contractSignal(contractId)?.value.deliveryStart;
    const left = start === undefined || marketNow.value === null ? Infinity : Date.parse(start) - marketNow.value;
    return left > SOON_MS ? null : left <= 0 ? "delivers" : duration(left);
  });
  return (
    <>
      {state.value !== null && (
        <Badge tone="warning" icon="alert" title="The best bid is not below the best ask">{state.value}</Badge>
      )}
      {startsIn.value !== null && (
        <Badge tone="info" icon="clock" title="Until delivery starts and trading ends">{startsIn.value}</Badge>
      )}
    </>
  );
}

interface PriceCellProps {
  readonly cents: number | null;
  readonly class: string;
  /** MW at this price. */
  readonly size?: number | null;
  /** An arrow says where these went. */
  readonly prices?: readonly number[];
}

function PriceCell({ cents, class: name, size, prices }: PriceCellProps) {
  const cell = useRef<HTMLTableCellElement>(null);
  const shown = useRef(cents);
  useLayoutEffect(() => {
    if (shown.current !== null && cents !== null && shown.current !== cents) {
      flash(cell.current!, cents > shown.current ? "up" : "down");
    }
    shown.current = cents;
  }, [cents]);
  return (
    <td ref={cell} class={`number ${name}`}>
      {prices !== undefined && <Arrow prices={prices} />}
      {price(cents)}
      {size !== null && size !== undefined && <span class="contracts-size">{quantity(size)}</span>}
    </td>
  );
}

function Arrow({ prices }: { readonly prices: readonly number[] }) {
  const way = direction(prices);
  if (way !== "up" && way !== "down") return null;
  return <span class={`contracts-arrow delta-${way}`} role="img" aria-label={way}>{way === "up" ? "▲" : "▼"}</span>;
}

function Change({ prices }: { readonly prices: readonly number[] }) {
  const change = changeOf(prices);
  return change === null ? null : <Delta value={change} text={signedPrice(change)} />;
}
