import { describe, expect, test } from "bun:test";
import { LOCAL_URL } from "../../packaging/install-links/install-links.ts";
import { deployed, expectCommand, expectKnownVariables } from "./support.ts";

/** What the tests read of a service. */
interface Service {
  readonly build?: { readonly context: string; readonly dockerfile: string };
  readonly command?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly secrets?: readonly string[];
  readonly volumes?: readonly string[];
  readonly networks?: readonly string[];
  readonly ports?: readonly string[];
  readonly profiles?: readonly string[];
  readonly mem_limit?: string;
  readonly pids_limit?: number;
  readonly healthcheck?: { readonly test: readonly string[]; readonly start_period?: string };
  readonly depends_on?: readonly string[] | Readonly<Record<string, { readonly condition: string }>>;
  readonly deploy?: { readonly replicas: number };
}

interface ComposeFile {
  readonly services: Readonly<Record<string, Service>>;
  readonly volumes?: Readonly<Record<string, unknown>>;
  readonly networks?: Readonly<Record<string, { readonly internal?: boolean } | null>>;
  readonly secrets?: Readonly<Record<string, { readonly file: string }>>;
}

/** Of the Compose specification, those that these files use. */
const SERVICE_KEYS = new Set([
  ...["build", "image", "command", "environment", "secrets", "volumes", "networks", "ports", "profiles", "restart"],
  ...["read_only", "tmpfs", "cap_drop", "security_opt", "mem_limit", "pids_limit", "healthcheck", "depends_on"],
  ...["stop_grace_period", "logging", "deploy"],
]);

const FILES = ["compose.demo.yaml", "compose.yaml", "scaling/compose.yaml"];
const read = async (path: string) => Bun.YAML.parse(await deployed(path)) as ComposeFile;
const ours = ({ services }: ComposeFile) => Object.entries(services).filter(([, { build }]) => build !== undefined);

describe.each(FILES)("%s", (path) => {
  test("has only known keys, and names only services, volumes, networks and secrets that it declares", async () => {
    const file = await read(path);
    const topKeys = Object.keys(file).filter((key) => !key.startsWith("x-"));
    expect(["name", "services", "volumes", "networks", "secrets"]).toEqual(expect.arrayContaining(topKeys));
    for (const [name, service] of Object.entries(file.services)) {
      const unknown = Object.keys(service).filter((key) => !SERVICE_KEYS.has(key));
      expect({ name, unknown }).toEqual({ name, unknown: [] });
      const { depends_on = [], volumes = [], networks = [], secrets = [] } = service;
      const needed = Array.isArray(depends_on) ? depends_on : Object.keys(depends_on);
      expect(Object.keys(file.services)).toEqual(expect.arrayContaining(needed));
      const namedVolumes = volumes.map((volume) => volume.split(":")[0]).filter((source) => !source?.startsWith("."));
      expect(Object.keys(file.volumes ?? {})).toEqual(expect.arrayContaining(namedVolumes));
      expect(Object.keys(file.networks ?? {})).toEqual(expect.arrayContaining([...networks]));
      expect(Object.keys(file.secrets ?? {})).toEqual(expect.arrayContaining([...secrets]));
    }
  });

  test("uses variables, commands and options that mkt knows", async () => {
    for (const [, { environment = {}, command = [], healthcheck }] of ours(await read(path))) {
      expectKnownVariables(Object.keys(environment));
      await expectCommand(command);
      const [, program, ...probe] = healthcheck?.test ?? ["CMD", "mkt", "health"];
      expect(program).toBe("mkt");
      await expectCommand(probe);
    }
  });

  test("runs our containers read-only, without capabilities, and publishes on loopback alone", async () => {
    const file = await read(path);
    for (const [, service] of ours(file)) {
      expect(service).toMatchObject({
        build: { dockerfile: "deploy/Dockerfile" },
        read_only: true,
        tmpfs: ["/tmp"],
        cap_drop: ["ALL"],
        security_opt: ["no-new-privileges:true"],
      });
    }
    const ports = Object.values(file.services).flatMap((service) => service.ports ?? []);
    for (const port of ports) expect(port).toStartWith("127.0.0.1:");
  });
});

