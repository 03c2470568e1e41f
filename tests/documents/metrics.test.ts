import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { ERROR_CODES } from "../../core/error.ts";
import { REPOSITORY } from "../../packaging/identity.ts";
import { PACKS } from "../../plugins/index.ts";
import { everyMetric, type Family, labelsOf, withMetricTables } from "../../scripts/metric-table.ts";
import { run } from "../support/processes.ts";
import { readQuery } from "../support/promql.ts";

const ROOT = join(import.meta.dir, "../..");
const read = (path: string) => Bun.file(join(ROOT, path)).text();
const RULES = "deploy/prometheus/mkt-alerts.yml";
const PROMTOOL = Bun.which("promtool");

interface Rule {
  readonly alert: string;
  readonly expr: string;
  readonly labels: { readonly severity: string };
  readonly annotations: { readonly summary: string; readonly description: string; readonly runbook_url: string };
}

interface Panel {
  readonly id: number;
  readonly type: string;
  readonly title: string;
  readonly gridPos: { readonly x: number; readonly y: number; readonly w: number; readonly h: number };
  readonly datasource?: { readonly uid: string };
  readonly fieldConfig?: { readonly defaults: { readonly unit?: string } };
  readonly targets?: readonly { readonly expr: string; readonly datasource: { readonly uid: string } }[];
}

interface Dashboard {
  readonly panels: readonly Panel[];
  readonly templating: { readonly list: readonly { readonly name: string; readonly definition?: string }[] };
}

const { groups } = Bun.YAML.parse(await read(RULES)) as {
  readonly groups: readonly { readonly name: string; readonly rules: readonly Rule[] }[];
};
const rules = groups.flatMap(({ rules }) => rules);
const scraping = Bun.YAML.parse(await read("deploy/prometheus/prometheus.yml")) as {
  readonly rule_files: readonly string[];
  readonly scrape_configs: readonly { readonly job_name: string }[];
};
const dashboard = await Bun.file(join(ROOT, "deploy/grafana/mkt.json")).json() as Dashboard;
const panels = dashboard.panels.filter(({ type }) => type !== "row");

const families = new Map<string, Family[]>();
for (const family of Object.values(await everyMetric()).flat()) {
  const suffixes = String(family.type) === "histogram" ? ["_bucket", "_sum", "_count"] : [""];
  for (const suffix of suffixes) {
    const name = `${family.name}${suffix}`;
    families.set(name, [...families.get(name) ?? [], family]);
  }
}
/** Made by Prometheus itself. */
const OF_PROMETHEUS: Readonly<Record<string, readonly string[]>> = { up: [], ALERTS: ["alertname", "alertstate"] };
const TARGET_LABELS = ["job", "instance"];
const JOBS = ["mkt-engine", "mkt-server", "mkt-simulator"];

/** What is wrong with a query: metrics and labels that mkt does not have, and values that a label never has. */
function faultsIn(query: string): string[] {
  const { selectors, groups } = readQuery(query);
  const faults: string[] = [];
  const known = new Set(TARGET_LABELS);
  for (const { metric, matchers } of selectors) {
    const labels = labelNames(metric);
    if (labels === null) faults.push(`there is no metric ${metric}`);
    for (const label of labels ?? []) known.add(label);
    for (const { label, operator, value } of matchers) {
      if (labels !== null && ![...labels, ...TARGET_LABELS].includes(label)) {
        faults.push(`${metric} has no label ${label}`);
      }
      const values = operator.includes("~") ? value.split("|") : [value];
      faults.push(...values.filter((each) => !mayHave(metric, label, each)).map((each) => `${label} is never ${each}`));
    }
  }
  return [...faults, ...groups.filter((label) => !known.has(label)).map((label) => `nothing has the label ${label}`)];
}

function labelNames(metric: string): string[] | null {
  const own = OF_PROMETHEUS[metric];
  if (own !== undefined) return [...own];
  const all = families.get(metric);
  if (all === undefined) return null;
  return [...new Set(all.flatMap(labelsOf)), ...metric.endsWith("_bucket") ? ["le"] : []];
}

const TOOLS = PACKS.flatMap(({ tools }) => tools.map(({ name }) => name));

