// Spot prices as the simulator tells them now and then; in between, the price now follows the market's events. A market event
// that somebody triggers is read at once.

import { useEffect, useRef, useState } from "preact/hooks";
import { isWorthReading, withSpotEvent } from "../../components/spot-news.ts";
import type { SpotResult } from "../../contract/tool-results.ts";
import { onEvents } from "./market-store.ts";
import { usePolled } from "./polled.ts";
import { readTool } from "./server.ts";

const EVERY_MS = 15_000;

/** `hours` of history. `spot` is null before the first answer; `error` is why the last read failed. */
export function useSpot(hours: number) {
  const { value, error, reload } = usePolled(
    (signal) => readTool<SpotResult>("mkt_sim_get_spot_prices", { hours }, signal),
    String(hours),
    EVERY_MS,
  );
  const [live, setLive] = useState<SpotResult | null>(null);
  const latest = useRef<SpotResult | null>(null);
  useEffect(() => {
    latest.current = value;
    setLive(value);
  }, [value]);
  useEffect(() =>
    onEvents((events) => {
      let [now, isNews] = [latest.current, false];
      for (const { type, data } of events) {
        if (type !== "change.spot" || now === null) continue;
        isNews ||= isWorthReading(now, data);
        now = withSpotEvent(now, data);
      }
      latest.current = now;
      setLive(now);
      if (isNews) reload();
    }), []);
  return { spot: value === null ? null : live ?? value, error, reload };
}
