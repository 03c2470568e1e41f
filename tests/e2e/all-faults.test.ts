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
  const server = Object.keys(serverFaults).filter((name) => name !== "MCP_HTTP_HOST");
  const engineFaults = {
    MKT_ENGINE_MAX_DEPTH: "0",
    MKT_ENGINE_TOKEN_FILE: join(folder, "no-tokens"),
    MKT_ENGINE_ALLOWED_ORIGINS: "*",
  };
  const connection = ["MKT_HOST", "MKT_USER_ID"];
  const demoOptions = ["--port", "--engine-port", "--seed", "--preset", "--speed"];
  /** The options, each with a wrong value. */
  const options = (names: readonly string[]) => names.map((name) => `${name} x!`).join(" ");

  test.each<[string, string, Record<string, string>, string[]]>([
    ["", "", { ...serverFaults, ...telemetryFaults }, [...connection, ...server, ...telemetry]],
    ["tools", "", serverFaults, server],
    ["packs", "", serverFaults, server],
    ["call", "mkt_ping {", serverFaults, ["[json]", ...connection, ...server]],
    ["doctor", "", serverFaults, [...connection, ...server]],
    [
      "demo",
      `${options(demoOptions)} --accept-data-loss`,
      { ...serverFaults, ...engineFaults, MKT_BASE_URL: "", MCP_HTTP_PORT: "" },
      [...demoOptions, "--accept-data-loss", ...Object.keys(engineFaults), ...server].filter((name) =>
        !["MKT_BASE_URL", "MCP_HTTP_PORT"].includes(name)
      ),
    ],
    [
      "engine",
      `--market ${market} --audit azure --accept-data-loss --host 0.0.0.0 --port x!`,
      { ...engineFaults, ...telemetryFaults, MKT_ENGINE_TOKEN_FILE: "", LOG_LEVEL: "loud" },
      [
        ...["--port", "--accept-data-loss", "--host", market, "LOG_LEVEL"],
        ...["MKT_ENGINE_MAX_DEPTH", "MKT_ENGINE_ALLOWED_ORIGINS", ...telemetry],
      ],
    ],
    [
      "sim",
      "--host 0.0.0.0 --port x! --backend x!",
      { ...telemetryFaults, MKT_ENGINE_ALLOWED_HOSTS: "*", LOG_LEVEL: "loud" },
      ["--port", "--backend", "--host", "MKT_ENGINE_ALLOWED_HOSTS", "LOG_LEVEL", ...telemetry],
    ],
    ["simulate", `--market ${market} --seed x! --preset x!`, {}, ["--seed", "--preset", market]],
    ["replay", "--book b --levels x! --format x!", {}, ["--levels", "--format", "--messages"]],
    ["spot", options(["--seed", "--hours", "--format"]), {}, ["--seed", "--hours", "--format"]],
  ])("mkt %s", async (command, args, env, faults) => {
    const { exitCode, stdout, stderr } = await runMktHere(`${command} ${args}`.split(" ").filter(Boolean), env);
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: "" });
    expect(stderr).not.toContain("secret");
    const named = new Set(stderr.trimEnd().split("\n").map((line) => /^mkt: ([^:]+): /.exec(line)?.[1]));
    expect([...named].toSorted()).toEqual([...faults].toSorted());
  });
});
