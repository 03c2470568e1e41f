// An order book: a ladder with the price in the middle, bids left and asks right, and the depth below it.

import { DepthChart } from "./depth-chart.tsx";
import { alignedQuantity, count, decimalsOf, NONE, price, quantity } from "./format.ts";
import { type BookSides, crossing, type Ladder, type LadderLevel, ladderOf } from "./ladder.ts";
import "./order-book.css";
import { TableBox } from "./table-box.tsx";
import type { OrderBookResult } from "../contract/tool-results.ts";

/** Levels of each side, unless the book has more. */
const LEVELS = 5;

export function OrderBook({ book }: { readonly book: OrderBookResult }) {
  return (
    <div class="order-book">
      <OrderLadder book={book} lastPrice={book.lastPrice} />
      <DepthChart book={book} />
    </div>
  );
}

/** MW of the own orders at a price, by side and price. */
export interface OwnOrders {
  readonly bids: ReadonlyMap<number, number>;
  readonly asks: ReadonlyMap<number, number>;
}

interface OrderLadderProps {
  readonly book: BookSides;
  readonly lastPrice: number | null;
  /** Rows of each side; if absent, five, or as many as the book has. */
  readonly depth?: number;
  readonly own?: OwnOrders;
}

export function OrderLadder({ book, lastPrice, depth, own }: OrderLadderProps) {
  const { bids, asks } = book;
  const ladder = ladderOf(book, depth ?? Math.max(LEVELS, bids.length, asks.length));
  const levels = [...ladder.bids, ...ladder.asks].filter((level) => level !== null);
  const shown = {
    decimals: decimalsOf(levels.map(({ volume }) => volume)),
    priceWidth: Math.max(0, ...levels.map((level) => price(level.price).length)),
  };
  return (
    <TableBox label="Order book by price">
      <table class="data-table ladder">
        <thead>
          <tr>
            <Heading title="MW of this level and of the better ones">Sum</Heading>
            <Heading title="Number of orders">#</Heading>
            <Heading title="MW that buyers want">Bid</Heading>
            <th scope="col" class="ladder-price">$/MWh</th>
            <Heading title="MW that sellers offer">Ask</Heading>
            <Heading title="Number of orders">#</Heading>
            <Heading title="MW of this level and of the better ones">Sum</Heading>
          </tr>
        </thead>
        <tbody>
          {ladder.asks.map((level, index) => (
            <AskRow
              key={index}
              level={level}
              isBest={index === ladder.asks.length - 1}
              own={own?.asks.get(level?.price ?? NaN)}
              {...shown}
            />
          ))}
          <SpreadRow ladder={ladder} book={book} lastPrice={lastPrice} />
          {ladder.bids.map((level, index) => (
            <BidRow
              key={index}
              level={level}
              isBest={index === 0}
              own={own?.bids.get(level?.price ?? NaN)}
              {...shown}
            />
          ))}
        </tbody>
      </table>
    </TableBox>
  );
}

/** Short, since seven columns have little room; the mouse and screen readers are told all. */
function Heading({ title, children }: { readonly title: string; readonly children: string }) {
  return <th scope="col" class="number" title={title} aria-label={`${children}: ${title}`}>{children}</th>;
}

interface RowProps {
  readonly level: LadderLevel | null;
  readonly isBest: boolean;
  /** MW of own orders. */
  readonly own: number | undefined;
  readonly decimals: number;
  /** Characters of the longest price. */
  readonly priceWidth: number;
}

function AskRow(row: RowProps) {
  return (
    <tr class={row.isBest && row.level !== null ? "ladder-best" : undefined}>
      <td />
      <td />
      <td />
      <Price {...row} side="ask" />
      <Volume {...row} side="ask" />
      <td class="number ladder-minor">{row.level !== null && count(row.level.orderCount)}</td>
      <td class="number ladder-minor">{row.level !== null && alignedQuantity(row.level.cumulative, row.decimals)}</td>
    </tr>
  );
}

function BidRow(row: RowProps) {
  return (
    <tr class={row.isBest && row.level !== null ? "ladder-best" : undefined}>
      <td class="number ladder-minor">{row.level !== null && alignedQuantity(row.level.cumulative, row.decimals)}</td>
      <td class="number ladder-minor">{row.level !== null && count(row.level.orderCount)}</td>
      <Volume {...row} side="bid" />
      <Price {...row} side="bid" />
      <td />
      <td />
      <td />
    </tr>
  );
}

function Price({ level, isBest, priceWidth, side }: RowProps & { readonly side: "bid" | "ask" }) {
  if (level === null) return <td class="ladder-price" />;
  return (
    <th scope="row" class={`ladder-price ladder-${side}`}>
      {/* Figure spaces are as wide as digits, so the points stand below each other in the middle of the column. */}
      {price(level.price).padStart(priceWidth, "\u2007")}
      {isBest && <span class="visually-hidden">{`, best ${side}`}</span>}
    </th>
  );
}

function Volume({ level, own, decimals, side }: RowProps & { readonly side: "bid" | "ask" }) {
  if (level === null) return <td class="ladder-volume" />;
  return (
    <td class="number ladder-volume">
      <span class={`ladder-bar ladder-bar-${side}`} style={{ width: `${level.share * 100}%` }} />
      {own !== undefined && (
        <span class="ladder-own" title={`Own orders: ${quantity(own)} MW`}>
          ◆<span class="visually-hidden">{`own orders ${quantity(own)} MW of `}</span>
        </span>
      )}
      <span class="ladder-figure">{alignedQuantity(level.volume, decimals)}</span>
    </td>
  );
}

interface SpreadRowProps {
  readonly ladder: Ladder;
  readonly book: BookSides;
  readonly lastPrice: number | null;
}

function SpreadRow({ ladder: { spread, mid }, book: { bids, asks }, lastPrice }: SpreadRowProps) {
  const state = crossing(bids[0]?.price ?? null, asks[0]?.price ?? null);
  return (
    <tr class={`ladder-spread ${state === null ? "" : "ladder-crossed"}`}>
      <td colSpan={7}>
        {bids.length + asks.length === 0 ? <span>No orders in the book</span> : (
          <>
            <span>
              {state ?? "Spread"} <b>{price(spread)}</b>
            </span>
            <span>
              Mid <b>{midPrice(mid)}</b>
            </span>
          </>
        )}
        <span>
          Last <b>{price(lastPrice)}</b>
        </span>
      </td>
    </tr>
  );
}

/** The mid of two prices may lie half a cent from both. */
function midPrice(cents: number | null): string {
  return cents === null ? NONE : Number.isInteger(cents) ? price(cents) : alignedQuantity(cents / 100, 3);
}
