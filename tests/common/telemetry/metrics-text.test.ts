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

  const histogram = (buckets: string, count: number) => `${buckets}mkt_h_sum 3\nmkt_h_count ${count}\n`;
  test.each([
    ["mkt_a_total", "counter", "mkt_a_total 1\n"],
    ["mkt_a_bytes", "gauge", "mkt_a_bytes -1\n"],
    ["mkt_h", "histogram", histogram('mkt_h_bucket{le="1"} 1\nmkt_h_bucket{le="+Inf"} 2\n', 2)],
  ])("hold for %s, a %s", (name, type, samples) => {
    expect(faultsIn(name, type, samples)).toEqual([]);
  });

  test.each([
    ...["other_a", "mkt_a_total", "mkt_a_ms", "mkt_a_duration", "mkt_a_size"].map((
      name,
    ) => [name, "gauge", `${name} 1\n`]),
    ["mkt_a", "counter", "mkt_a 1\n"],
    ["mkt_a", "gauge", "mkt_a 1\n", "things."],
    ["mkt_a", "gauge", "mkt_a NaN\n"],
    ["mkt_a_total", "counter", "mkt_a_total -1\n"],
    ["mkt_h", "histogram", histogram('mkt_h_bucket{le="1"} 3\nmkt_h_bucket{le="+Inf"} 2\n', 2)],
    ["mkt_h", "histogram", histogram('mkt_h_bucket{le="1"} 1\n', 1)],
  ])("find the fault of %s, a %s (case %#)", (name = "", type = "", samples = "", help = "Things") => {
    expect(faultsIn(name, type, samples, help)).toHaveLength(1);
  });
});
