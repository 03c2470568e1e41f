// Reads the past for a page, as far back as the page asks, while it is not live.

import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { ErrorReport } from "../../../contract/calls.ts";
import type { PositionRow } from "../../../contract/tool-results.ts";
import { contractSignal } from "../../live/listed-contracts.ts";
import { marketNow } from "../../live/market-clock.ts";
import { market } from "../../live/market-store.ts";
import { readAllPages } from "../../live/paged-reads.ts";
import { reportOf } from "../../live/polled.ts";
import { RequestError, send } from "../../live/server.ts";
import { PastReader, type PastSource, type Subject, type Traded } from "./past-reader.ts";

/** A contract that is no longer listed is of the only market. */
export function marketOf(contractId: string): string | undefined {
  const { value: markets } = market.markets;
  return contractSignal(contractId)?.peek().marketId ?? (markets.length === 1 ? markets[0]!.id : undefined);
}

export interface Then {
  readonly reader: PastReader;
  readonly error: ErrorReport | null;
  readonly isReading: boolean;
  readonly retry: () => void;
}

/** `at` null: the page is live, and nothing is read. Null as long as it is. */
export function useThen(at: number | null, { contractId, entityId }: Subject): Then | null {
  const isPast = at !== null;
  // Somebody who stays in the past may ask for what has happened meanwhile.
  const present = useRef(0);
  if (at === null) present.current = 0;
  else if (at > present.current) present.current = marketNow.peek() ?? 0;
  const [, redraw] = useState(0);
  const draw = () => redraw((drawn) => drawn + 1);
  // Another acting user may see other things.
  const userId = market.connection.value?.userId;
  const run = useMemo(
    () => isPast ? new Run({ contractId, entityId }, present.current, draw) : null,
    [isPast, contractId, entityId, userId, present.current],
  );
  useEffect(() => () => run?.end(), [run]);
  useEffect(() => {
    if (at !== null) run?.goTo(at);
  }, [run, at]);
  // Another object each time: what is drawn from the same one is not drawn again.
  return run === null ? null : { reader: run.reader, error: run.error, isReading: run.isReading, retry: run.retry };
}

class Run {
  readonly reader: PastReader;
  error: ErrorReport | null = null;
  isReading = false;
  #at = Infinity;
  readonly #ending = new AbortController();

  constructor(subject: Subject, present: number, private readonly draw: () => void) {
    this.reader = new PastReader(sourceUntil(this.#ending.signal), subject, present);
  }

  goTo(at: number): void {
    this.#at = at;
    if (!this.isReading && this.error === null) void this.#read();
  }

  retry = (): void => {
    this.error = null;
    void this.#read();
  };

  end(): void {
    this.#ending.abort();
  }

  async #read(): Promise<void> {
    const { signal } = this.#ending;
    this.isReading = true;
    try {
      while (!signal.aborted && this.reader.needs(this.#at)) {
        this.draw();
        await this.reader.step();
      }
    } catch (error) {
      if (!signal.aborted) this.error = reportOf(error);
    }
    this.isReading = false;
    if (!signal.aborted) this.draw();
  }
}

function sourceUntil(signal: AbortSignal): PastSource {
  return {
    get: async <Answer>(path: string) => await send("GET", path, undefined, signal) as Answer,
    traded: async (entityId) => await tradedOf(entityId, signal),
  };
}

async function tradedOf(entityId: string, signal: AbortSignal): Promise<ReadonlyMap<string, Traded> | null> {
  try {
    const given = { entityId, positions: true };
    const rows = await readAllPages<PositionRow>("mkt_get_entity", "positions", given, signal);
    return new Map(rows.map((row) => [row.contractId, { bought: row.boughtQuantity, sold: row.soldQuantity }]));
  } catch (error) {
    // Such as an entity that the acting user may not see: the rest can be shown.
    if (error instanceof RequestError) return null;
    throw error;
  }
}