function mayHave(metric: string, label: string, value: string): boolean {
  if (value.startsWith("$") || ["alertname", "alertstate", "instance"].includes(label)) return true;
  if (label === "job") return JOBS.some((job) => new RegExp(`^${value}$`).test(job));
  if (label === "tool") return TOOLS.some((tool) => new RegExp(`^${value}$`).test(tool));
  if (label === "outcome" && metric === "mkt_tool_calls_total") {
    return (ERROR_CODES as readonly string[]).includes(value);
  }
  if (label === "status" && metric.includes("http_requests")) return /^[1-5]\d\d$/.test(value);
  return (families.get(metric) ?? []).some(({ values }) =>
    values.some(({ labels }) => (labels as Record<string, unknown>)[label] === value)
  );
}

test.each([
  ['sum by (tool) (rate(mkt_tool_calls_total{outcome!="timeout"}[5m])) / on (job) 2 * up', []],
  ["rate(mkt_calls_total[5m])", ["there is no metric mkt_calls_total"]],
  ["mkt_tool_call_duration_seconds", ["there is no metric mkt_tool_call_duration_seconds"]],
  ['mkt_frozen{tool="mkt_ping"}', ["mkt_frozen has no label tool"]],
  ["sum(up) by (colour)", ["nothing has the label colour"]],
  ["sum without (colour) (up)", ["nothing has the label colour"]],
  ['mkt_pubsub_status{status=~"connected|gone"}', ["status is never gone"]],
  ['mkt_engine_requests_total{outcome!="fine"}', ["outcome is never fine"]],
  ['up{job="mkt"}', ["job is never mkt"]],
])("the check of %s finds %j", (query, faults) => {
  expect(faultsIn(query)).toEqual(faults);
});

