// What is compared of the runs of a study: numbers that a run has one of each. The order is that of the report.

import type { HeadlessReport } from "../headless/headless-report.ts";
import type { PersonaReport } from "../personas/persona-report.ts";
import { FIGURE_ROWS } from "../report/figures.ts";
import { DELIVERY_HOURS, type ProfitDigest } from "../report/profit-digest.ts";
import type { Variant } from "../experiment/grid.ts";

/** Equal texts name the same measure in all runs. */
export interface Measure {
  readonly section: string;
  readonly title: string;
  readonly unit: string;
  /** Decimals that are shown. */
  readonly digits: number;
}

/** The personas of a group that the grid varies, in a run's list. */
interface VariedGroup {
  readonly title: string;
  readonly from: number;
  readonly until: number;
}

export type Measured = readonly [Measure, number][];

export const PROFIT = "Profit";
/** Begins the title of the section of a strategy. */
export const HOUR_PROFIT = "Profit by hour of delivery";
const MARKET = "What changed in the market";

/** `hours`: profits by hour of delivery, if they are known. */
export function measuresOf(
  report: HeadlessReport,
  groups: readonly VariedGroup[],
  hours: ProfitDigest["deliveryHours"] | null,
): Measured {
  const { personas } = report;
  const byStrategy = Map.groupBy(personas, ({ strategy }) => strategy);
  return [
    ...groups.flatMap(({ title, from, until }) => profitsOf(title, personas.slice(from, until))),
    ...[...byStrategy].flatMap(([strategy, members]) => profitsOf(strategy, members)),
    ...(hours === null ? [] : [...byStrategy.keys()].flatMap((strategy) => hoursOf(strategy, hours))),
    ...FIGURE_ROWS.flatMap(({ title, unit = "", value, digits = 0 }): Measured => {
      const amount = value(report);
      return amount === null ? [] : [[{ section: MARKET, title, unit, digits }, amount]];
    }),
  ];
}

/** Of the groups of personas that the grid varies, whatever their strategy is in a variant. */
export function variedGroups(
  personas: readonly { readonly count: number }[],
  variant: Variant,
): readonly VariedGroup[] {
  // Another list of personas has other groups.
  if (variant.some(({ keys }) => keys[0] === "preset" || (keys[0] === "personas" && keys.length === 1))) return [];
  const settings = variant.filter(({ keys }) => keys[0] === "personas");
  const counts = personas.map(({ count }, index) => {
    const ofGroup = settings.filter(({ keys }) => keys[1] === index);
    const whole = ofGroup.find(({ keys }) => keys.length === 2)?.value as { readonly count: number } | undefined;
    return Number(ofGroup.find(({ keys }) => keys[2] === "count")?.value ?? whole?.count ?? count);
  });
  let from = 0;
  return counts.flatMap((count, index) => {
    const until = from + count;
    const group = { title: `personas[${index}]`, from, until };
    from = until;
    return settings.some(({ keys }) => keys[1] === index) ? [group] : [];
  });
}

function profitsOf(who: string, members: readonly PersonaReport[]): Measured {
  const trading = sumOf(members, ({ tradingResult }) => tradingResult) ?? 0;
  const physical = sumOf(members, ({ physicalResult }) => physicalResult);
  const surplus = sumOf(members, ({ surplus }) => surplus);
  const rows: [string, number | null][] = [
    ["trading result", trading],
    ["physical result", physical],
    ["both results", physical === null ? null : physical + trading],
    ["surplus", surplus],
  ];
  return rows.flatMap(([what, amount]): Measured =>
    amount === null ? [] : [[{ section: PROFIT, title: `${who}: ${what}`, unit: "$", digits: 0 }, amount]]
  );
}

function hoursOf(strategy: string, profits: ProfitDigest["deliveryHours"]): Measured {
  const section = `${HOUR_PROFIT}: ${strategy}`;
  // A run has each hour, also without a trade in it.
  return DELIVERY_HOURS.map((title) => {
    const { realised = 0, unrealised = 0 } = profits.get(title)?.get(strategy) ?? {};
    return [{ section, title, unit: "$", digits: 0 }, realised + unrealised];
  });
}

/** Null if nobody has the amount. */
function sumOf(members: readonly PersonaReport[], of: (persona: PersonaReport) => number | null): number | null {
  const amounts = members.map(of).filter((amount) => amount !== null);
  return amounts.length === 0 ? null : amounts.reduce((sum, amount) => sum + amount, 0);
}
