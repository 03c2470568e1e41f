import { expect, test } from "bun:test";
import { figuresByPreset, measuredTable } from "../../../scripts/facts/measured-facts.ts";
import { pictureFigures, pictures } from "../../../scripts/facts/pictures.ts";
import { handMadeTape, MINUTE_MS, quotesOf, START, TOMORROW_BASE, tradesOf } from "./support.ts";

test("the table of the document shows the median over the seeds, and missed targets in bold", () => {
  const run = (seed: number, value: number) => ({
    preset: "calm",
    seed,
    samples: [{ figure: "returns.lag1", value }, { figure: "returns.kurtosis", value: 12.3456 }],
  });
  const figures = figuresByPreset([run(1, 0.2), run(2, 0.4)]);
  expect(figures["calm"]).toMatchObject({ "returns.lag1": 0.3, "returns.kurtosis": 12.35, "signs.lag1": null });
  const table = measuredTable({ seeds: 2, figures, pictures: {} });
  expect(table).toStartWith("24 hours of each of the seeds 201 to 202:\n");
  expect(table).toMatch(/lag 1 +\| -\.1 to \.1 +\| \*\*0\.3\*\* +\|/);
  expect(table).toMatch(/excess kurtosis of returns +\| above 6 +\| 12\.3 +\|/);
});

test("the pictures show mid and forecast of tomorrow's base", () => {
  const times = Float64Array.from({ length: 200 }, (_, step) => START + step * 5 * MINUTE_MS);
  const tape = handMadeTape({
    quotes: new Map([[
      TOMORROW_BASE,
      quotesOf([...times.keys()].map((step) => [step * 5 * MINUTE_MS, 3000 + step, 3010 + step])),
    ]]),
    trades: new Map([[TOMORROW_BASE, tradesOf([...times.keys()].map((step) => ({ afterMs: step * 5 * MINUTE_MS })))]]),
    forecasts: new Map([[TOMORROW_BASE, new Map([["best", { times, prices: times.map(() => 3000) }]])]]),
  }, 24);
  const figures = pictureFigures(tape);
  expect(figures.mids.slice(0, 3)).toEqual([30.05, 30.06, 30.07]);
  expect(figures.forecasts.slice(0, 2)).toEqual([30, 30]);
  expect(figures.trades[0]).toBe(12);
  expect([...pictures({ calm: figures }).keys()])
    .toEqual(["facts-price-calm.svg", "facts-hours.svg", "facts-impact.svg"]);
});
