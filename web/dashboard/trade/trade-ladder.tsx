// The ladder: prices with what is bid and asked, and own orders beside them. A click on a side, or Enter, prepares an order
// there; an own order is prepared for a change with a click, or by dragging it to another price, and for a cancel with Delete.
// Nothing here sends anything. While the mouse is over it, its prices stand still, so that none moves away under a click; only
// the prices of new own orders are added.

import { useRef, useState } from "preact/hooks";
import { alignedQuantity, decimalsOf, price, quantity } from "../../components/format.ts";
import { TableBox } from "../../components/table-box.tsx";
import type { Book } from "../../contract/market.ts";
import type { OpenOrder, TradeSide } from "./deed.ts";
import { type PriceRow, pricesOf, rowsOf } from "./price-rows.ts";
import type { Steps } from "./terms.ts";

interface Prepare {
  /** cents/MWh. */
  readonly onPlace: (side: TradeSide, price: number) => void;
  /** `price`: where it was dropped; absent: as it is. */
  readonly onChange: (order: OpenOrder, price?: number) => void;
  readonly onCancel: (order: OpenOrder) => void;
}

interface TradeLadderProps extends Prepare {
  readonly name: string;
  readonly book: Book;
  readonly steps: Steps;
  /** Open orders of the entity in this contract. */
  readonly orders: readonly OpenOrder[];
  /** What is prepared; null: nothing with a price. */
  readonly prepared: { readonly side: TradeSide; readonly price: number } | null;
}

/** A place that takes the focus. */
interface Place {
  readonly side: TradeSide;
  readonly price: number;
}

const placeKey = ({ side, price }: Place) => `${side} ${price}`;

export function TradeLadder({ name, book, steps, orders, prepared, ...prepare }: TradeLadderProps) {
  const [focused, setFocused] = useState<Place | null>(null);
  const [isHeld, setHeld] = useState(false);
  const held = useRef<readonly number[]>([]);
  const dragged = useRef<OpenOrder | null>(null);
  const body = useRef<HTMLTableSectionElement>(null);
  const own = orders.map((order) => order.price);
  if (!isHeld || held.current.length === 0) {
    const also = [...own, ...[prepared, focused].flatMap((place) => place?.price ?? [])];
    held.current = pricesOf({ ...book, steps, also });
  } else held.current = [...new Set([...held.current, ...own])].sort((a, b) => b - a);
  const rows = rowsOf(held.current, book, orders, steps.tick);
  const decimals = decimalsOf([...book.bids, ...book.asks].map(({ volume }) => volume));
  // One place of the ladder is reached with Tab; the arrow keys move from there.
  const reached = focused !== null && rows.some((row) => row.price === focused.price) ? focused : firstPlace(rows);
  const hasMoved = isHeld &&
    [book.bids[0], book.asks[0]].some((best) => best !== undefined && !held.current.includes(best.price));
  const shared = { ...prepare, dragged, decimals, reached, prepared, onFocus: setFocused };
  return (
    <div onPointerEnter={() => setHeld(true)} onPointerLeave={() => setHeld(false)}>
      <TableBox label={`Ladder of ${name}`}>
        <table class="data-table trade-ladder" role="grid" aria-label={`Prices of ${name}`}>
          <thead>
            <tr>
              <th scope="col">Own buys</th>
              <th scope="col" class="number">Bid, MW</th>
              <th scope="col" class="trade-price">$/MWh</th>
              <th scope="col">Ask, MW</th>
              <th scope="col">Own sells</th>
            </tr>
          </thead>
          <tbody ref={body} onKeyDown={(event) => moveFocus(event, rows, reached, body.current)}>
            {rows.map((row) => <Row key={row.price} row={row} {...shared} />)}
          </tbody>
        </table>
      </TableBox>
      {rows.length === 0 && <p class="trade-note">No orders and no trades yet: begin with Buy or Sell above.</p>}
      {hasMoved && <p class="trade-note" role="status">The best prices have moved: take the mouse away to follow.</p>}
    </div>
  );
}

function firstPlace(rows: readonly PriceRow[]): Place | null {
  const row = rows.find(({ best }) => best === "bid") ?? rows[Math.floor(rows.length / 2)];
  return row === undefined ? null : { side: "BUY", price: row.price };
}

