// Repeats the published experiments and writes the figures of docs/strategies.md. tests/sim/laboratory checks that they are
// current.
//
//   bun scripts/strategy-figures.ts

import { aligned } from "../bench/table.ts";
import { averageDay, makerFigures, referenceMarkets } from "../tests/support/laboratory/averages.ts";
import { inventoryMaker, symmetricMaker } from "../tests/support/laboratory/market-making.ts";
import type { Strategy } from "../sim/strategies/strategy.ts";
import { withSection } from "./document-section.ts";

const DOCUMENT = new URL("../docs/strategies.md", import.meta.url).pathname;

const SEEDS = 80;
const DAYS = [1, 2, 5, 8] as const;
const MAKER_SEEDS = 2_000;
const RISK_AVERSION = 0.1;

const EXPECTED = [
  ["zic", "17 to 23 / 95 to 98, no trend"],
  ["zip", "by day 5 below 4 / above 99"],
  ["aa", "above 99"],
] as const;

const MAKERS:
  readonly (readonly [name: string, maker: (riskAversion: number) => Strategy, published: readonly string[]])[] = [
    ["Avellaneda-Stoikov", inventoryMaker, ["1.49", "65.0", "6.6", "2.9"]],
    ["symmetric quoter", symmetricMaker, ["1.49", "68.4", "12.7", "8.4"]],
  ];

/** The document with new figures. */
export function withStrategyFigures(document: string): string {
  return withSection(document, "figures", `${marketTable()}\n\n${makerTable()}`);
}

function marketTable(): string {
  const rows = EXPECTED.map(([strategy, expected]) => {
    const markets = referenceMarkets(strategy, SEEDS, Math.max(...DAYS));
    const days = DAYS.map((day) => {
      const { alpha, efficiency } = averageDay(markets, day);
      return `${alpha.toFixed(1)} / ${efficiency.toFixed(1)}`;
    });
    return [`${strategy.toUpperCase()} alpha / efficiency`, ...days, expected];
  });
  return aligned([`mean of ${SEEDS} seeds`, ...DAYS.map((day) => `day ${day}`), "published"], rows);
}

function makerTable(): string {
  const header = ["mean spread", "profit", "its deviation", "deviation of inventory"];
  const rows = MAKERS.map(([name, maker, published]) => {
    const { spread, profit, profitDeviation, inventoryDeviation } = makerFigures(maker, RISK_AVERSION, MAKER_SEEDS);
    const reached = [
      spread.toFixed(2),
      ...[profit, profitDeviation, inventoryDeviation].map((each) => each.toFixed(1)),
    ];
    return [name, ...reached.map((figure, at) => `${figure} (${published[at]})`)];
  });
  return aligned([`${MAKER_SEEDS.toLocaleString("en-US")} seeds (published)`, ...header], rows);
}

if (import.meta.main) await Bun.write(DOCUMENT, withStrategyFigures(await Bun.file(DOCUMENT).text()));
