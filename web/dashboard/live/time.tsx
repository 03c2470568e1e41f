// A time of the market as the dashboard shows it: in the market's time zone, with its age if asked for.

import { MarketTime } from "../../components/market-time.tsx";
import type { TimeParts } from "../../components/time-format.ts";
import { marketNow, timezone } from "./market-clock.ts";

interface TimeProps {
  /** ISO time. */
  readonly value: string | null | undefined;
  readonly parts?: TimeParts;
  /** Whether its age in market time follows. It is drawn again each second, so not for long lists. */
  readonly withAge?: boolean;
}

export function Time({ value, parts, withAge }: TimeProps) {
  return (
    <MarketTime value={value} timezone={timezone.value} parts={parts} now={withAge ? marketNow.value : undefined} />
  );
}
