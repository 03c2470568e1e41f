// The parser and the conventions that other tests rely on find what is wrong.

import { describe, expect, test } from "bun:test";
import { faultsOf, parseMetrics, valueIn } from "../../support/metrics-text.ts";

const HEAD = "# HELP mkt_a_total Things\n# TYPE mkt_a_total counter\n";

describe("the strict parser", () => {
  test("reads names, labels with escapes, and every form of a number", () => {
    const text = `${HEAD}mkt_a_total{l="a\\"b\\\\c\\nd",m=""} 1.5e3\nmkt_a_total{l="x"} +Inf\n\n` +
      "# HELP mkt_b B\n# TYPE mkt_b gauge\nmkt_b NaN\n";
    const families = parseMetrics(text);
    expect(families.get("mkt_a_total")?.samples).toEqual([
      { name: "mkt_a_total", labels: { l: 'a"b\\c\nd', m: "" }, value: 1500 },
      { name: "mkt_a_total", labels: { l: "x" }, value: Infinity },
    ]);
    expect(valueIn(families, "mkt_b")).toBeNaN();
    expect(() => valueIn(families, "mkt_a_total")).toThrow("2 samples");
  });

  test.each([
    ["no line feed at the end", `${HEAD}mkt_a_total 1`],
    ["a sample without TYPE", "mkt_a_total 1\n"],
    ["TYPE without HELP", "# TYPE mkt_a_total counter\n"],
    ["HELP without TYPE", "# HELP mkt_a_total Things\n"],
    ["a second HELP", `${HEAD}${HEAD}`],
    ["a sample of another metric", `${HEAD}mkt_b 1\n`],
    ["a repeated sample", `${HEAD}mkt_a_total{a="1",b="2"} 1\nmkt_a_total{b="2",a="1"} 1\n`],
    ["a label without quotes", `${HEAD}mkt_a_total{l=x} 1\n`],
    ["an unknown escape", `${HEAD}mkt_a_total{l="\\x"} 1\n`],
    ["a repeated label", `${HEAD}mkt_a_total{l="1",l="2"} 1\n`],
    ["a value that is no number", `${HEAD}mkt_a_total many\n`],
  ])("refuses %s", (_, text) => expect(() => parseMetrics(text)).toThrow());
});

describe("the conventions", () => {
  const faultsIn = (name: string, type: string, samples: string, help = "Things") =>
    [...parseMetrics(`# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${samples}`).values()].flatMap(faultsOf);

  test("hold for a counter, a gauge and a histogram of good names", () => {
    expect(faultsIn("mkt_a_total", "counter", "mkt_a_total 1\n")).toEqual([]);
    expect(faultsIn("mkt_a_bytes", "gauge", "mkt_a_bytes -1\n")).toEqual([]);
    const buckets = 'mkt_h_bucket{le="1"} 1\nmkt_h_bucket{le="+Inf"} 2\nmkt_h_sum 3\nmkt_h_count 2\n';
    expect(faultsIn("mkt_h", "histogram", buckets)).toEqual([]);
  });

  test.each<[string, string, string, string]>([
    ["mkt_a", "counter", "mkt_a 1\n", "Things"],
    ["mkt_a_total", "gauge", "mkt_a_total 1\n", "Things"],
    ["mkt_a_ms", "gauge", "mkt_a_ms 1\n", "Things"],
    ["mkt_a_duration", "gauge", "mkt_a_duration 1\n", "Things"],
    ["mkt_a_size", "gauge", "mkt_a_size 1\n", "Things"],
    ["other_a", "gauge", "other_a 1\n", "Things"],
    ["mkt_a", "gauge", "mkt_a 1\n", "things."],
    ["mkt_a", "gauge", "mkt_a NaN\n", "Things"],
    ["mkt_a_total", "counter", "mkt_a_total -1\n", "Things"],
    ["mkt_h", "histogram", 'mkt_h_bucket{le="1"} 3\nmkt_h_bucket{le="+Inf"} 2\nmkt_h_sum 3\nmkt_h_count 2\n', "Things"],
    ["mkt_h", "histogram", 'mkt_h_bucket{le="1"} 1\nmkt_h_sum 3\nmkt_h_count 1\n', "Things"],
  ])("find the fault of %s, a %s (case %#)", (name, type, samples, help) => {
    expect(faultsIn(name, type, samples, help)).toHaveLength(1);
  });
});
