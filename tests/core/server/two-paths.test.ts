// The plain path and the path through the SDK are one behaviour: the same requests, valid and broken, go through both, and
// status, headers, body, timeouts, call log and metrics are compared (two-paths/comparison.ts names what may differ).
//
// A run draws its own seed. A failure names the seed and the number of the request, and
// `MKT_TEST_SEED=s MKT_TEST_REQUEST=n bun test two-paths` sends that request alone.

import { afterAll, beforeAll, expect, jest, test } from "bun:test";
import { type LastSteps, SEED, withSeedInFailures } from "../../support/seed.ts";
import { LONG, size } from "../../support/sizes.ts";
import { differences, requestStateOf } from "./two-paths/comparison.ts";
import { bytesOf, objectIn, textOf } from "./two-paths/drafts.ts";
import { type GeneratedRequest, generatedRequest, ODDITIES, shown, type Source } from "./two-paths/requests.ts";
import { type Setting, settings } from "./two-paths/settings.ts";
import { type Observed, Twins } from "./two-paths/twins.ts";
import { withoutProcess } from "../../support/metrics-text.ts";
import { argumentPool, ERAS } from "./two-paths/usual-requests.ts";

const REQUESTS = size(850, 400_000);
/** After so many requests the market is connected and open again, and time passes. */
const GROUP = 20;
const INPUTS_FOR_EACH_TOOL = size(4, 400);
/** Kinds that a short run sees a few times, but not surely. */
const RARE = ["subscriptions/listen", "outcome asked", "answered questions"];
const ONLY = process.env["MKT_TEST_REQUEST"];

beforeAll(() => void jest.useFakeTimers());
afterAll(() => void jest.useRealTimers());

/** How many requests there were of each kind. */
const counts = new Map<string, number>();
const count = (kind: string) => counts.set(kind, (counts.get(kind) ?? 0) + 1);
let sent = 0;
let plain = 0;

/** Throws if the answers differ. */
function compare(setting: Setting, request: GeneratedRequest, [one, other]: readonly [Observed, Observed]): void {
  const different = differences(one, other);
  if (different !== "" || (one.answeredBySdk && !other.answeredBySdk)) {
    throw new Error(`setting "${setting.name}", ${shown(request)}\n=> ${different}`);
  }
  sent += 1;
  if (other.answeredBySdk && !one.answeredBySdk) {
    plain += 1;
    count(`plain ${request.kind}`);
  }
  count(`${request.era}`);
  count(request.kind);
  count(`status ${other.status}`);
  for (const { outcome } of other.records) count(`outcome ${outcome}`);
  for (const name of request.odd) count(`odd ${name}`);
}

/** The same call with a person's answer, if both answers were questions. */
async function answer(twins: Twins, request: GeneratedRequest, observed: readonly [Observed, Observed]): Promise<void> {
  const states = observed.map(requestStateOf);
  if (states[0] === undefined || states[1] === undefined) return;
  const body = (requestState: string | undefined) => {
    const message = structuredClone(request.message);
    const agree = request.number % 3 !== 0;
    Object.assign(objectIn(message, "params") ?? {}, {
      requestState,
      inputResponses: { confirmation: { action: "accept", content: { agree } } },
    });
    return bytesOf(textOf(message));
  };
  compare(twins.setting, request, await twins.send(request, [body(states[0]), body(states[1])]));
  count("answered questions");
}

async function run(setting: Setting, seed: number, requests: number, steps: LastSteps): Promise<void> {
  const twins = await Twins.of(setting);
  const tools = [...twins.sdk.dispatcher.catalogue.names].flatMap((name) =>
    twins.sdk.dispatcher.catalogue.get(name) ?? []
  );
  const source: Source = {
    seed,
    pool: argumentPool(tools, seed, INPUTS_FOR_EACH_TOOL),
    authorizations: setting.authorizations ?? [],
  };
  for (let number = 0; number < requests; number += 1) {
    if (ONLY !== undefined && number !== Number(ONLY)) continue;
    if (number % GROUP === 0) {
      await twins.settle();
      jest.advanceTimersByTime(700);
    }
    const request = generatedRequest(source, number);
    steps.add(`${number}: ${request.method} ${request.target}, ${request.kind}`);
    const observed = await twins.send(request);
    compare(setting, request, observed);
    await answer(twins, request, observed);
  }
  const [plain, sdk] = [await twins.plain.metrics.text(), await twins.sdk.metrics.text()];
  expect(withoutProcess(plain)).toBe(withoutProcess(sdk));
}

const all = settings();
const total = all.reduce((sum, { weight }) => sum + weight, 0);

test.each(all.map((setting, at) => [setting.name, setting, SEED + at] as const))(
  "%s: both paths give the same answers",
  async (_name, setting, seed) => {
    await withSeedInFailures((steps) => run(setting, seed, Math.ceil(REQUESTS * setting.weight / total), steps));
  },
);

test("a call without arguments runs on both paths", async () => {
  const { plain, sdk } = await Twins.of(all[0] ?? expect.unreachable());
  const headers = { "Host": "localhost", "Content-Type": "application/json" };
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "mkt_ping" } });
  for (const { fetch } of [plain, sdk]) {
    const response = await fetch(new Request("http://localhost/mcp", { method: "POST", headers, body }));
    expect(await response.json()).toMatchObject({ id: 1, result: { structuredContent: { status: "ok" } } });
  }
});

test("the comparison saw requests of every kind, and enough of them on the plain path", () => {
  const figures = [...counts].sort(([one], [other]) => one < other ? -1 : 1).map(([kind, many]) => `${kind}: ${many}`);
  if (LONG) console.log(`${sent} requests, ${plain} on the plain path\n${figures.join("\n")}`);
  if (ONLY !== undefined) return;
  expect(sent).toBeGreaterThanOrEqual(REQUESTS);
  expect(plain / sent).toBeGreaterThan(0.4);
  const kinds = [
    ...["tools/call", "tools/list", "ping", "server/discover"].map((method) => `plain ${method}`),
    ...ERAS.map(([, era]) => era),
    ...[200, 202, 400, 401, 403, 404, 405, 413, 415, 429].map((status) => `status ${status}`),
    ...["ok", "rejected", "timeout", "forbidden", "frozen", "internal"].map((outcome) => `outcome ${outcome}`),
    ...ODDITIES.map(({ name }) => `odd ${name}`),
    ...["batch", "initialize", "resources/read", "no message"],
    ...(LONG ? RARE : []),
  ];
  expect(kinds.filter((kind) => !counts.has(kind))).toEqual([]);
});
