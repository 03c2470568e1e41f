// What each part of a server makes `mkt doctor` say, without an engine. tests/plugins/doctor.test.ts has a real one.

import { describe, expect, test } from "bun:test";
import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { examine } from "../../../cli/doctor/doctor.ts";
import type { PubSub, Session } from "../../../core/backend/pubsub.ts";
import { ToolError } from "../../../core/error.ts";
import type { Runtime } from "../../../core/runtime.ts";
import { replaced } from "../../support/replaced.ts";
import { temporaryDirectory } from "../../support/temporary-directory.ts";
import { configurationFor, factsOf, pubsubThatIs, servicesWith } from "../../core/support/services.ts";

const NOW = Date.parse("2030-06-01T12:00:00Z");
const session: Session = { userId: "user-1", entityId: "ALPHA", capabilities: [], engineId: "engine-1", epoch: 1 };
const health = {
  ...{ status: "ok", engineId: "engine-1", version: "1.2.3", time: new Date(NOW).toISOString() },
  ...{ marketTime: "2030-06-02T00:00:00.000Z", clock: null, refusal: null },
};
const failed = (code: "not_configured" | "backend_unavailable") => () =>
  Promise.reject(new ToolError(code, "It is away.", "Start it."));

/** A server of which everything is well, with other parts. Nothing answers HTTP at its addresses. */
function runtimeWith(
  parts: Partial<Runtime> = {},
  services: Record<string, unknown> = {},
  environment: Record<string, string> = {},
): Runtime {
  const pubsub = { ...pubsubThatIs("connected"), session, connect: () => Promise.resolve(session) };
  const configuration = configurationFor({
    MKT_BASE_URL: "http://127.0.0.1:1",
    MKT_HOST: "127.0.0.1:1",
    ...environment,
  });
  return {
    ...{ packs: [{ name: "query" }, { name: "acme" }], failures: [], warnings: [], configuration },
    services: servicesWith({
      configuration,
      pubsub: pubsub as PubSub,
      backend: { health: () => Promise.resolve(health), entities: () => Promise.resolve([{}, {}]) },
      simulator: { status: () => Promise.resolve({ status: "running", totals: { connected: 7 } }) },
      audit: { query: () => Promise.resolve({ events: [], cursor: null }) },
      now: () => NOW,
      ...services,
    } as never),
    ...parts,
  } as unknown as Runtime;
}

async function findingOf(subject: string, runtime: Runtime, host: Parameters<typeof examine>[1] = {}) {
  const found = (await examine(runtime, host)).filter((each) => each.subject === subject);
  expect(found).toHaveLength(1);
  const { state, detail } = found[0]!;
  return [state, detail] as const;
}

const lockstep = { mode: "lockstep", speed: 0 };
const variable = (name: string, parts: object) => ({
  name,
  description: "d",
  secret: false,
  isSet: true,
  shown: "x",
  ...parts,
});
const acme = {
  name: "acme",
  origin: {
    file: "acme.ts",
    variables: [variable("ACME_ONE", { shown: "5" }), variable("ACME_KEY", { secret: true })],
  },
};

test.each<[string, string, string, Runtime]>([
  ["configuration", "ok", "acting as user-1", runtimeWith()],
  ["packs", "ok", "query, acme", runtimeWith()],
  [
    "packs",
    "failed",
    "a.ts: broken; b.ts: gone; old",
    runtimeWith({
      failures: [{ source: "a.ts", reason: "broken" }, { source: "b.ts", reason: "gone" }] as never,
      warnings: ["old"],
    }),
  ],
  ["packs", "warning", "old; slow", runtimeWith({ warnings: ["old", "slow"] })],
  ["pack acme", "ok", "ACME_ONE=5, ACME_KEY=[secret]", runtimeWith({ packs: [acme] as never })],
  ["backend HTTP", "ok", "http://127.0.0.1:1, engine engine-1, 2 entities", runtimeWith()],
  [
    "backend HTTP",
    "ok",
    "http://127.0.0.1:1, engine engine-1, 2 entities, market time 2030-06-02T00:00:00.000Z in lockstep",
    runtimeWith({}, {
      backend: {
        health: () => Promise.resolve({ ...health, clock: lockstep }),
        entities: () => Promise.resolve([{}, {}]),
      },
    }),
  ],
  [
    "backend HTTP",
    "ok",
    "http://127.0.0.1:1, engine engine-1, 1 entities, market time 2030-06-02T00:00:00.000Z at speed 60",
    runtimeWith({}, {
      backend: {
        health: () => Promise.resolve({ ...health, clock: { mode: "fast", speed: 60 } }),
        entities: () => Promise.resolve([{}]),
      },
    }),
  ],
  ["backend WebSocket", "ok", "ws://127.0.0.1:1/ws, engine engine-1, user-1 of ALPHA", runtimeWith()],
  [
    "backend WebSocket",
    "ok",
    "ws://127.0.0.1:1/ws, engine engine-1, user-1 of no entity",
    runtimeWith({}, {
      pubsub: {
        ...pubsubThatIs("connected"),
        facts: () => factsOf("connected", session),
        connect: () => Promise.resolve({ ...session, entityId: null }),
      },
    }),
  ],
  ["simulator", "ok", "http://127.0.0.1:1, running, 7 personas connected", runtimeWith()],
  ["simulator", "off", "It is away. Start it.", runtimeWith({}, { simulator: { status: failed("not_configured") } })],
  [
    "simulator",
    "failed",
    "It is away. Start it.",
    runtimeWith({}, {
      simulator: { status: failed("backend_unavailable") },
    }),
  ],
  ["storage", "ok", "audit store backend answers", runtimeWith({}, {}, { MKT_AUDIT_STORE: "backend" })],
  ["storage", "off", "It is away. Start it.", runtimeWith({}, { audit: { query: failed("not_configured") } })],
  ["storage", "failed", "It is away. Start it.", runtimeWith({}, { audit: { query: failed("backend_unavailable") } })],
  [
    "backend HTTP",
    "failed",
    "It is away. Start it.",
    runtimeWith({}, {
      backend: { health: failed("not_configured"), entities: () => Promise.resolve([]) },
    }),
  ],
  ["Redis", "off", "MKT_REDIS_URL is not set: replicas share nothing", runtimeWith()],
  ["kill switch", "off", "neither MKT_FREEZE_FILE nor MKT_REDIS_URL is set", runtimeWith()],
  ["kill switch", "ok", "not frozen; /x/freeze freezes", runtimeWith({}, {}, { MKT_FREEZE_FILE: "/x/freeze" })],
  [
    "kill switch",
    "failed",
    "frozen: prices look wrong; mkt thaw ends it",
    runtimeWith({}, {
      frozen: () => ({ reason: "prices look wrong", since: "2030-06-01T11:00:00Z" }),
    }, { MKT_FREEZE_FILE: "/x/freeze" }),
  ],
  [
    "kill switch",
    "failed",
    "frozen: no reason was given; mkt thaw ends it",
    runtimeWith({}, {
      frozen: () => ({ reason: null, since: "2030-06-01T11:00:00Z" }),
    }, { MKT_FREEZE_FILE: "/x/freeze" }),
  ],
])("the finding %s is %s: %s", async (subject, state, detail, runtime) => {
  expect(await findingOf(subject, runtime)).toEqual([state, detail] as never);
});

