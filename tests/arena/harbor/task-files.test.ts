// A task of Harbor, as a reader of the format sees it.

import { describe, expect, test } from "bun:test";
import { taskFiles } from "../../../arena/harbor/task-files.ts";
import { briefOf } from "../../../arena/start-episode.ts";
import { SMALL } from "../small-scenario.ts";

const SEED = 4_711;
const TOKEN = "a-token-of-the-judge";
const files = taskFiles({
  scenario: SMALL,
  seed: SEED,
  brief: briefOf(SMALL, SEED),
  version: "1.2.3",
  judgeToken: TOKEN,
});
const text = (name: string) => files.get(name)!;
// deno-lint-ignore no-explicit-any
const compose = Bun.YAML.parse(text("environment/docker-compose.yaml")) as any;

describe("task.toml", () => {
  // deno-lint-ignore no-explicit-any
  const task = Bun.TOML.parse(text("task.toml")) as any;

  test("names the task, its limits, and the MCP server as harnesses register it", () => {
    expect(task).toMatchObject({
      schema_version: "1.1",
      task: { name: `mkt/small-${SEED}`, description: expect.any(String), authors: [{ name: expect.any(String) }] },
      metadata: { scenario: "small", kind: "trading", grade: SMALL.grade },
      verifier: { timeout_sec: expect.any(Number) },
      agent: { timeout_sec: expect.any(Number) },
      environment: {
        cpus: 2,
        mcp_servers: [{ name: "mkt", transport: "streamable-http", url: "http://mkt:8090/mcp" }],
      },
    });
  });
});

test("the instruction has the brief", () => {
  expect(text("instruction.md")).toContain(briefOf(SMALL, SEED));
});

test("the agent's container waits until the episode is served, and the other one serves it", () => {
  const { main, mkt } = compose.services;
  expect(main).toEqual({ depends_on: { mkt: { condition: "service_healthy" } } });
  expect(mkt).toMatchObject({
    image: "${ARENA_IMAGE:-mkt:1.2.3}",
    command: expect.arrayContaining(["serve", "/scenario.json", `--seed=${SEED}`, "--http=8090", "--no-token"]),
    volumes: ["./scenario.json:/scenario.json:ro", "./judge-token:/judge-token:ro"],
    healthcheck: { test: ["CMD", "mkt", "health", "http://127.0.0.1:8091"] },
  });
  expect(JSON.parse(text("environment/scenario.json"))).toEqual(SMALL);
});

test("where the agent can read, there is neither the seed nor the judge's token nor the scenario", () => {
  for (const seen of [text("instruction.md"), text("environment/Dockerfile")]) {
    expect(seen).not.toContain(String(SEED));
    expect(seen).not.toContain(TOKEN);
  }
  expect(text("environment/Dockerfile")).not.toMatch(/^(COPY|ADD)/m);
});

test("the verifier and the solution are scripts that have the token", () => {
  for (const script of [text("tests/test.sh"), text("solution/solve.sh")]) {
    expect(script).toStartWith("#!/bin/sh\n");
    expect(script).toContain(`Bearer ${TOKEN}`);
  }
});
