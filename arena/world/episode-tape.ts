// What everybody could see of the market during an episode: its trades and spot prices, a line of JSON for each; and, every
// five minutes, what the agent had.

import { isoTime } from "../../common/iso-time.ts";
import { megawattsOf } from "../../engine/market/units.ts";
import { BUY, type Side } from "../../protocol/sides.ts";
import type { TradedContract } from "../../sim/personas/traded-contract.ts";
import type { SpotPoint } from "../../sim/spot/spot-prices.ts";
import type { ObservedMarket, RunObserver } from "../../sim/tape/run-observer.ts";

export class EpisodeTape implements Partial<RunObserver> {
  readonly #lines: string[] = [];
  #isRunning = false;

  /** `standing`: of the agent; null if it has no company. */
  constructor(private readonly standing: () => object | null) {}

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

  onPoint({ time }: Pick<ObservedMarket, "time">): void {
    const standing = this.standing();
    if (standing !== null) this.#add({ time: isoTime(time), ...standing });
  }

  #add(entry: object): void {
    if (this.#isRunning) this.#lines.push(`${JSON.stringify(entry)}\n`);
  }
}