function moveFocus(
  event: KeyboardEvent,
  rows: readonly PriceRow[],
  from: Place | null,
  body: HTMLElement | null,
): void {
  const { target, key } = event;
  if (from === null || !(target as HTMLElement).dataset["place"]) return;
  const index = rows.findIndex((row) => row.price === from.price);
  const to: Place | undefined = key === "ArrowLeft"
    ? { ...from, side: "BUY" }
    : key === "ArrowRight"
    ? { ...from, side: "SELL" }
    : key === "ArrowUp" || key === "ArrowDown"
    ? withPrice(from, rows[index + (key === "ArrowUp" ? -1 : 1)])
    : undefined;
  if (to === undefined) return;
  event.preventDefault();
  body?.querySelector<HTMLElement>(`[data-place="${placeKey(to)}"]`)?.focus();
}

function withPrice({ side }: Place, row: PriceRow | undefined): Place | undefined {
  return row === undefined ? undefined : { side, price: row.price };
}

interface RowProps extends Prepare {
  readonly row: PriceRow;
  readonly dragged: { current: OpenOrder | null };
  readonly decimals: number;
  readonly reached: Place | null;
  readonly prepared: Place | null;
  readonly onFocus: (place: Place) => void;
}

function Row({ row, dragged, ...props }: RowProps) {
  const drop = (event: DragEvent) => {
    event.preventDefault();
    const order = dragged.current;
    dragged.current = null;
    if (order !== null && order.price !== row.price) props.onChange(order, row.price);
  };
  return (
    <tr
      class={row.hasGap ? "trade-gap" : undefined}
      onDragOver={(event) => {
        if (dragged.current !== null) event.preventDefault();
      }}
      onDrop={drop}
    >
      <td class="trade-own">
        <OwnOrders orders={row.ownBids} dragged={dragged} {...props} />
      </td>
      <SideCell side="BUY" row={row} {...props} />
      <th scope="row" class={`trade-price ${row.best === null ? "" : `trade-best-${row.best}`}`}>
        {price(row.price)}
        {row.best !== null && <span class="visually-hidden">{`, best ${row.best}`}</span>}
      </th>
      <SideCell side="SELL" row={row} {...props} />
      <td class="trade-own">
        <OwnOrders orders={row.ownAsks} dragged={dragged} {...props} />
      </td>
    </tr>
  );
}

type SideCellProps = Omit<RowProps, "dragged"> & { readonly side: TradeSide };

function SideCell({ side, row, decimals, reached, prepared, onPlace, onFocus }: SideCellProps) {
  const volume = side === "BUY" ? row.bid : row.ask;
  const place = { side, price: row.price };
  const isHere = (other: Place | null) => other !== null && placeKey(other) === placeKey(place);
  const [does, there] = side === "BUY" ? ["Buy", "bid"] : ["Sell", "asked"];
  const volumeWords = volume === null ? "" : `, ${quantity(volume)} MW ${there}`;
  return (
    <td class={side === "BUY" ? "number" : undefined}>
      <button
        type="button"
        class={`trade-cell trade-${there} ${isHere(prepared) ? "trade-cell-prepared" : ""}`}
        data-place={placeKey(place)}
        tabIndex={isHere(reached) ? 0 : -1}
        aria-label={`${does} at ${price(row.price)}${volumeWords}`}
        onClick={() => onPlace(side, row.price)}
        onFocus={() => onFocus(place)}
      >
        {volume === null ? "" : alignedQuantity(volume, decimals)}
      </button>
    </td>
  );
}

interface OwnOrdersProps extends Pick<Prepare, "onChange" | "onCancel"> {
  readonly orders: readonly OpenOrder[];
  readonly dragged: { current: OpenOrder | null };
}

function OwnOrders({ orders, dragged, onChange, onCancel }: OwnOrdersProps) {
  return orders.map((order) => (
    <button
      key={order.id}
      type="button"
      class="trade-order"
      draggable
      title="Click or drag to change, Delete to cancel"
      aria-label={`Change order ${order.id}: ${quantity(order.remainingQuantity)} MW. Delete cancels it`}
      onClick={() => onChange(order)}
      onKeyDown={({ key }) => {
        if (key === "Delete" || key === "Backspace") onCancel(order);
      }}
      onDragStart={({ dataTransfer }) => {
        dragged.current = order;
        // Without data some browsers begin no drag.
        dataTransfer?.setData("text/plain", order.id);
      }}
      onDragEnd={() => (dragged.current = null)}
    >
      ◆ {quantity(order.remainingQuantity)}
    </button>
  ));
}
