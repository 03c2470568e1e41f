// The page of a run: whole by itself, and with the figures of the run's own report.

import { describe, expect, test } from "bun:test";
import { cpSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { recordedRun } from "../../../scripts/facts/simulated-tapes.ts";
import { escaped } from "../../../common/plot/svg.ts";
import { builtInMarket } from "../../../engine/definition/built-in-market.ts";
import type { Experiment } from "../../../sim/experiment/experiment.ts";
import { presetExperiment } from "../../../sim/experiment/read-experiment.ts";
import { completeExperiment } from "../../../sim/experiment/resolve-experiment.ts";
import { factsOf, presetFigures, shown } from "../../../sim/facts/run-facts.ts";
import { simulate } from "../../../sim/headless/simulate.ts";
import { readRun, type RecordedRun, RunRecorder, tapeOfRun } from "../../../sim/report/recorded-run.ts";
import { reportPage } from "../../../sim/report/report-page.ts";
import { spotOverTime } from "../../../sim/report/spot-charts.ts";
import { SpotSamples } from "../../../sim/report/spot-samples.ts";
import { verdictOf } from "../../../sim/report/fact-section.ts";
import { toAll } from "../../../sim/tape/tables.ts";
import { Tape } from "../../../sim/tape/tape.ts";
import { TapeDirectory } from "../../../sim/tape/tape-directory.ts";
import { temporaryDirectory } from "../../support/temporary-directory.ts";
import { wellFormed } from "../../common/plot/support.ts";

const EVIL = `<img src=x onerror="alert(1)">\u202e & 'quotes'`;
const folder = temporaryDirectory();
const definition = builtInMarket();

/** A run under stress, recorded on the way, and its tape. */
function recorded(name: string, hours: number, changes: Partial<Experiment> = {}) {
  const experiment = completeExperiment({ ...presetExperiment("stress"), seed: 1, hours, ...changes }, definition);
  const { seed } = experiment;
  const tape = join(folder, name);
  const directory = new TapeDirectory(tape, "csv");
  const recorder = new RunRecorder(definition, Date.parse(experiment.start), null);
  const report = simulate({ experiment, definition, observer: new Tape(toAll([directory, recorder.rows])) });
  const { steps, startedAt, endedAt } = report;
  const command = `mkt simulate --preset stress --seed ${seed}`;
  const description = {
    version: "0.0.0",
    command,
    seed,
    startedAt,
    endedAt,
    hours,
    steps,
    experiment: { ...experiment },
  };
  directory.finish(description, { ...report });
  return { run: recorder.finish(description, report), tape };
}

const first = recorded("first", 1);
const second = recorded("second", 0.25, { seed: 2 });
const evil = recorded("evil", 0.02, { name: EVIL });
const page = reportPage([first.run]);

/** What a page may not have. */
function expectWhole(html: string): void {
  wellFormed(html.replace("<!DOCTYPE html>", ""));
  // Only the parts of the page are landmarks, and each has a name of its own.
  expect(html).not.toContain('role="region"');
  const titles = [...html.matchAll(/<h2 id="[^"]*">([^<]*)/g)].map(([, title]) => title);
  expect(titles).toEqual([...new Set(titles)]);
  expect(html).not.toMatch(/NaN|Infinity|undefined|\[object|\\n/);
  expect(html.replaceAll("http://www.w3.org/2000/svg", "")).not.toMatch(/https?:|<[^>]*\ssrc=|url\(|@import/);
  expect(html).not.toMatch(/<script|<link|<iframe|<[^>]*\s(?:style|on\w+)=/);
}

describe("the page of a run", () => {
  test("is whole by itself, and its policy allows its own style alone", () => {
    expectWhole(page);
    const style = /<style>([^]*?)<\/style>/.exec(page)?.[1] ?? "";
    const hash = new Bun.CryptoHasher("sha256").update(style).digest("base64");
    expect(page).toContain(
      `content="default-src &#39;none&#39;; style-src &#39;sha256-${hash}&#39;; base-uri &#39;none&#39;; form-action &#39;none&#39;"`,
    );
    expect(page).toContain("<pre><code>mkt simulate --preset stress --seed 1</code></pre>");
  });

  test("has the totals and the results of the run's own report", () => {
    const { totals, messages, personas } = first.run.report;
    for (const value of [messages, totals.orders, totals.trades, totals.volumeMw]) {
      expect(page).toContain(`<dd>${value.toLocaleString("en-US", { maximumFractionDigits: 2 })}</dd>`);
    }
    for (const [strategy, members] of Map.groupBy(personas, (persona) => persona.strategy)) {
      const result = members.reduce((sum, { tradingResult }) => sum + tradingResult, 0);
      const row = new RegExp(`<bdi>${strategy}</bdi></th>(.*?)</tr>`).exec(page)?.[1] ?? "";
      expect(row).toContain(`>${result.toLocaleString("en-US", { maximumFractionDigits: 0 })}<`);
      const { realised = 0, unrealised = 0 } = first.run.digest.profits.strategies.get(strategy) ?? {};
      expect(realised + unrealised).toBeCloseTo(result, 1);
    }
    for (const title of ["By trading day", "By day of delivery", "By hour of delivery", "By contract"]) {
      expect(page).toContain(`<h3>${title}</h3>`);
    }
  });

  test("has the facts that the script measures", () => {
    const facts = presetFigures([factsOf(recordedRun(first.tape))]);
    expect(facts.map(({ value }) => value)).toEqual(first.run.facts.map(({ value }) => value));
    expect(facts.some((each) => verdictOf(each) === "within")).toBe(true);
    expect(facts.some((each) => verdictOf(each) === "unknown")).toBe(true);
    for (const each of facts) {
      const row = page.split("<tr>").find((text) => text.includes(`${escaped(each.figure.title)}</th>`));
      const within = `>${shown(each.value)}</td><td class="mark good">✓ within<`;
      if (verdictOf(each) === "within") expect(row).toContain(within);
      if (verdictOf(each) === "unknown") expect(row).toContain("– too few trades");
    }
  });

  test("adds up the volumes of contracts and hours exactly", () => {
    const { digest, report } = first.run;
    const kilowatts = Math.round(report.totals.volumeMw * 1_000);
    const contracts = [...digest.contracts.values()];
    expect(contracts.reduce((sum, { volume }) => sum + volume, 0)).toBe(kilowatts);
    expect(contracts.reduce((sum, { trades }) => sum + trades, 0)).toBe(report.totals.trades);
    expect(digest.hours.reduce((sum, { bought, sold }) => sum + bought + sold, 0)).toBe(kilowatts);
  });

  test("shows the books at the chosen times, each by the look before it", () => {
    const start = Date.parse(first.run.description.startedAt);
    const end = Date.parse(first.run.description.endedAt);
    const chosen = readRun(tapeOfRun(first.tape), [0.25, 0.53, 90]);
    const after = (run: RecordedRun) => run.digest.books.shown(end).map(({ time }) => (time - start) / 60_000);
    expect(after(chosen)).toEqual([15, 30, 60]);
    expect(after(first.run)).toEqual([5, 30, 60]);
  });
});

test("the page of several runs names them by what differs, side by side, with the differences of two", () => {
  const both = reportPage([first.run, second.run]);
  expectWhole(both);
  expect(both).toContain("<title>stress: seed 1, seed 2</title>");
  const by = second.run.report.totals.trades - first.run.report.totals.trades;
  expect(both).toContain(`>${by > 0 ? "+" : ""}${by.toLocaleString("en-US")}</td>`);
  const contracts = [page, both].map((each) => each.match(/<desc>Best bid and ask/g)?.length);
  expect(contracts).toEqual([6, 4 * 2]);
  const all = reportPage([first.run, second.run, evil.run]);
  expectWhole(all);
  const names = [["stress, seed 1", "stress, seed 2", `${EVIL}, seed 1`], ["stress", EVIL]].map((each) =>
    each.join(" and ")
  );
  expect(all).toContain(`<title>${escaped(names[0]!)}: 3 runs compared</title>`);
  expect(reportPage([first.run, evil.run])).toContain(`<title>${escaped(names[1]!)}: 2 runs compared</title>`);
  expect(reportPage([evil.run, evil.run])).toContain("seed 1 (run 1), seed 1 (run 2)</title>");
});

test("a run without a trade, with a hostile name, gives a whole page of text", () => {
  const html = reportPage([evil.run]);
  expectWhole(html);
  expect(html).not.toContain("<img");
  expect(html).toContain("&lt;img src=x onerror=&quot;alert(1)&quot;&gt;");
});

test("a run without an order says so", () => {
  const { run } = recorded("silent", 0.2, { personas: [{ strategy: "zic", count: 1, parameters: {} }] });
  expect(run.report.totals.orders).toBe(0);
  expect(reportPage([run])).toContain("<p>No book had an order when books were looked at, every five minutes.</p>");
});

test("a run whose orders never met shows their books", () => {
  const parameters = { riskAversion: 0.01, volatility: 2, fillDecay: 1.5, horizonHours: 1 };
  const { run } = recorded("unmet", 0.2, {
    trading: presetExperiment("calm").trading,
    personas: [{ strategy: "avellaneda-stoikov", count: 1, parameters }],
  });
  expect(run.report.totals.trades).toBe(0);
  const html = reportPage([run]);
  expectWhole(html);
  expect(html).toContain("<p>Nothing was traded.</p>");
  expect(html).not.toContain("No book had an order");
  expect(html).toMatch(/<title>2026-03-02 00:05<\/title><desc>Megawatts bid/);
});

/** The picture of spot prices at one node over some hours, in Chicago. */
const [START, MINUTE] = [Date.parse("2026-07-01T05:00:00Z"), 60_000];
function pictureOf(hours: number, { prices = false, events = [] as Parameters<typeof spotOverTime>[0]["events"] }) {
  const samples = new SpotSamples(START, 5 * MINUTE, ["NORTH"], "America/Chicago");
  const end = START + hours * 60 * MINUTE;
  for (let time = START; prices && time <= end; time += 5 * MINUTE) samples.add(0, time, 3_000, "base");
  return spotOverTime({ samples, end, events, width: 500 });
}

test("more than 12 events all are in the picture, in a row for each type", () => {
  const events = Array.from({ length: 30 }, (_, at) => {
    const [time, until] = [START + at * MINUTE, START + (at + 10) * MINUTE];
    return { time, until, type: at % 2 === 0 ? "heat_wave" : "fuel_shock", node: null, size: 1 };
  });
  const eventsOf = (count: number) => {
    const [, { y, layers }] = pictureOf(1, { events: events.slice(0, count) });
    const boxes = layers.flatMap((layer) => layer.kind === "boxes" && layer.name === "event" ? layer.boxes : []);
    return { rows: y.kind === "names" ? y.names.slice(1) : [], boxes: boxes.length };
  };
  expect(eventsOf(2)).toEqual({ rows: ["heat wave", "fuel shock"], boxes: 2 });
  expect(eventsOf(12)).toMatchObject({ rows: { length: 12 }, boxes: 12 });
  expect(eventsOf(30)).toEqual({ rows: ["heat wave", "fuel shock"], boxes: 30 });
});

test("prices that are summed up say so, with the length of time", () => {
  expect([6, 720, 1_500].map((hours) => pictureOf(hours, { prices: true })[0].title)).toEqual([
    "Spot prices",
    "Spot prices, mean and range of 80 minutes",
    "Spot prices, mean and range of 160 minutes",
  ]);
});

describe("a tape is refused", () => {
  const without = (file: string) => {
    const path = join(folder, `without-${file}`);
    cpSync(evil.tape, path, { recursive: true });
    rmSync(join(path, file));
    return path;
  };
  const edited = (fields: object) => {
    const path = without("run.json");
    const description = JSON.parse(readFileSync(join(evil.tape, "run.json"), "utf8"));
    writeFileSync(join(path, "run.json"), JSON.stringify({ ...description, ...fields }));
    return path;
  };

  test.each([
    ["if it was cut short", () => without("run.json"), /no run\.json, so it is no tape or was cut/],
    ["if it is missing", () => join(folder, "missing"), /no such folder/],
    ["if it is written as Parquet", () => edited({ format: "parquet" }), /parquet.*--tape-format csv/],
    ["if an older mkt wrote it", () => edited({ command: undefined }), /another version of mkt wrote it/],
    [
      "if its market is missing",
      () => edited({ experiment: { name: "x", market: "/nix/m.json" } }),
      /market file \/nix\/m\.json is needed/,
    ],
  ])("%s", (_, make, message) => {
    expect(() => tapeOfRun(make())).toThrow(message);
  });

  test("if a table is missing", () => {
    const path = without("quotes.csv");
    expect(() => readRun(tapeOfRun(path), null)).toThrow(`tape ${path}: it can't be read: no such file or folder`);
  });
});
