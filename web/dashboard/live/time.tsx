// A time as the dashboard shows it: in the time zone of its market, with its age if asked for.

import { MarketTime } from "../../components/market-time.tsx";
import type { TimeParts } from "../../components/time-format.ts";
import { marketNow, timezoneOf } from "./market-clock.ts";

interface TimeProps {
  /** ISO time. */
  readonly value: string | null | undefined;
  readonly parts?: TimeParts;
  /** The market that it is about; absent: the first. */
  readonly marketId?: string | undefined;
  /** Whether its age in market time follows. It is drawn again each second, so not for long lists. */
  readonly withAge?: boolean;
}

export function Time({ value, parts, marketId, withAge }: TimeProps) {
  const zone = timezoneOf(marketId);
  return <MarketTime value={value} timezone={zone} parts={parts} now={withAge ? marketNow.value : undefined} />;
}
