// The files of deploy/scaling fit each other and the program: variables exist, options parse, ports and names agree.
// tests/deploy checks what all files of deploy/ have in common.

import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { unknownVariables } from "../../core/config/variables.ts";
import { runMkt } from "../support/executable.ts";

interface Service {
  readonly image: string;
  readonly command?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly build?: { readonly context: string; readonly dockerfile: string };
  readonly deploy?: { readonly replicas: number };
  readonly depends_on?: readonly string[] | Readonly<Record<string, unknown>>;
}

const FOLDER = join(import.meta.dir, "../../deploy");
const read = (path: string) => Bun.file(join(FOLDER, path)).text();
const compose = Bun.YAML.parse(await read("scaling/compose.yaml")) as {
  readonly services: Readonly<Record<"engine" | "redis" | "replica" | "balancer", Service>>;
  readonly volumes: Readonly<Record<string, unknown>>;
};
const { engine, redis, replica, balancer } = compose.services;
const balancing = await read("scaling/haproxy.cfg");

describe("the compose file", () => {
  test("has an engine with data, Redis, three replicas and a balancer", () => {
    expect(Object.keys(compose.services).toSorted()).toEqual(["balancer", "engine", "redis", "replica"]);
    expect(replica.deploy?.replicas).toBe(3);
    expect(engine.command).toContain("--data");
    expect(Object.keys(replica.depends_on ?? {}).toSorted()).toEqual(["engine", "redis"]);
  });

  test("sets variables that mkt knows, and no secret in the file", () => {
    const others = ["MKT_ENGINE_ALLOWED_HOSTS"];
    for (const { environment = {} } of [engine, replica]) {
      expect(unknownVariables(environment, others)).toEqual([]);
      for (const [name, value] of Object.entries(environment)) {
        if (name.includes("TOKEN")) expect(value).toStartWith("/run/secrets/");
      }
    }
    expect(replica.environment?.["MKT_REDIS_URL"]).toContain("${REDIS_PASSWORD:?}@redis:6379");
  });

  test("gives the engine's command options that exist", async () => {
    const { stdout } = await runMkt(["engine", "--help"]);
    const [command, ...options] = engine.command ?? [];
    expect(command).toBe("engine");
    for (const option of options.filter((text) => text.startsWith("--"))) expect(stdout).toContain(`${option} <`);
  });

  test("keeps Redis from evicting, and its data over a restart", () => {
    const command = redis.command?.join(" ");
    expect(command).toContain("--maxmemory-policy noeviction");
    expect(command).toContain("--appendonly yes");
  });
});

test("the balancer passes requests to the port of the replicas, checks their health, and repeats only what was not sent", () => {
  const port = replica.environment?.["MCP_HTTP_PORT"];
  expect(balancing).toMatch(new RegExp(`server-template replica- \\d+ replica:${port} `));
  expect(balancing).toContain("uri /health");
  expect(balancing.match(/^ *retry-on .*$/gm)).toEqual(["  retry-on conn-failure"]);
  expect(JSON.stringify(balancer)).toContain("haproxy.cfg");
});
