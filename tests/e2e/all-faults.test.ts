// One run of a command names all faults of its options, its variables and its files.

import { describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { runMktHere } from "../support/command-line-here.ts";

import { temporaryDirectory } from "../support/temporary-directory.ts";

const folder = temporaryDirectory();

describe("all faults are named by one run:", () => {
  const market = join(folder, "market.json");
  writeFileSync(market, JSON.stringify({ contracts: [], surprise: 1 }));
  const serverFaults = {
    MKT_BASE_URL: "engine",
    MCP_HTTP_PORT: "http",
    MCP_HTTP_HOST: "0.0.0.0",
    MCP_ALLOWED_HOSTS: "*",
    MCP_BEARER_TOKEN_FILE: join(folder, "no-tokens"),
    MKT_CALL_LOG: join(folder, "none", "calls"),
    MKT_PACKS: "qurey",
    LOG_LEVEL: "loud",
  };
  const telemetryFaults = {
    OTEL_EXPORTER_OTLP_ENDPOINT: "localhost:4317",
    OTEL_EXPORTER_OTLP_HEADERS: "secret-without-a-name",
    OTEL_TRACES_SAMPLER: "sometimes",
  };
  const telemetry = Object.keys(telemetryFaults);
  const server = [...Object.keys(serverFaults).filter((name) => name !== "MCP_HTTP_HOST")];
  const engineFaults = {
    MKT_ENGINE_MAX_DEPTH: "0",
    MKT_ENGINE_TOKEN_FILE: join(folder, "no-tokens"),
    MKT_ENGINE_ALLOWED_ORIGINS: "*",
  };
  const options = (...names: string[]) => names.flatMap((name) => [name, "x!"]);

  test.each<[string, string[], Record<string, string>, string[]]>([
    ["mkt", [], { ...serverFaults, ...telemetryFaults }, ["MKT_HOST", "MKT_USER_ID", ...server, ...telemetry]],
    ["mkt tools", ["tools"], serverFaults, server],
    ["mkt packs", ["packs"], serverFaults, server],
    ["mkt call", ["call", "mkt_ping", "{"], serverFaults, ["[json]", "MKT_HOST", "MKT_USER_ID", ...server]],
    ["mkt doctor", ["doctor"], serverFaults, ["MKT_HOST", "MKT_USER_ID", ...server]],
    [
      "mkt demo",
      ["demo", ...options("--port", "--engine-port", "--seed", "--preset", "--speed"), "--accept-data-loss"],
      { ...serverFaults, ...engineFaults, MKT_BASE_URL: "", MCP_HTTP_PORT: "" },
      [
        ...["--port", "--engine-port", "--seed", "--preset", "--speed", "--accept-data-loss"],
        ...[...Object.keys(engineFaults), ...server].filter((name) =>
          !["MKT_BASE_URL", "MCP_HTTP_PORT"].includes(name)
        ),
      ],
    ],
    [
      "mkt engine",
      [
        "engine",
        "--market",
        market,
        "--audit",
        "azure",
        "--accept-data-loss",
        "--host",
        "0.0.0.0",
        ...options("--port"),
      ],
      { ...engineFaults, ...telemetryFaults, MKT_ENGINE_TOKEN_FILE: "", LOG_LEVEL: "loud" },
      [
        ...["--port", "--accept-data-loss", "--host", market, "LOG_LEVEL"],
        ...["MKT_ENGINE_MAX_DEPTH", "MKT_ENGINE_ALLOWED_ORIGINS", ...telemetry],
      ],
    ],
    [
      "mkt sim",
      ["sim", "--host", "0.0.0.0", ...options("--port", "--backend")],
      { ...telemetryFaults, MKT_ENGINE_ALLOWED_HOSTS: "*", LOG_LEVEL: "loud" },
      ["--port", "--backend", "--host", "MKT_ENGINE_ALLOWED_HOSTS", "LOG_LEVEL", ...telemetry],
    ],
    ["mkt simulate", ["simulate", "--market", market, ...options("--seed", "--preset")], {}, [
      ...["--seed", "--preset", market],
    ]],
    ["mkt replay", ["replay", "--book", "b", ...options("--levels", "--format")], {}, [
      ...["--levels", "--format", "--messages"],
    ]],
    ["mkt spot", ["spot", ...options("--seed", "--hours", "--format")], {}, ["--seed", "--hours", "--format"]],
  ])("%s", async (_name, args, env, faults) => {
    const { exitCode, stdout, stderr } = await runMktHere(args, env);
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: "" });
    expect(stderr).not.toContain("secret");
    const named = new Set(stderr.trimEnd().split("\n").map((line) => /^mkt: ([^:]+): /.exec(line)?.[1]));
    expect([...named].toSorted()).toEqual([...faults].toSorted());
  });
});
