// A strict parser of Prometheus' text format (version 0.0.4), and the conventions that every metric of mkt keeps.
// https://prometheus.io/docs/instrumenting/exposition_formats/, https://prometheus.io/docs/practices/naming/

interface MetricSample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

export interface MetricFamily {
  readonly name: string;
  readonly help: string;
  readonly type: string;
  readonly samples: MetricSample[];
}

const NAME = /^[a-z][a-z0-9_]*$/;
const SAMPLE = /^([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{(.*)\})? (\S+)$/;
const LABEL = /([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\["\\n])*)"(,|$)/y;
const NUMBER = /^(?:[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?|[+-]?Inf|NaN)$/i;

/** Throws an Error that names the first wrong line. */
export function parseMetrics(text: string): ReadonlyMap<string, MetricFamily> {
  if (!text.endsWith("\n")) throw new Error("the text does not end with a line feed");
  const families = new Map<string, MetricFamily>();
  let help: { readonly name: string; readonly text: string } | null = null;
  let current: MetricFamily | null = null;
  for (const [at, line] of text.split("\n").entries()) {
    const wrong = (reason: string) => new Error(`line ${at + 1}: ${reason}: ${line}`);
    const comment = /^# (HELP|TYPE) (\S+) (.+)$/.exec(line);
    if (line === "") continue;
    if (comment !== null) {
      const [, kind, name = "", rest = ""] = comment;
      if (kind === "HELP") {
        if (help !== null || families.has(name)) throw wrong("a second HELP");
        help = { name, text: rest };
      } else {
        if (help?.name !== name) throw wrong("TYPE without HELP just before it");
        families.set(name, current = { name, help: help.text, type: rest, samples: [] });
        help = null;
      }
      continue;
    }
    const sample = sampleOf(line);
    if (sample === null) throw wrong("neither a comment nor a sample");
    if (help !== null || current === null || familyName(sample.name, current) !== current.name) {
      throw wrong("a sample outside its family");
    }
    const key = keyOf(sample);
    if (current.samples.some((other) => keyOf(other) === key)) throw wrong("a repeated sample");
    current.samples.push(sample);
  }
  if (help !== null) throw new Error(`${help.name} has HELP without TYPE`);
  return families;
}

/** The value of the sample with this name and at least these labels. Throws if there is not exactly one. */
export function valueIn(
  families: ReadonlyMap<string, MetricFamily>,
  name: string,
  labels: Readonly<Record<string, string>> = {},
): number {
  const samples = [...families.values()].flatMap(({ samples }) => samples).filter((sample) =>
    sample.name === name && Object.entries(labels).every(([label, value]) => sample.labels[label] === value)
  );
  const [sample] = samples;
  if (sample === undefined || samples.length > 1) {
    throw new Error(`${samples.length} samples are ${name}${JSON.stringify(labels)}`);
  }
  return sample.value;
}

/** A scrape without what depends on the process and the moment. */
export function withoutProcess(text: string): string {
  return text.replaceAll(/^process_.*\n/gm, "");
}

/** In which ways a metric breaks a convention. */
export function faultsOf({ name, help, type, samples }: MetricFamily): string[] {
  const words = name.split("_");
  const checks: readonly (readonly [boolean, string])[] = [
    [NAME.test(name), "is in lower case, with _ between words"],
    [name.startsWith("mkt_") || name.startsWith("process_"), "begins with mkt_ or process_"],
    [/^[A-Z0-9]/.test(help) && !help.endsWith("."), "has a help text that begins like a sentence, without a full stop"],
    [["counter", "gauge", "histogram"].includes(type), "is a counter, a gauge or a histogram"],
    [(type === "counter") === name.endsWith("_total"), "ends in _total if and only if it is a counter"],
    [!/_(count|sum|bucket)$/.test(name), "has no suffix of a histogram's samples"],
    [!words.some((word) => NOT_BASE_UNITS.has(word)), "is in a base unit: seconds, bytes, ratio"],
    [
      !words.some((word) => ["duration", "timestamp"].includes(word)) || /_seconds(_total)?$/.test(name),
      "ends in _seconds",
    ],
    [!words.includes("size") || name.endsWith("_bytes"), "ends in _bytes"],
    [
      samples.every(({ labels }) => Object.keys(labels).every((label) => NAME.test(label))),
      "has label names in lower case",
    ],
    [type !== "counter" || samples.every(({ value }) => value >= 0 && value < Infinity), "counts from 0"],
    [samples.every(({ value }) => !Number.isNaN(value)), "has no sample while its value is unknown"],
    [type !== "histogram" || isWholeHistogram(name, samples), "has ascending buckets up to +Inf, a sum and a count"],
  ];
  return checks.filter(([holds]) => !holds).map(([, rule]) => `${name} ${rule}`);
}

const NOT_BASE_UNITS = new Set(
  "ms us ns millis milliseconds microseconds nanoseconds minutes hours days kb mb kib mib kilobytes megabytes percent percentage"
    .split(" "),
);

function isWholeHistogram(name: string, samples: readonly MetricSample[]): boolean {
  const bySet = Map.groupBy(samples, ({ labels: { le: _le, ...labels } }) => JSON.stringify(labels));
  return [...bySet.values()].every((set) => {
    const buckets = set.filter((sample) => sample.name === `${name}_bucket`);
    const bounds = buckets.map(({ labels: { le = "" } }) => numberOf(le));
    const [count] = set.filter((sample) => sample.name === `${name}_count`);
    return bounds.length > 1 && bounds.at(-1) === Infinity && buckets.at(-1)?.value === count?.value &&
      set.some((sample) => sample.name === `${name}_sum`) &&
      buckets.every(({ value }, at) => at === 0 || bounds[at]! > bounds[at - 1]! && value >= buckets[at - 1]!.value);
  });
}

/** The name of the family that a sample of this name belongs to, if it belongs to `family`. */
function familyName(name: string, { type, name: family }: MetricFamily): string {
  return type === "histogram" && name.startsWith(family) ? name.replace(/_(bucket|sum|count)$/, "") : name;
}

function keyOf({ name, labels }: MetricSample): string {
  return `${name} ${JSON.stringify(Object.entries(labels).toSorted())}`;
}

function sampleOf(line: string): MetricSample | null {
  const [, name, labelText, number] = SAMPLE.exec(line) ?? [];
  if (name === undefined || number === undefined || !NUMBER.test(number)) return null;
  const labels: Record<string, string> = {};
  LABEL.lastIndex = 0;
  while (labelText !== undefined && LABEL.lastIndex < labelText.length) {
    const [, label, value = ""] = LABEL.exec(labelText) ?? [];
    if (label === undefined || Object.hasOwn(labels, label)) return null;
    labels[label] = value.replaceAll(/\\(.)/g, (_, character) => character === "n" ? "\n" : character);
  }
  return { name, labels, value: numberOf(number) };
}

function numberOf(text: string): number {
  return /^[+-]?inf$/i.test(text) ? (text.startsWith("-") ? -Infinity : Infinity) : Number(text);
}
