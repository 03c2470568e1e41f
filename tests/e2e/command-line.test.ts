// The command line of the compiled executable: what it prints, and its exit status.

import { describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { PACKS } from "../../plugins/index.ts";
import packageJson from "../../package.json" with { type: "json" };
import { runMktHere } from "../support/command-line-here.ts";
import { MKT, runMkt, startEngineProcess } from "../support/executable.ts";
import { run } from "../support/processes.ts";
import { NO_BACKEND } from "../support/http-requests.ts";
import { startPowerMarket } from "../support/power-market.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";

const namesOf = (tools: readonly { readonly name: string }[]) => tools.map(({ name }) => name);

const engine = await startPowerMarket();
const guarded = await startPowerMarket({ token: "a-token-of-enough-length" });
const ANNA = engine.environmentFor("anna");
const directory = temporaryDirectory();

async function fileWith(name: string, text: string): Promise<string> {
  const path = join(directory, name);
  await Bun.write(path, text);
  return path;
}

describe("mkt", () => {
  test("--version prints the one version number", async () => {
    expect(await runMkt(["--version"])).toEqual({ exitCode: 0, stdout: `${packageJson.version}\n`, stderr: "" });
  });

  test("--help names every command", async () => {
    const { exitCode, stdout } = await runMktHere(["--help"]);
    expect(exitCode).toBe(0);
    const commands = ["demo", "engine", "tools", "packs", "pack-types", "call", "watch", "doctor", "client-config"];
    for (const command of [...commands, "replay", "spot"]) expect(stdout).toContain(command);
  });

  test("reads DOTENV_PATH, and a variable that is set wins over the file", async () => {
    const path = await fileWith("mkt.env", "MKT_HOST=from-file:1\nMKT_USER_ID=file-user\nMKT_PACKS=query\n");
    const tools = (env: Record<string, string>) => runMktHere(["tools"], { DOTENV_PATH: path, ...env });
    expect((await tools({})).stdout).toMatch(/^query: [^]*\n\n\d+ tools\n$/);
    expect((await tools({ MKT_PACKS: "monitor" })).stdout).toMatch(/^monitor: [^]*\n\n\d+ tools\n$/);
  });

  test("reads no .env of the folder it starts in", async () => {
    await fileWith(".env", "MKT_PACKS=monitor\n");
    const { stdout } = await run([MKT, "tools"], { cwd: directory, env: {} });
    expect(stdout).toContain("mkt_create_test_order");
  });
});

describe("mkt tools", () => {
  test("lists the tools by pack, also as JSON, and completely through a pipe", async () => {
    expect((await runMktHere(["tools"])).stdout).toContain("mkt_create_test_order");
    const json = JSON.parse((await runMkt(["tools", "--json"])).stdout) as {
      toolCount: number;
      packs: { name: string; tools: { name: string }[] }[];
    };
    const offered = PACKS.filter(({ name }) => name !== "dev");
    expect(json.packs.map(({ name, tools }) => [name, namesOf(tools)])).toEqual(
      offered.map(({ name, tools }) => [name, namesOf(tools)]),
    );
    expect(json.toolCount).toBe(offered.flatMap(({ tools }) => tools).length);
  });
});

describe("mkt call", () => {
  test.each<[string, string[], number, object]>([
    ["prints the result of one call as JSON", ["mkt_list_entities", '{"limit":2}'], 0, { count: 2, total: 3 }],
    ["connects for a tool that needs it", ["mkt_get_market_state"], 0, { id: "power" }],
    ["prints a tool's error, exit 1", ["mkt_get_order", '{"orderId":"none"}'], 1, { error: { code: "not_found" } }],
  ])("%s", async (_name, call, status, value) => {
    const { exitCode, stdout } = await (status === 0 ? runMktHere : runMkt)(["call", ...call], ANNA);
    expect([exitCode, JSON.parse(stdout)]).toMatchObject([status, value]);
  });
});

describe("mkt doctor", () => {
  test("says ok for each part that answers", async () => {
    const { exitCode, stdout } = await runMktHere(["doctor"], ANNA);
    expect(stdout).toMatch(/^ok +backend HTTP/m);
    expect(stdout).toMatch(/^ok +backend WebSocket/m);
    expect(stdout).toMatch(/^ok +storage/m);
    expect(stdout).toMatch(/^ok +clock +[\d.]+ s \(± [\d.]+ s\) from the engine's$/m);
    expect(stdout).toMatch(/^ok +versions +mkt \S+ on both sides$/m);
    expect(stdout).toMatch(/^off +Redis/m);
    expect(exitCode).toBe(0);
  });

  test("prints the same as JSON, and checks the data directory that is named", async () => {
    const data = temporaryDirectory();
    writeFileSync(join(data, "journal.sqlite"), "");
    const { exitCode, stdout } = await runMktHere(["doctor", "--json", "--data", data], ANNA);
    const findings = JSON.parse(stdout) as { subject: string; state: string; detail: string }[];
    const detail = expect.stringContaining("engine");
    expect(findings).toContainEqual({ subject: "backend HTTP", state: "ok", detail });
    expect(findings.find(({ subject }) => subject === "disk space")?.detail).toContain(`free in ${data} (--data)`);
    expect(exitCode).toBe(findings.some(({ state }) => state === "failed") ? 1 : 0);
    expect(await runMktHere(["doctor", "--data", "nowhere"], ANNA)).toEqual({
      exitCode: 2,
      stdout: "",
      stderr: "mkt: --data: there is no folder nowhere\n",
    });
  });

  test("says in sentences what to do about an unknown user and a wrong token", async () => {
    const unknown = await runMktHere(["doctor"], engine.environmentFor("nobody"));
    expect(unknown.stdout).toMatch(
      /^failed +backend HTTP .*no user "nobody"\. Set MKT_USER_ID to a user that .* knows/m,
    );
    const refused = await runMktHere(["doctor"], guarded.environmentFor("anna"));
    expect(refused.stdout).toMatch(
      /^failed +backend WebSocket .*the token is missing or wrong\. Set MKT_BEARER_TOKEN/m,
    );
  });

  test("says of a folder that is no data directory only that, and how to change no mode", async () => {
    const { exitCode, stdout } = await runMktHere(["doctor", "--data", "docs"], ANNA);
    expect(stdout).toMatch(
      /^failed +data directory +--data: docs is not a data directory: it has no journal\.sqlite; give/m,
    );
    expect(stdout.match(/docs/g)).toHaveLength(1);
    expect(stdout).not.toContain("chmod");
    expect(exitCode).toBe(1);
  });

  test("names the file that a wrong token came from", async () => {
    const path = await fileWith("engine-token", "another-token-of-enough-length\n");
    const env = { ...guarded.environmentFor("anna"), MKT_BEARER_TOKEN: "", MKT_BEARER_TOKEN_FILE: path };
    const { stdout } = await runMktHere(["doctor"], env);
    for (const subject of ["backend HTTP", "backend WebSocket", "storage"]) {
      expect(stdout).toMatch(new RegExp(`^failed +${subject} .* Set MKT_BEARER_TOKEN_FILE \\(${path}\\) to `, "m"));
    }
  });

  test("refuses to go on if a guardrail is mistyped, as every command does", async () => {
    for (const command of ["doctor", "tools", "engine", "demo"]) {
      const outcome = await runMktHere([command], { ...ANNA, MKT_READONLY: "1", MKT_ENGINE_TOKENFILE: "/x" });
      expect({ command, ...outcome }).toMatchObject({ command, exitCode: 2, stdout: "" });
      expect(outcome.stderr).toContain("mkt: MKT_READONLY: is not a variable of mkt; correct it to MKT_READ_ONLY");
    }
    const { stderr } = await runMktHere(["engine"], { MKT_ENGINE_TOKENFILE: "/x" });
    expect(stderr).toContain(
      "mkt: MKT_ENGINE_TOKENFILE: is not a variable of mkt; correct it to MKT_ENGINE_TOKEN_FILE",
    );
  });

  test("names each part that fails, with the fix, and exits 1", async () => {
    const { exitCode, stdout } = await runMktHere(["doctor"], NO_BACKEND);
    expect(exitCode).toBe(1);
    expect(stdout).toMatch(/^failed +backend HTTP .*http:\/\/127\.0\.0\.1:1/m);
    expect(stdout).toMatch(/^failed +backend WebSocket .*ws:\/\/127\.0\.0\.1:1/m);
    expect(stdout).toMatch(/^failed +simulator .*http:\/\/127\.0\.0\.1:1.*MKT_SIM_URL/m);
    expect(stdout).toMatch(/^off +storage .*STORAGE_TABLE_ENDPOINT/m);
  });
});

describe("mkt engine", () => {
  test("a market file that is not there, or not JSON, is named, exit 2", async () => {
    await fileWith("broken.json", "{");
    for (const name of ["none.json", "broken.json"]) {
      const outcome = await runMktHere(["engine", "--port", "0", "--market", join(directory, name)]);
      expect(outcome).toMatchObject({ exitCode: 2, stderr: expect.stringContaining(name) });
    }
  });

  test("ends in order on SIGINT, exit 0", async () => {
    const running = await startEngineProcess();
    running.kill("SIGINT");
    expect(await running.exited).toBe(0);
  });
});
