// What each strategy has earned in a run by hour of delivery, from results.csv of its tape: what each persona has earned in
// each contract so far, of which the latest row counts. A contract belongs to the local hour in which it begins, if it lasts no
// longer than an hour.

import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { HOUR_MS } from "../../protocol/time-units.ts";

const COLUMNS = [
  "persona",
  "strategy",
  "contractId",
  "deliveryStart",
  "deliveryEnd",
  "realised",
  "unrealised",
] as const;
/** The hour of contracts of more than an hour. */
export const LONGER = "longer";

/** Dollars by strategy and hour, such as "07:00". Null if the tape has no such table. */
export function hourProfits(tape: string, timezone: string): ReadonlyMap<string, ReadonlyMap<string, number>> | null {
  const path = join(tape, "results.csv");
  if (!existsSync(path)) return null;
  const [header = [], ...rows] = readFileSync(path, "utf8").trimEnd().split("\n").map((line) => line.split(","));
  const places = COLUMNS.map((name) => header.indexOf(name));
  if (places.includes(-1)) return null;
  const latest = new Map<string, readonly string[]>();
  for (const row of rows) {
    const cells = places.map((place) => row[place] ?? "");
    latest.set(`${cells[0]} ${cells[2]}`, cells);
  }
  const hours = new Map<string, string>();
  const profits = new Map<string, Map<string, number>>();
  for (const [, strategy = "", , start = "", end = "", realised, unrealised] of latest.values()) {
    const hour = hours.getOrInsertComputed(`${start} ${end}`, () => hourOf(start, end, timezone));
    const ofStrategy = profits.getOrInsertComputed(strategy, () => new Map<string, number>());
    ofStrategy.set(hour, (ofStrategy.get(hour) ?? 0) + Number(realised) + Number(unrealised));
  }
  return profits;
}

function hourOf(start: string, end: string, timezone: string): string {
  if (Date.parse(end) - Date.parse(start) > HOUR_MS) return LONGER;
  return hourText(Temporal.Instant.from(start).toZonedDateTimeISO(timezone).hour);
}

export function hourText(hour: number): string {
  return `${String(hour).padStart(2, "0")}:00`;
}
