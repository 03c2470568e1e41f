import { expect, test } from "bun:test";
import { join } from "node:path";
import { runMktHere } from "../../support/command-line-here.ts";
import { temporaryDirectory } from "../../support/temporary-directory.ts";

const folder = temporaryDirectory();

async function fileWith(name: string, text: string): Promise<string> {
  const path = join(folder, name);
  await Bun.write(path, text);
  return path;
}

async function shown(name: string): Promise<Record<string, unknown>> {
  const { exitCode, stdout, stderr } = await runMktHere(["arena", "show", name]);
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
  return JSON.parse(stdout);
}

test("mkt arena scenarios lists them, for people and as JSON", async () => {
  const { stdout } = await runMktHere(["arena", "scenarios"]);
  expect(stdout).toMatch(/^evening-peak +trading +grade 1 +Buy a retailer's peak\n/);
  const { exitCode, stdout: json } = await runMktHere(["arena", "scenarios", "--json"]);
  expect(exitCode).toBe(0);
  const peak = {
    name: "evening-peak",
    kind: "trading",
    grade: 1,
    title: "Buy a retailer's peak",
    minutes: 120,
  };
  expect(JSON.parse(json)).toContainEqual(peak);
});

test("mkt arena show prints a scenario, which can be changed and given as a file", async () => {
  const builtIn = await shown("evening-peak");
  expect(builtIn).toMatchObject({ name: "evening-peak", minutes: 120 });
  const path = await fileWith("own.json", JSON.stringify({ ...builtIn, name: "own", minutes: 60 }));
  expect(await shown(path)).toEqual({ ...builtIn, name: "own", minutes: 60 });
});

test.each<[string, () => Promise<string>, RegExp]>([
  ["a name that is not there", () => Promise.resolve("evening-pek"), /^mkt: scenario: .*did you mean evening-peak\?/],
  ["a file that is not there", () => Promise.resolve("./none.json"), /^mkt: \.\/none\.json: .*no such file/],
  ["a file that is not JSON", () => fileWith("text.json", "{"), /^mkt: .*text\.json: can't be read as JSON: /],
  ["a file with faults", () => fileWith("faults.json", '{"grade":9}'), /^mkt: .*faults\.json: name: is missing/],
])("mkt arena refuses %s", async (_name, given, message) => {
  const name = await given();
  for (const command of ["show", "serve"]) {
    const { exitCode, stdout, stderr } = await runMktHere(["arena", command, name]);
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: "" });
    expect(stderr).toMatch(message);
  }
});

test("mkt arena serve refuses a seed that is none", async () => {
  const { exitCode, stderr } = await runMktHere(["arena", "serve", "evening-peak", "--seed", "-1"]);
  expect({ exitCode, stderr }).toMatchObject({ exitCode: 2, stderr: expect.stringContaining("--seed") });
});

test.each<[string, readonly string[], string]>([
  ["a port that is none", ["--http", "70000"], "--http: a port from 0 to 65535"],
  ["a token without a port", ["--token-file", "token"], "--token-file: needs --http"],
  ["a token that is not there", ["--http", "0", "--token-file", "/none/token"], "--token-file: can't be read: "],
])("mkt arena serve refuses %s", async (_name, args, message) => {
  const { exitCode, stderr } = await runMktHere(["arena", "serve", "evening-peak", ...args]);
  expect({ exitCode, stderr }).toMatchObject({ exitCode: 2, stderr: expect.stringContaining(message) });
});
