// The control routes of a simulator, without an engine: what each asks of the caller and of the simulator, and each refusal.

import { Hono } from "hono";
import { expect, test } from "bun:test";
import { DEFAULT_ENGINE_LIMITS } from "../../../common/http/guards/engine-limits.ts";
import { withJsonErrors } from "../../../common/http/http-app.ts";
import { logger } from "../../../common/logger.ts";
import { controlRoutes } from "../../../sim/live/control-routes.ts";
import { SimulatorRefusal } from "../../../sim/live/simulator-refusal.ts";

/** Routes whose caller holds `permissions`, over a simulator that answers with its call, or does `answer`. */
function routes(permissions: string[], answer?: () => unknown) {
  const required: (string | null)[] = [];
  const called = (name: string) => (...given: unknown[]) => answer === undefined ? { name, given } : answer();
  const simulator = {
    start: called("start"),
    stop: called("stop"),
    spot: called("spot"),
    trigger: called("trigger"),
    status: () => ({ status: "running", seed: 7 }),
  };
  const app = controlRoutes(simulator as never, {
    limits: DEFAULT_ENGINE_LIMITS,
    routes: () => withJsonErrors(new Hono(), logger("test")),
    requires:
      (permission: string | null) =>
      (context: { set: (name: string, value: unknown) => void }, next: () => Promise<void>) => {
        required.push(permission);
        context.set("user", { permissions: new Set(permissions) });
        return next();
      },
  } as never);
  const ask = async (method: string, path: string, body?: unknown) => {
    const init = { method, ...(body === undefined ? {} : { body: JSON.stringify(body) }) };
    const response = await app.request(`/api/sim/${path}`, init);
    return { status: response.status, body: await response.json(), required: required.splice(0) };
  };
  return ask;
}

const event = { type: "heat_wave", size: 2, durationHours: 3 };

test.each<[string, string, unknown, string | null, string, unknown[]]>([
  ["POST", "start", { preset: "thin", seed: 3 }, "Market.Operate", "start", [{ preset: "thin", seed: 3 }]],
  ["POST", "start", undefined, "Market.Operate", "start", [{}]],
  ["POST", "stop", undefined, "Market.Operate", "stop", []],
  ["GET", "spot?hours=5", undefined, null, "spot", [5]],
  ["GET", "spot", undefined, null, "spot", [expect.any(Number)]],
  ["POST", "events", event, "Market.Operate", "trigger", [expect.objectContaining({ type: "heat_wave", size: 2 })]],
])("%s %s with %p asks for %s and is the simulator's %s", async (method, path, body, permission, name, given) => {
  expect(await routes(permission === null ? [] : [permission])(method, path, body)).toEqual({
    status: 200,
    body: { name, given },
    required: [permission],
  });
});

test("the seed is told to who operates the market alone", async () => {
  const seen = async (...permissions: string[]) => (await routes(permissions)("GET", "status"));
  const required = ["Market.View"];
  expect(await seen("Market.View")).toEqual({ status: 200, body: { status: "running", seed: null }, required });
  expect(await seen("Market.View", "Market.Operate")).toMatchObject({ body: { status: "running", seed: 7 }, required });
});

test.each([["POST", "start"], ["POST", "stop"], ["GET", "status"], ["GET", "spot"]])(
  "%s %s refuses what it does not know",
  async (method, path) => {
    const answer = method === "GET" ? routes([])(method, `${path}?more=1`) : routes([])(method, path, { more: 1 });
    const code = method === "GET" ? "invalid_query" : "invalid_payload";
    expect(await answer).toMatchObject({ status: 400, body: { error: { code } } });
  },
);

test.each(
  [
    ["invalid_payload", 400],
    ["already_running", 409],
    ["stopping", 409],
    ["not_running", 409],
    ["engine_unavailable", 503],
  ] as const,
)("a refusal %s of the simulator has the status %d in each route that may refuse", async (code, status) => {
  const refusals: (() => unknown)[] = [
    () => Promise.reject(new SimulatorRefusal(code, "not now")),
    () => {
      throw new SimulatorRefusal(code, "not now");
    },
  ];
  for (const refuse of refusals) {
    const ask = routes([], refuse);
    for (
      const [method, path, body] of [["POST", "start"], ["POST", "stop"], ["GET", "spot"], ["POST", "events", event]]
    ) {
      expect(await ask(method as string, path as string, body)).toMatchObject({
        status,
        body: { error: { code, message: "not now" } },
      });
    }
  }
  const broken = await routes([], () => Promise.reject(new Error("a secret")))("POST", "stop");
  expect([broken.status, JSON.stringify(broken.body).includes("secret")]).toEqual([500, false]);
});
