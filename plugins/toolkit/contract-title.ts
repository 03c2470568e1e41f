// Names a contract for a person who picks one from a list.

import type { SnapshotReader } from "../../core/market/snapshot-reader.ts";
import type { ModuleData } from "../../protocol/modules/registry.ts";

type Contract = ModuleData<"CONTRACT">;

/** A module in the snapshot never changes: a new state is a new object. */
const titles = new WeakMap<Contract, string>();

/** Product and delivery at the market: `NORTH-DA-HOUR, 2030-06-01 08:00 to 09:00`. */
export function contractTitle(contract: Contract, snapshot: Pick<SnapshotReader, "get">): string {
  const known = titles.get(contract);
  if (known !== undefined) return known;
  const { productCode, name, marketId } = contract;
  const period = deliveryPeriod(contract, snapshot.get("MARKET", marketId)?.timezone ?? "UTC");
  const title = `${productCode}, ${period ?? name}`;
  titles.set(contract, title);
  return title;
}

/** Null if a time can't be read or the zone is unknown. */
function deliveryPeriod({ deliveryStart, deliveryEnd }: Contract, timeZone: string): string | null {
  try {
    const [start, end] = [deliveryStart, deliveryEnd].map((time) =>
      Temporal.Instant.from(time).toZonedDateTimeISO(timeZone).toPlainDateTime()
    ) as [Temporal.PlainDateTime, Temporal.PlainDateTime];
    if (isMidnight(start) && isMidnight(end)) {
      return daysOf(start.toPlainDate(), end.toPlainDate().subtract({ days: 1 }));
    }
    return `${minuteOf(start)} to ${endOf(end, start.toPlainDate())}`;
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

/** The end of the day is 24:00. */
function endOf(end: Temporal.PlainDateTime, day: Temporal.PlainDate): string {
  if (end.toPlainDate().equals(day)) return clockOf(end);
  return isMidnight(end) && end.toPlainDate().equals(day.add({ days: 1 })) ? "24:00" : minuteOf(end);
}

function daysOf(first: Temporal.PlainDate, last: Temporal.PlainDate): string {
  return first.equals(last) ? first.toString() : `${first} to ${last}`;
}

function isMidnight(time: Temporal.PlainDateTime): boolean {
  return clockOf(time) === "00:00";
}

function minuteOf(time: Temporal.PlainDateTime): string {
  return `${time.toPlainDate()} ${clockOf(time)}`;
}

function clockOf(time: Temporal.PlainDateTime): string {
  return time.toPlainTime().toString({ smallestUnit: "minute" });
}
