// The trades of one contract: those from before the page was opened, then each new one once.

import { type Signal, signal } from "@preact/signals";
import { useEffect, useMemo } from "preact/hooks";
import { CandleBuilder, type Interval, INTERVALS } from "../../components/candles.ts";
import type { Trade } from "../../contract/market.ts";
import type { TradeEventData } from "../../contract/events.ts";
import type { FeedEvent } from "../../contract/update.ts";
import { onEvents } from "./market-store.ts";
import { history, RequestError } from "./server.ts";

/** Trades kept for the tape. */
const MAX_TAPE = 500;
/** The shortest time between two changes of what is shown, so that a busy contract can be read. */
const SHOW_MS = 250;
/** After a failed request for the history. */
const RETRY_MS = 3_000;

type HistoryState = "loading" | "loaded" | "unknown contract" | "unreachable";

export class TradeFeed {
  readonly state: Signal<HistoryState> = signal("loading");
  /** Grows when `tape` or `candles` have changed; read it before them. */
  readonly version = signal(0);
  #tape: Trade[] = [];
  #candles = newCandles();
  /** Events that came while the history was being asked for; null: it has come. */
  #waiting: FeedEvent[] | null = [];
  #isComplete = true;
  #sequence = 0;
  #timer: ReturnType<typeof setTimeout> | null = null;
  #retry: ReturnType<typeof setTimeout> | null = null;
  #load = 0;

  constructor(readonly contractId: string) {}

  /** Newest first. */
  get tape(): readonly Trade[] {
    return this.#tape.toReversed();
  }

  /** Whether the candles have all trades of the contract; the market forgets its oldest ones. */
  get isComplete(): boolean {
    return this.#isComplete;
  }

  candles(interval: Interval) {
    return this.#candles[interval].content;
  }

  /** Returns what ends it. */
  start(): () => void {
    const end = onEvents((events, { continues, missed }) => {
      // Trades may be lost, so the history is asked again.
      if (!continues || missed !== 0) void this.#reload();
      this.#take(events);
    });
    void this.#reload();
    return () => {
      end();
      this.#load++;
      for (const timer of [this.#timer, this.#retry]) if (timer !== null) clearTimeout(timer);
    };
  }

  #take(events: readonly FeedEvent[]): void {
    for (const event of events) {
      if (event.type !== "new.trade" || event.data["contractId"] !== this.contractId) continue;
      if (this.#waiting !== null) this.#waiting.push(event);
      else if (event.sequence > this.#sequence) this.#add(event);
    }
  }

  async #reload(): Promise<void> {
    const load = ++this.#load;
    this.#waiting = [];
    try {
      const { trades, candles, sequence, isComplete } = await history(this.contractId, INTERVALS["1 min"]);
      if (load !== this.#load) return;
      this.#tape = [...trades];
      this.#isComplete = isComplete;
      this.#candles = newCandles();
      for (const builder of Object.values(this.#candles)) for (const candle of candles) builder.addCandle(candle);
      this.#sequence = sequence;
      const waiting: FeedEvent[] = this.#waiting;
      this.#waiting = null;
      this.#take(waiting);
      this.state.value = "loaded";
      this.#changed();
    } catch (error) {
      if (load !== this.#load) return;
      this.state.value = error instanceof RequestError && error.status === 404 ? "unknown contract" : "unreachable";
      this.#retry = setTimeout(() => void this.#reload(), RETRY_MS);
    }
  }

  #add({ sequence, time, data }: FeedEvent): void {
    const { id, contractId, price, quantity, aggressorSide } = data as unknown as TradeEventData;
    const trade: Trade = { id, contractId, time, price, quantity, aggressorSide };
    this.#sequence = sequence;
    this.#tape.push(trade);
    if (this.#tape.length > 2 * MAX_TAPE) this.#tape = this.#tape.slice(-MAX_TAPE);
    for (const builder of Object.values(this.#candles)) builder.add(trade);
    this.#changed();
  }

  #changed(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = null;
      this.version.value++;
    }, SHOW_MS);
  }
}

/** The trades of a contract, as long as the component is shown. */
export function useTrades(contractId: string): TradeFeed {
  const feed = useMemo(() => new TradeFeed(contractId), [contractId]);
  useEffect(() => feed.start(), [feed]);
  return feed;
}

function newCandles(): Record<Interval, CandleBuilder> {
  return {
    "1 min": new CandleBuilder(INTERVALS["1 min"]),
    "5 min": new CandleBuilder(INTERVALS["5 min"]),
    "1 h": new CandleBuilder(INTERVALS["1 h"]),
  };
}