test("what is slow is waited for as long as its own client waits, and fails nothing else", async () => {
  // Every limit that the doctor sets itself is over at once.
  replaced(AbortSignal, "timeout", () => AbortSignal.abort(new DOMException("too late", "TimeoutError")));
  const slow = (value: object) => (...given: unknown[]) => {
    const over = given.find((each) => each instanceof AbortSignal && each.aborted) as AbortSignal | undefined;
    return over === undefined ? Promise.resolve(value) : Promise.reject(over.reason as Error);
  };
  const findings = await examine(runtimeWith({}, {
    backend: { health: slow({ ...health, clockJumpSeconds: 0 }), entities: slow([{}, {}]) },
    simulator: { status: slow({ status: "running", totals: { connected: 7 } }) },
    audit: { query: slow({ events: [], cursor: null }) },
  }, { MKT_AUDIT_STORE: "backend" }));
  for (const asked of ["backend HTTP", "backend WebSocket", "simulator", "storage", "clock"]) {
    expect([asked, findings.find(({ subject }) => subject === asked)?.state]).toEqual([asked, "ok"]);
  }
});

test("a fault of the doctor itself is not told as one of the server", async () => {
  const audit = { query: () => Promise.reject(new TypeError("a fault of mkt")) };
  await expect(examine(runtimeWith({}, { audit }))).rejects.toThrow("a fault of mkt");
});

describe("files with secrets that others may read", () => {
  const directory = temporaryDirectory();
  const path = join(directory, "secret");
  writeFileSync(path, "operator a-token-of-enough-length *\n");
  chmodSync(path, 0o644);
  const clientKeys = ["", "TRACES_", "METRICS_"].map((signal) => `OTEL_EXPORTER_OTLP_${signal}CLIENT_KEY`);

  test.each(["DOTENV_PATH", "MKT_BEARER_TOKEN_FILE", "MKT_ENGINE_TOKEN_FILE", ...clientKeys])(
    "are named by %s",
    async (name) => {
      const [state, detail] = await findingOf("file modes", runtimeWith(), { environment: { [name]: path } });
      expect([state, detail.split(":")[0]]).toEqual(["warning", name]);
    },
  );

  test("are named by MCP_BEARER_TOKEN_FILE, and are well if nobody else may read them", async () => {
    const tokens = join(directory, "tokens");
    writeFileSync(tokens, "desk a-token-of-enough-length person\n", { mode: 0o600 });
    const runtime = runtimeWith({}, {}, { MCP_HTTP_PORT: "0", MCP_BEARER_TOKEN_FILE: tokens });
    expect(await findingOf("file modes", runtime)).toEqual(["ok", "what is private is the owner's alone"]);
    chmodSync(tokens, 0o644);
    const [state, detail] = await findingOf("file modes", runtime);
    expect([state, detail.split(":")[0]]).toEqual(["warning", "MCP_BEARER_TOKEN_FILE"]);
  });
});

test("only a folder that is a data directory counts for disk, modes and open files", async () => {
  const data = temporaryDirectory();
  chmodSync(data, 0o777);
  writeFileSync(join(data, "notes"), "");
  const host = { data, engineConnections: 100_000_000 };
  expect((await findingOf("data directory", runtimeWith(), host))[0]).toBe("failed");
  expect((await findingOf("disk space", runtimeWith(), host))[0]).toBe("off");
  expect((await findingOf("file modes", runtimeWith(), host))[0]).toBe("off");
  expect((await findingOf("open files", runtimeWith(), host))[1]).not.toContain("100000100");
  writeFileSync(join(data, "journal.sqlite"), "");
  expect((await findingOf("data directory", runtimeWith(), host))[0]).toBe("ok");
  expect((await findingOf("disk space", runtimeWith(), host))[1]).toContain(`${data} (--data)`);
  expect((await findingOf("file modes", runtimeWith(), host))[0]).toBe("failed");
  expect((await findingOf("open files", runtimeWith(), host))[1]).toContain("100000100");
});