describe("compose.yaml", () => {
  test("keeps the engine's data, publishes only the MCP server, and leaves the engine without a way out", async () => {
    const { services: { engine, mcp, simulator }, networks } = await read("compose.yaml");
    expect(engine?.volumes).toEqual(["market:/data", "identity:/identity"]);
    expect(engine?.command?.slice(-4)).toEqual(["--data", "/data", "--identity", "/identity/market"]);
    expect([engine?.ports, simulator?.ports]).toEqual([undefined, undefined]);
    expect(mcp?.ports).toEqual(["127.0.0.1:4087:4087"]);
    expect(engine?.networks).toEqual(["market"]);
    expect(networks?.["market"]?.internal).toBe(true);
    expect(simulator?.profiles).toEqual(["simulator"]);
  });

  test("restarts, limits and stops every service, and waits for the engine", async () => {
    const file = await read("compose.yaml");
    for (const [name, service] of ours(file)) {
      expect(service).toMatchObject({ restart: "unless-stopped", stop_grace_period: "30s" });
      expect(service.mem_limit).toMatch(/^\d+g$/);
      expect(service.pids_limit).toBeGreaterThan(0);
      if (name !== "engine") expect(service.depends_on).toEqual({ engine: { condition: "service_healthy" } });
    }
  });

  test("asks for the user in a file that each command reads, and says so before the first one", async () => {
    const [commands = ""] = (await deployed("compose.yaml")).split("name: mkt");
    expect(commands.indexOf("> .env")).toBeGreaterThan(0);
    expect(commands.indexOf("> .env")).toBeLessThan(commands.indexOf("docker compose up"));
    // The folder's names are expanded by the caller's shell, before the folder belongs to the container's user.
    expect(commands.indexOf("secrets/*")).toBeLessThan(commands.indexOf("sudo chown -R"));
  });
});

describe.each(["compose.yaml", "scaling/compose.yaml"])("%s", (path) => {
  test("gives the engine time to upgrade its journal before those that wait for it give up", async () => {
    expect((await read(path)).services["engine"]?.healthcheck?.start_period).toBe("10m");
  });

  test("accepts the names by which clients on this machine reach the published port", async () => {
    const { mcp, replica } = (await read(path)).services;
    const environment = mcp?.environment ?? replica?.environment ?? {};
    const names = (variable: string) =>
      (environment[variable] ?? "").replace("${MKT_PUBLIC_HOST:-localhost}", "mkt.example");
    for (const variable of ["MCP_ALLOWED_HOSTS", "MCP_ALLOWED_ORIGINS"]) {
      expect(names(variable).split(",")).toEqual(["localhost", new URL(LOCAL_URL).hostname, "mkt.example"]);
    }
  });

  test("asks its MCP servers whether they are ready, which needs no token", async () => {
    const { mcp, replica } = (await read(path)).services;
    expect((mcp ?? replica)?.healthcheck?.test).toEqual(["CMD", "mkt", "health", `${new URL(LOCAL_URL).origin}/ready`]);
  });

  test("has tokens only in secrets, where the variables look for them", async () => {
    for (const [, { environment = {}, secrets = [] }] of ours(await read(path))) {
      const tokens = Object.entries(environment).filter(([name]) => /TOKEN|PASSWORD|SECRET/.test(name));
      expect(tokens.length).toBe(secrets.length);
      for (const [name, value] of tokens) {
        expect(name).toEndWith("_FILE");
        expect(secrets.map((secret) => `/run/secrets/${secret}`)).toContain(value);
      }
    }
  });
});

describe("scaling/compose.yaml", () => {
  test("has an engine with data, three replicas, a balancer, and Redis, which neither evicts nor forgets", async () => {
    const { services } = await read("scaling/compose.yaml");
    expect(Object.keys(services).toSorted()).toEqual(["balancer", "engine", "redis", "replica"]);
    expect(services["replica"]?.deploy?.replicas).toBe(3);
    expect(Object.keys(services["replica"]?.depends_on ?? {}).toSorted()).toEqual(["engine", "redis"]);
    expect(services["replica"]?.environment?.["MKT_REDIS_URL"]).toContain("${REDIS_PASSWORD:?}@redis:6379");
    expect(services["engine"]?.command).toContain("--data");
    const redis = services["redis"]?.command?.join(" ");
    expect(redis).toContain("--maxmemory-policy noeviction");
    expect(redis).toContain("--appendonly yes");
  });

  test("has a balancer that asks the replicas whether they are ready, and repeats only what was not sent", async () => {
    const { services: { replica, balancer } } = await read("scaling/compose.yaml");
    const balancing = await deployed("scaling/haproxy.cfg");
    const port = replica?.environment?.["MCP_HTTP_PORT"];
    const backends = balancing.split(/^backend /m).slice(1);
    expect(backends.map((text) => [/^\w+/.exec(text)?.[0], / uri (\S+) /.exec(text)?.[1]]))
      .toEqual([["ready", "/ready"], ["running", "/health"]]);
    for (const text of backends) expect(text).toMatch(new RegExp(`server-template replica- \\d+ replica:${port} `));
    expect(balancing).toContain("use_backend running if { nbsrv(ready) eq 0 }\n  default_backend ready");
    expect(balancing.match(/^ *retry-on .*$/gm)).toEqual(["  retry-on conn-failure"]);
    expect(JSON.stringify(balancer)).toContain("haproxy.cfg");
  });
});

test("compose.demo.yaml starts the demo, open only on this machine's loopback", async () => {
  const { services: { demo } } = await read("compose.demo.yaml");
  expect(demo?.command).toEqual(["demo"]);
  expect(demo?.environment).toEqual({ MCP_ALLOW_UNAUTHENTICATED: "1" });
  expect(demo?.ports).toEqual(["127.0.0.1:4087:4087"]);
});
