// How much could be traded up to a price: the volumes of a book added up from the best price outwards. What is under the mouse
// is read out; the ladder has the same figures for everybody else.

import { useState } from "preact/hooks";
import { type Depth, depthOf, type DepthPoint } from "./depth.ts";
import "./depth-chart.css";
import { compact, price, quantity } from "./format.ts";
import type { BookSides } from "./ladder.ts";
import { TakePicture } from "./take-picture.tsx";

/** Units of the drawing, which is stretched to its box. */
const WIDTH = 1_000;
const HEIGHT = 400;

export function DepthChart({ book }: { readonly book: BookSides }) {
  const depth = depthOf(book);
  const [at, setAt] = useState<number | null>(null);
  const { prices, most } = depth;
  if (prices === null) return <p class="depth-empty">No depth: the book is empty.</p>;
  const x = (value: number) => (value - prices.low) / (prices.high - prices.low) * WIDTH;
  const pointed = at === null ? null : prices.low + at * (prices.high - prices.low);
  return (
    <div class="depth">
      <div class="depth-scale" aria-hidden="true">
        <span>{compact(most)} MW</span>
        <span>{compact(most / 2)}</span>
        <span>0</span>
      </div>
      <div
        class="depth-box"
        onPointerMove={(event) => {
          const { left, width } = event.currentTarget.getBoundingClientRect();
          setAt(Math.min(1, Math.max(0, (event.clientX - left) / width)));
        }}
        onPointerLeave={() => setAt(null)}
      >
        <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" role="img" aria-label={summaryOf(depth)}>
          <path class="depth-grid" d={`M0 ${HEIGHT / 2}H${WIDTH}M0 0H${WIDTH}`} />
          <path class="depth-bids" d={area(depth.bids, x, most)} />
          <path class="depth-asks" d={area(depth.asks, x, most)} />
          {prices.mid !== null && <path class="depth-mid" d={`M${x(prices.mid)} 0V${HEIGHT}`} />}
          {pointed !== null && <path class="depth-pointer" d={`M${x(pointed)} 0V${HEIGHT}`} />}
        </svg>
        {pointed !== null && (
          <span class={`depth-readout ${at! > 0.5 ? "depth-readout-left" : ""}`}>{readout(depth, pointed)}</span>
        )}
      </div>
      <div class="depth-prices" aria-hidden="true">
        <span>{price(Math.round(prices.low))}</span>
        {prices.mid !== null && <span>{price(prices.mid)}</span>}
        <span>{price(Math.round(prices.high))}</span>
      </div>
      <TakePicture label="Depth of the order book" />
    </div>
  );
}

function area(points: readonly DepthPoint[], x: (price: number) => number, most: number): string {
  if (points.length === 0) return "";
  const corner = ({ price, volume }: DepthPoint) =>
    `${rounded(x(price))} ${rounded(HEIGHT - (most === 0 ? 0 : volume / most) * HEIGHT * 0.96)}`;
  return `M${points.map(corner).join("L")}V${HEIGHT}H${rounded(x(points[0]!.price))}Z`;
}

function readout({ bids, asks }: Depth, pointed: number): string {
  const at = `${price(Math.round(pointed))} $/MWh`;
  const upTo = (points: readonly DepthPoint[], isWithin: (price: number) => boolean) =>
    points.filter(({ price }) => isWithin(price)).at(-1)?.volume ?? 0;
  if (asks.length > 0 && pointed >= asks[0]!.price) {
    return `${quantity(upTo(asks, (price) => price <= pointed))} MW offered up to ${at}`;
  }
  if (bids.length > 0 && pointed <= bids[0]!.price) {
    return `${quantity(upTo(bids, (price) => price >= pointed))} MW wanted down to ${at}`;
  }
  return `${at}: between bid and ask`;
}

function summaryOf({ bids, asks }: Depth): string {
  return `Depth: ${quantity(bids.at(-1)?.volume ?? 0)} MW wanted, ${quantity(asks.at(-1)?.volume ?? 0)} MW offered`;
}

function rounded(value: number): number {
  return Math.round(value * 10) / 10;
}
