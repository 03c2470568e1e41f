// A time of the market, in its time zone. The mouse or a screen reader finds all of it.

import { age, time, type TimeParts } from "./time-format.ts";

interface MarketTimeProps {
  /** ISO time. */
  readonly value: string | null | undefined;
  readonly timezone: string;
  readonly parts?: TimeParts;
  /** If given, the age follows: milliseconds, the market's present. */
  readonly now?: number | null;
}

export function MarketTime({ value, timezone, parts = "time", now }: MarketTimeProps) {
  if (value === null || value === undefined) return <span>–</span>;
  return (
    <time dateTime={value} title={`${time(value, timezone, "full")} (${value})`}>
      {time(value, timezone, parts)}
      {now !== null && now !== undefined && <span class="time-age">{` ${age(value, now)}`}</span>}
    </time>
  );
}
