// The commands as a person at a shell meets them: closed pipes, colours, log lines and mistyped names.

import { describe, expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { runMktHere } from "../support/command-line-here.ts";
import { BARE_ENVIRONMENT, MKT } from "../support/executable.ts";
import { run, startProcess } from "../support/processes.ts";
import { runOnTerminal } from "../support/terminal.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";
import { until } from "../support/until.ts";
import { LIST, NO_BACKEND, post } from "../support/http-requests.ts";
import { startPowerMarket } from "../support/power-market.ts";
import { size } from "../support/sizes.ts";

const engine = await startPowerMarket();
const ANNA = engine.environmentFor("anna");
const folder = temporaryDirectory();
const ESCAPE = "\u001b";

describe("a pipe that its reader closes", () => {
  /** With `true` as the reader, the first write fails; a reader that stops later closes it in the middle. */
  async function statusInto(reader: string, args: readonly string[], env: Record<string, string>) {
    const script = `"$0" "$@" | ${reader}; exit \${PIPESTATUS[0]}`;
    const { stdout: _, ...rest } = await run(["bash", "-c", script, MKT, ...args], {
      env: { ...BARE_ENVIRONMENT, ...env },
    });
    return rest;
  }

  const commands: [readonly string[], Record<string, string>][] = [
    [["--help"], {}],
    [["tools", "--json"], {}],
    [["tools"], {}],
    [["call", "mkt_list_entities"], ANNA],
    [["doctor"], ANNA],
    [["simulate", "--steps", "100", "--format", "json"], {}],
    [["spot", "--hours", "5000"], {}],
    [["freeze", "a", "reason"], { MKT_FREEZE_FILE: join(folder, "freeze") }],
    [["thaw"], { MKT_FREEZE_FILE: join(folder, "freeze") }],
  ];

  test.each(size(commands.slice(0, 3), commands))(
    "ends %p quietly, with the status that it would have",
    async (args, env) => {
      const reader = commands.findIndex(([each]) => each === args) % 2 === 0 ? "true" : "head -c 10 > /dev/null";
      expect(await statusInto(reader, args, env)).toEqual({ exitCode: 0, stderr: "" });
    },
  );

  test("keeps the status of a command that failed", async () => {
    for (const args of [["doctor"], ...size([], [["call", "mkt_list_orders", "{}"]])]) {
      expect((await statusInto("true", args, NO_BACKEND)).exitCode).toBe(1);
    }
  });

  test("for stderr does not end a server", async () => {
    const path = join(folder, "first-line");
    const server = startProcess(["bash", "-c", `exec "$0" 2> >(head -n 1 > "$1")`, MKT, path], {
      env: { ...BARE_ENVIRONMENT, ...NO_BACKEND, MCP_HTTP_PORT: "0", LOG_LEVEL: "debug" },
    });
    const firstLine = () => existsSync(path) ? readFileSync(path, "utf8") : "";
    await until(() => firstLine().endsWith("\n"));
    const url = /"transport":"(http:[^"]+)"/.exec(firstLine())?.[1] ?? expect.unreachable(firstLine());
    for (let calls = 0; calls < 20; calls++) expect((await post({ url }, LIST)).status).toBe(200);
    server.kill("SIGTERM");
    expect(await server.exited).toBe(0);
  });

  test("differs from a disk that is full, which is an error of one line", async () => {
    for (const args of [["tools"], ["spot", "--hours", "5000"]]) {
      const { exitCode, stderr } = await run(["bash", "-c", `"$0" "$@" > /dev/full`, MKT, ...args], {
        env: BARE_ENVIRONMENT,
      });
      expect({ exitCode, stderr }).toEqual({ exitCode: 1, stderr: expect.stringMatching(/^mkt: .*ENOSPC.*\n$/) });
    }
  });
});