describe("the alert rules", () => {
  test("read metrics and labels that mkt has", () => {
    expect(rules.length).toBeGreaterThan(20);
    expect(rules.flatMap(({ alert, expr }) => faultsIn(expr).map((fault) => `${alert}: ${fault}`))).toEqual([]);
  });

  test("have a name of their own, a severity, a summary, and what to do", () => {
    expect(new Set(rules.map(({ alert }) => alert)).size).toBe(rules.length);
    for (const { alert, labels, annotations: { summary, description } } of rules) {
      expect(alert).toMatch(/^Mkt[A-Z][A-Za-z]+$/);
      expect(["critical", "warning", "info"]).toContain(labels.severity);
      expect(summary).toContain("{{ $labels.instance }}");
      expect(summary).not.toEndWith(".");
      expect(description).toMatch(/^[A-Z0-9`m].{30,}\.$/);
    }
  });

  test("link to headings of the documents", async () => {
    for (const { annotations: { runbook_url: url } } of rules) {
      const [page = "", anchor = ""] = url.split("#");
      expect(page).toStartWith(`${REPOSITORY}/blob/main/docs/`);
      const headings = [...(await read(page.slice(`${REPOSITORY}/blob/main/`.length))).matchAll(/^#+ (.+)$/gm)]
        .map(([, title = ""]) => title.toLowerCase().replaceAll(/[^\w\s-]/g, "").replaceAll(" ", "-"));
      expect(headings).toContain(anchor);
    }
  });

  test("are named in the section on alerts if they link it", async () => {
    const [, section = ""] = (await read("docs/operations.md")).split("\n## Alerts\n");
    const linked = rules.filter(({ annotations }) => annotations.runbook_url.endsWith("#alerts"));
    expect(linked.map(({ alert }) => alert).filter((alert) => !section.includes(alert))).toEqual([]);
  });

  test("have tests, each of them", async () => {
    const tests = await read("deploy/prometheus/mkt-alerts.test.yml");
    expect(rules.map(({ alert }) => alert).filter((alert) => !tests.includes(`alertname="${alert}"`))).toEqual([]);
  });

  test("belong to the scrape example, with the jobs that they name", () => {
    expect(scraping.rule_files.map((file) => `deploy/prometheus/${file}`)).toEqual([RULES]);
    expect(scraping.scrape_configs.map(({ job_name: name }) => name)).toEqual(JOBS.slice(0, 2));
  });

  test.skipIf(PROMTOOL === null)("pass promtool's check and their own tests", async () => {
    const checks = [
      ["check", "rules", RULES],
      ["check", "config", "--syntax-only", "deploy/prometheus/prometheus.yml"],
      ["test", "rules", "deploy/prometheus/mkt-alerts.test.yml"],
    ];
    for (const args of checks) {
      const { exitCode, stdout, stderr } = await run([PROMTOOL!, ...args], { cwd: ROOT });
      expect({ exitCode, output: exitCode === 0 ? "" : stdout + stderr }).toEqual({ exitCode: 0, output: "" });
    }
  });
});

const panelQueries = panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr));

describe("the dashboard", () => {
  test("reads metrics and labels that mkt has", () => {
    expect(panels.length).toBeGreaterThan(40);
    expect(panelQueries.flatMap((expr) => faultsIn(expr).map((fault) => `${expr}: ${fault}`))).toEqual([]);
  });

  test("asks only mkt's jobs for what every target of Prometheus has", () => {
    const queries = [...rules.map(({ expr }) => expr), ...panelQueries];
    const shared = queries.flatMap((query) => readQuery(query).selectors)
      .filter(({ metric }) => metric === "up" || metric.startsWith("process_"));
    expect(shared.length).toBeGreaterThan(5);
    expect(shared.filter(({ matchers }) => !matchers.some(({ label }) => label === "job"))).toEqual([]);
  });

  test("shows every metric", () => {
    const shown = new Set(panelQueries.flatMap((query) => readQuery(query).selectors.map(({ metric }) => metric)));
    const isShown = (family: Family) => ["", "_bucket"].some((suffix) => shown.has(`${family.name}${suffix}`));
    const missing = [...new Set([...families.values()].flat())].filter((family) => !isShown(family));
    expect([...new Set(missing.map(({ name }) => name))].toSorted()).toEqual([
      // A number that only grows, which tells nothing by itself.
      "mkt_engine_event_number",
      // Open files are shown beside it in the alert.
      "process_max_fds",
    ]);
  });

  test("asks the data source that is chosen, and its variables ask metrics that mkt has", () => {
    for (const { datasource, targets = [] } of panels) {
      for (const uid of [datasource?.uid, ...targets.map(({ datasource }) => datasource.uid)]) {
        expect(uid).toBe("${datasource}");
      }
    }
    const [first, ...others] = dashboard.templating.list;
    expect(first?.name).toBe("datasource");
    for (const { definition = "" } of others) {
      expect(faultsIn(/^label_values\((.*), instance\)$/.exec(definition)?.[1] ?? "none")).toEqual([]);
    }
    const names = dashboard.templating.list.map(({ name }) => name);
    const used = JSON.stringify(panels).matchAll(/\$\{?(\w+)/g);
    expect([...used].map(([, name = ""]) => name).filter((name) => !names.includes(name) && !name.startsWith("__")))
      .toEqual([]);
  });

  test("has panels with a unit, a place and a number of their own", () => {
    expect(new Set(dashboard.panels.map(({ id }) => id)).size).toBe(dashboard.panels.length);
    for (const { title, type, fieldConfig } of panels) {
      if (type !== "heatmap") {
        expect({ title, unit: fieldConfig?.defaults.unit }).toEqual({ title, unit: expect.any(String) });
      }
    }
    const cells = dashboard.panels.flatMap(({ gridPos: { x, y, w, h } }) =>
      Array.from({ length: w * h }, (_, cell) => `${x + cell % w}/${y + Math.floor(cell / w)}`)
    );
    expect(new Set(cells).size).toBe(cells.length);
    expect(dashboard.panels.every(({ gridPos: { x, w } }) => x + w <= 24)).toBe(true);
  });
});

test("docs/telemetry.md has the tables of metrics that mkt gives, and names the files of deploy/", async () => {
  const document = await read("docs/telemetry.md");
  expect(await withMetricTables(document)).toBe(document);
  for (const path of ["deploy/prometheus/prometheus.yml", RULES, "deploy/grafana/mkt.json"]) {
    expect(document).toContain(`(../${path})`);
  }
});
