// The comparison of a study's variants as a reader sees it: each cell, sign and note, as text, as JSON and as a page.

import { describe, expect, test } from "bun:test";
import type { Comparison } from "../../../sim/comparison/comparison.ts";
import { PROFIT } from "../../../sim/comparison/run-measures.ts";
import { studyPage } from "../../../sim/comparison/study-page.ts";
import { studyNotes, studySections } from "../../../sim/comparison/study-tables.ts";
import { studyJson, studyText } from "../../../sim/comparison/study-text.ts";

const spread = (mean: number, margin = 1) => ({
  runs: 3,
  mean,
  margin,
  least: 2,
  lowerQuartile: 3,
  median: 4,
  upperQuartile: 5,
  greatest: 6_000.126,
});
const difference = (mean: number, greater: number, isClear: boolean) => ({ ...spread(mean), greater, isClear });
const values = (...all: number[]) => new Map(all.map((value, seed) => [seed, value]));
const variant = (name: string) => ({ name, runs: 3, seeds: "1..3" });

function comparison(changes: object = {}): Comparison {
  return {
    studies: [{ folder: "/a", experiment: "thin", version: "1.2.3" }],
    variants: [variant("hours=1"), variant("hours=2"), variant("hours=3")],
    missing: [],
    hasHours: true,
    measures: [
      {
        section: "Market",
        title: "trades",
        unit: "",
        digits: 0,
        spreads: [spread(10.44), null, spread(-0.04)],
        differences: [null, null, difference(-2.34, 0.345, true)],
        values: [values(1), values(), values(2)],
      },
      {
        section: PROFIT,
        title: "zip",
        unit: "$",
        digits: 2,
        spreads: [spread(10.6), spread(-0.4), spread(1_234.5)],
        differences: [null, difference(2.6, 1, false), difference(0, 0, false)],
        values: [values(1, 2), values(5, 6), values(7, 8)],
      },
    ],
    ...changes,
  } as never;
}

describe("a row of a comparison", () => {
  const [market, profit] = studySections(comparison());

  test("has the measure once, its unit, the variant, runs, and the spread from the least to the greatest", () => {
    expect(market).toEqual({
      title: "Market",
      rows: [
        ["trades", "hours=1", "3", "10.4", "1", "2", "3", "4", "5", "6,000.1", "", "", "", ""],
        ["", "hours=3", "3", "0", "1", "2", "3", "4", "5", "6,000.1", "-2.3", "1", "35 %", "*"],
      ],
    });
  });

  test("has whole dollars, no negative zero, and a plus for more than the first", () => {
    expect(profit!.rows.map((row) => [row[0], row[3], ...row.slice(10)])).toEqual([
      ["zip, $", "11", "", "", "", ""],
      ["", "0", "+3", "1", "100 %", ""],
      ["", "1,235", "0", "1", "0 %", ""],
    ]);
  });

  test("has no differences if there is one variant", () => {
    const one = comparison({ variants: [variant("hours=1")] });
    const measures = one.measures.map((each) => ({ ...each, spreads: each.spreads.slice(0, 1), differences: [null] }));
    expect(studySections({ ...one, measures })[0]!.rows.map(({ length }) => length)).toEqual([10]);
  });
});

test("the notes explain the differences if there are any, and say what is missing", () => {
  const notes = (changes: object) => studyNotes(comparison(changes)).map((note) => note.slice(0, 30));
  expect(notes({})).toEqual(["± is half the width of the 95 ", '"less first" is the mean diffe']);
  expect(studyNotes(comparison())[1]).toContain("difference from hours=1 in runs");
  expect(notes({ variants: [variant("a")], hasHours: false, missing: ["x,seed-1..3", "y,seed-2"] })).toEqual([
    "± is half the width of the 95 ",
    "Profit by hour of delivery nee",
    "Missing jobs: x,seed-1..3; y,s",
  ]);
});

test("the text has the studies, the variants with their runs and seeds, each section, and the notes", () => {
  const text = studyText(comparison());
  const parts = text.split("\n\n");
  expect(parts[0]).toMatch(/^study +\/a +thin, mkt 1\.2\.3$/);
  expect(parts[1]!.split("\n").map((line) => line.trim().split(/\s{2,}/))).toEqual([
    ["variant", "runs", "seeds"],
    ["hours=1", "3", "1..3"],
    ["hours=2", "3", "1..3"],
    ["hours=3", "3", "1..3"],
  ]);
  expect([parts[2], parts[4], parts.length]).toEqual(["Market", PROFIT, 7]);
  expect(parts[3]!.split("\n")[0]).toMatch(
    /^measure +variant +runs +mean .* greatest +less first +± 95 % +greater in +clear$/,
  );
  expect(studyText(comparison({ variants: [variant("a")], measures: [] }))).not.toContain("less first");
});

test("the JSON has four decimals and no values of single runs", () => {
  const made = comparison();
  const rounded = made.measures.map((each) => ({ ...each, spreads: [spread(1.234567)] }));
  const json = JSON.parse(studyJson({ ...made, measures: rounded as never }));
  expect(json.measures[0].spreads[0]).toMatchObject({ mean: 1.2346, greatest: 6_000.126 });
  expect([json.measures[0].values, json.variants]).toEqual([undefined, made.variants as never]);
});

describe("the page of a study", () => {
  const textOf = (html: string) => html.replace(/<svg.*?<\/svg>/gs, "[chart]").replace(/<style>.*?<\/style>/s, "");

  test("has its title, its tables, and charts of profits alone, by the names of the settings' values", () => {
    const page = textOf(studyPage(comparison()));
    expect(page).toContain("<title>thin: 3 variants</title>");
    expect(page).toContain("Study <bdi>/a</bdi>, mkt 1.2.3.");
    const [, market, profit] = page.split("<section ") as [string, string, string];
    expect([market.match(/\[chart\]/g), profit.match(/\[chart\]/g)?.length]).toEqual([null, 2]);
    expect(market).toMatch(/^id="part-0" aria-labelledby="part-0-title"><h2 id="part-0-title">Market<\/h2>/);
    expect(page).toContain('<a href="#part-1">');
    expect(market).toContain('<td><bdi>trades</bdi></td><td><bdi>hours=1</bdi></td><td class="number">3</td>');
    expect(market).toContain('<th scope="col">variant</th><th scope="col" class="number">runs</th>');
    const whole = studyPage(comparison());
    expect(whole).toContain("$, less 1 with the same seed");
    // Names of several settings stay whole.
    const two = comparison({ variants: ["hours=1, x=1", "hours=2, x=1", "hours=3, x=1"].map(variant) });
    expect(studyPage(two)).toContain("$, less hours=1, x=1 with the same seed");
  });

  test("has no chart of differences without pairs, and says how many variants are in the table alone", () => {
    const count = 33;
    const variants = Array.from({ length: count }, (_, at) => variant(`hours=${at}`));
    const measure = {
      section: PROFIT,
      title: "zip",
      unit: "$",
      digits: 2,
      spreads: variants.map(() => spread(1)),
      differences: variants.map(() => null),
      values: variants.map((_, at) => new Map([[at, 1]])),
    };
    const page = textOf(studyPage(comparison({ variants, measures: [measure] })));
    expect(page.match(/\[chart\]/g)).toHaveLength(1);
    expect(page).toContain("And 3 variants more, in the table.");
    expect(textOf(studyPage(comparison()))).not.toContain("variants more");
  });
});