describe("colours", () => {
  const doctor = (env: Record<string, string>) => runOnTerminal([MKT, "doctor"], { ...NO_BACKEND, ...env });

  test("mark the states of mkt doctor and errors, on a terminal", async () => {
    const { exitCode, shown } = await doctor({});
    expect(exitCode).toBe(1);
    expect(shown).toContain(`${ESCAPE}[32mok     ${ESCAPE}[39m`);
    expect(shown).toContain(`${ESCAPE}[31mfailed ${ESCAPE}[39m`);
    expect((await runOnTerminal([MKT, "demo", "--nonsense"])).shown).toStartWith(`${ESCAPE}[31mmkt:${ESCAPE}[39m `);
  });

  test.each(size([["NO_COLOR", "1"]], [["NO_COLOR", "1"], ["TERM", "dumb"], ["FORCE_COLOR", "0"]]))(
    "are left out with %s=%s",
    async (name, value) => {
      expect((await runOnTerminal([MKT, "nonsense"], { [name]: value })).shown).not.toContain(ESCAPE);
    },
  );

  test("are left out in pipes, unless FORCE_COLOR is set", async () => {
    expect((await runMktHere(["doctor"], NO_BACKEND)).stdout).not.toContain(ESCAPE);
    expect((await runMktHere(["doctor"], { ...NO_BACKEND, FORCE_COLOR: "1" })).stdout).toContain(ESCAPE);
  });

  test("are never part of JSON", async () => {
    for (const args of [["tools", "--json"], ["packs", "--json"], ["call", "mkt_ping"]]) {
      const { stdout } = await runMktHere(args, { ...NO_BACKEND, FORCE_COLOR: "1" });
      expect(stdout).not.toContain(ESCAPE);
      JSON.parse(stdout);
    }
  });
});

describe("log lines", () => {
  test.each([[["doctor"]], [["call", "mkt_get_market_state"]], [["tools"]], [["packs"]]])(
    "of %p are warnings only, unless LOG_LEVEL says otherwise",
    async (args) => {
      expect((await runMktHere(args, ANNA)).stderr).toBe("");
      expect((await runMktHere(args, { ...ANNA, LOG_LEVEL: "" })).stderr).toBe("");
      const { stderr } = await runMktHere(args, { ...ANNA, MKT_USERID: "x" });
      expect(stderr).toMatch(/is not a variable of mkt.*MKT_USER_ID/);
    },
  );

  test("come with LOG_LEVEL=info", async () => {
    const { stderr } = await runMktHere(["call", "mkt_get_market_state"], { ...ANNA, LOG_LEVEL: "info" });
    expect(stderr).toContain(`"level":"INFO"`);
  });
});

describe("a wrong command line", () => {
  test.each<[string[], number, string]>([
    [["demmo"], 2, "(did you mean demo?)"],
    [["doctro"], 2, "(did you mean doctor?)"],
    [["demo", "--prot", "1"], 2, "(did you mean --port?)"],
    [["client-config", "cursro"], 2, "(did you mean cursor?)"],
    [["demo", "--preset", "stres"], 2, "(did you mean stress?)"],
    [["call", "mkt_get_ordr"], 1, "(did you mean mkt_get_order?)"],
    [["call", "mkt_watch_fils"], 1, "(did you mean mkt_watch_fills?)"],
    [["--nonsense"], 2, "unknown option"],
    [["sim"], 2, "--backend"],
    [["call"], 2, "missing required argument"],
  ])("%p exits %d with what was meant, or what is wrong", async (args, exitCode, suggestion) => {
    const failed = await runMktHere(args, NO_BACKEND);
    expect(failed).toEqual({ exitCode, stdout: "", stderr: expect.stringContaining(suggestion) });
    expect(failed.stderr).toMatch(/^mkt: [^\n]*\n$/);
  });

  test("that resembles nothing gets no suggestion", async () => {
    expect((await runMktHere(["xyzzy"])).stderr).toBe(
      "mkt: there is no command xyzzy; mkt --help lists the commands\n",
    );
  });
});

test.each(["tools", "packs", "pack-types", "doctor", "thaw", "engine", "demo", "sim", "simulate", "spot"])(
  "mkt %s takes no argument",
  async (command) => {
    const refused = await runMktHere([command, "more"], NO_BACKEND);
    expect(refused).toMatchObject({ exitCode: 2, stderr: expect.stringContaining("too many arguments") });
  },
);

test("mkt help and mkt help COMMAND print what --help prints", async () => {
  expect(await runMktHere(["help"])).toEqual(await runMktHere(["--help"]));
  expect(await runMktHere(["help", "spot"])).toEqual(await runMktHere(["spot", "--help"]));
  const stderr = expect.stringContaining("mean spot?");
  expect(await runMktHere(["help", "sopt"])).toMatchObject({ exitCode: 2, stderr });
});
