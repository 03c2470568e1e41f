// Finds contracts by a description instead of an id: the product (NORTH-DA-HOUR), words of the name, a date, today, tomorrow,
// or a month by its name (December, December 2026), in any order. For hints and completions.

import { monthNumber, periodOf } from "../../core/market/time-period.ts";
import type { SnapshotReader } from "../../core/market/snapshot-reader.ts";
import type { ModuleData } from "../../protocol/modules/registry.ts";

type Contract = ModuleData<"CONTRACT">;

const MAX_CONTRACTS = 3_000;
const MAX_WORDS = 12;
/** The longest month, with the hour that daylight saving time may add. */
const MAX_MONTH_HOURS = 31 * 24 + 1;

/**
 * Ids of the listed contracts that fit every word, by start of delivery. If a word is a month, the contracts of the whole
 * month come first, and those of longer periods that begin in it, as a year does in January, last.
 */
export function contractsDescribedBy(snapshot: SnapshotReader, text: string): string[] {
  const words = text.toLowerCase().split(/[\s,;/]+/).filter((word) => word !== "");
  if (words.length === 0 || words.length > MAX_WORDS || snapshot.count("CONTRACT") > MAX_CONTRACTS) return [];
  const tests = words.map((word) => wordTest(word, snapshot));
  const { modules } = snapshot.find("CONTRACT", { limit: MAX_CONTRACTS });
  const found = modules.filter((contract) => contract.status !== "expired" && tests.every((test) => test(contract)));
  const byMonth = words.some((word) => monthNumber(word) !== null);
  found.sort((a, b) =>
    (byMonth ? hoursInMonth(b) - hoursInMonth(a) : 0) ||
    Date.parse(a.deliveryStart) - Date.parse(b.deliveryStart)
  );
  return found.map(({ id }) => id);
}

/** 0 for a period longer than a month. */
function hoursInMonth({ hours }: Contract): number {
  return hours > MAX_MONTH_HOURS ? 0 : hours;
}

function wordTest(word: string, snapshot: SnapshotReader): (contract: Contract) => boolean {
  const now = Date.parse(snapshot.asOf ?? "") || 0;
  const zoneOf = ({ marketId }: Contract) => snapshot.get("MARKET", marketId)?.timezone ?? "UTC";
  const month = monthNumber(word);
  if (month !== null) {
    const inMonth = new RegExp(`^\\d+-${String(month).padStart(2, "0")}`);
    return (contract) => inMonth.test(deliveryDay(contract, snapshot));
  }
  if (["today", "tomorrow", "yesterday"].includes(word)) {
    return (contract) => {
      const day = periodOf(word, { timeZone: zoneOf(contract), now });
      const start = Date.parse(contract.deliveryStart);
      return day !== null && start >= day.start && start < day.end;
    };
  }
  return (contract) => {
    const { id, name, code } = contract;
    return `${id} ${name} ${code} ${deliveryDay(contract, snapshot)}`.toLowerCase().includes(word);
  };
}

/** The day on which delivery begins, at the contract's market; empty if it is unknown. */
export function deliveryDay({ deliveryStart, marketId }: Contract, snapshot: SnapshotReader): string {
  return localDate(deliveryStart, snapshot.get("MARKET", marketId)?.timezone ?? "UTC");
}

/** Empty if the time can't be read or the zone is unknown. */
function localDate(time: string, timeZone: string): string {
  try {
    return Temporal.Instant.fromEpochMilliseconds(Date.parse(time)).toZonedDateTimeISO(timeZone).toPlainDate()
      .toString();
  } catch (error) {
    if (error instanceof RangeError) return "";
    throw error;
  }
}
