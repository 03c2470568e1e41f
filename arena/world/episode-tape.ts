// What everybody could see of the market during an episode: its trades and spot prices, a line of JSON for each.

import { isoTime } from "../../common/iso-time.ts";
import { megawattsOf } from "../../engine/market/units.ts";
import { BUY, type Side } from "../../protocol/sides.ts";
import type { TradedContract } from "../../sim/personas/traded-contract.ts";
import type { SpotPoint } from "../../sim/spot/spot-prices.ts";
import type { RunObserver } from "../../sim/tape/run-observer.ts";

export class EpisodeTape implements Partial<RunObserver> {
  readonly #lines: string[] = [];
  #isRunning = false;

  begin(): void {
    this.#isRunning = true;
  }

  /** Nothing is added from now on. */
  end(): void {
    this.#isRunning = false;
  }

  get text(): string {
    return this.#lines.join("");
  }

  onTrade(time: number, { id }: TradedContract, price: number, quantity: number, aggressor: Side): void {
    const [quantityMw, side] = [megawattsOf(quantity), aggressor === BUY ? "BUY" : "SELL"];
    this.#add({ time: isoTime(time), contractId: id, price, quantity: quantityMw, side });
  }

  onSpot(points: readonly SpotPoint[]): void {
    for (const { time, node, priceCents } of points) this.#add({ time: isoTime(time), node, spot: priceCents });
  }

  #add(entry: object): void {
    if (this.#isRunning) this.#lines.push(`${JSON.stringify(entry)}\n`);
  }
}
