// The configuration of a command: its variables, what it warns of, and what it refuses.

import { expect, test } from "bun:test";
import { join } from "node:path";
import { QUIET } from "../../cli/configured.ts";
import * as configured from "../../cli/configured.ts";
import { UsageError } from "../../common/command-line.ts";
import * as loggers from "../../common/logger.ts";
import * as telemetries from "../../common/open-telemetry.ts";
import * as runtimes from "../../core/runtime.ts";
import { replaced } from "../support/replaced.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";

const { checkUnknownVariables, configurationFrom, configuredRuntime, configureLoggingFrom } = configured;
const MARKET = { known: ["MKT_ENGINE_MAX_DEPTH", "MKT_ENGINE_TOKEN_FILE"], guardrails: ["MKT_ENGINE_TOKEN_FILE"] };
const PROGRAM = { packs: [], version: "1.2.3", marketVariables: MARKET } as never;
const BASE = { MKT_HOST: "localhost:3001", MKT_USER_ID: "anna" };

/** The warnings of a check, and what it throws. */
function warned(environment: Record<string, string>) {
  const warnings: unknown[] = [];
  replaced(loggers, "logger", (part) => ({
    warn: (text: string, facts: { name: string; meant?: string }) =>
      warnings.push([part, text.replaceAll(/\{(\w+)\}/g, (_, name: "name" | "meant") => String(facts[name]))]),
  }));
  try {
    checkUnknownVariables(environment, MARKET);
    return { warnings };
  } catch (error) {
    return { warnings, refused: error instanceof UsageError ? error.message : error };
  }
}

test("a variable of no part of mkt is warned of, with the one that is probably meant; those of others are not looked at", () => {
  const known = { MKT_HOST: "a", MKT_ENGINE_MAX_DEPTH: "5", PATH: "/bin", OTHER_MKT_X: "1", MCP_HTTP_HOST: "b" };
  expect(warned(known)).toEqual({ warnings: [] });
  const warning = (text: string) => ["configuration", `${text}`];
  expect(warned({ ...known, MKT_HOTS: "a", MCP_SOMETHING_ELSE: "b", MKT_QWERTZ: "" })).toEqual({
    warnings: [
      warning("MKT_HOTS is not a variable of mkt and has no effect; did you mean MKT_HOST?"),
      warning("MCP_SOMETHING_ELSE is not a variable of mkt and has no effect"),
      warning("MKT_QWERTZ is not a variable of mkt and has no effect"),
    ],
  });
});

test("a guardrail that is mistyped is refused, and warns of nothing", () => {
  const refused = (name: string, meant: string) =>
    `${name}: is not a variable of mkt; correct it to ${meant}, which does not hold now, or unset it`;
  expect(warned({ MKT_FREEZE_FIEL: "/f", MKT_QWERTZ: "1" }))
    .toEqual({ warnings: [], refused: refused("MKT_FREEZE_FIEL", "MKT_FREEZE_FILE") });
  expect(warned({ MKT_ENGINE_TOKEN_FIEL: "/f" }))
    .toEqual({ warnings: [], refused: refused("MKT_ENGINE_TOKEN_FIEL", "MKT_ENGINE_TOKEN_FILE") });
});

test("the faults of all variables are told together: of mkt, of telemetry, of the log of calls and of packs", () => {
  const folder = temporaryDirectory();
  const environment = {
    ...{ MKT_HOST: "", MKT_USER_ID: "anna", OTEL_EXPORTER_OTLP_ENDPOINT: "none", MKT_PACKS: "nowhere" },
    MKT_CALL_LOG: join(folder, "none/calls.log"),
  };
  const faults = (more: Record<string, string> = {}) => {
    try {
      configurationFrom(PROGRAM, { ...environment, ...more });
      return [];
    } catch (error) {
      expect(error).toBeInstanceOf(UsageError);
      return (error as Error).message.split("\n").map((line) => line.split(":")[0]);
    }
  };
  expect(faults()).toEqual(["MKT_HOST", "OTEL_EXPORTER_OTLP_ENDPOINT", "MKT_CALL_LOG", "MKT_PACKS"]);
  // A folder of packs may have the pack that is named.
  expect(faults({ MKT_PLUGIN_DIR: folder })).toEqual(["MKT_HOST", "OTEL_EXPORTER_OTLP_ENDPOINT", "MKT_CALL_LOG"]);
  const right = { MKT_HOST: "localhost:1", OTEL_EXPORTER_OTLP_ENDPOINT: "", MKT_PACKS: "" };
  expect(faults({ ...right, MKT_CALL_LOG: join(folder, "calls.log") })).toEqual([]);
});

/** The runtime that is made, and what it is made of. */
async function made(environment: Record<string, string>, nameFaults: string[], ...more: unknown[]) {
  const done: unknown[] = [];
  replaced(loggers, "configureLogging", (level) => done.push(["log", level]));
  const sent = replaced(telemetries, "openTelemetry", () => Promise.resolve("the telemetry"));
  sent.length = 0;
  const runtime = { nameFaults };
  const calls = replaced(runtimes, "createRuntime", () => Promise.resolve(runtime));
  calls.length = 0;
  const given = await (configuredRuntime as (...given: unknown[]) => Promise<unknown>)(PROGRAM, environment, ...more)
    .catch((error: unknown) => error);
  const [configuration, program, own, role, telemetry] = calls[0] ?? [];
  return { runtime, given, done, sent, configuration, program, own, role, telemetry };
}

test("a member of a group sends traces and metrics under the server's name, and a visitor none", async () => {
  const environment = { ...BASE, OTEL_EXPORTER_OTLP_ENDPOINT: "http://collector:4318" };
  const member = await made(environment, []);
  expect([member.given, member.role, member.telemetry]).toEqual([member.runtime, "member", "the telemetry"] as never);
  expect(member.sent).toMatchObject([[{ resource: { "service.name": "mkt-server" } }, "1.2.3"]]);
  expect(member.own).toEqual(environment);
  for (const role of ["visitor", "none"]) {
    const other = await made(environment, [], QUIET, role);
    expect([other.role, other.sent as unknown[]]).toEqual([role, [[null, "1.2.3"]]] as never);
  }
});

test("defaults hold for what is not set, and only in the configuration", async () => {
  const quiet = await made(BASE, [], { ...QUIET, MKT_USER_ID: "nobody" });
  expect([quiet.done, quiet.configuration!.backend.userId, quiet.own]).toEqual([[["log", "warn"]], "anna", BASE]);
  expect((await made({ ...BASE, LOG_LEVEL: "debug" }, [], QUIET)).done).toEqual([["log", "debug"]]);
  expect((await made(BASE, [])).done).toEqual([["log", "info"]]);
});

test("a pack that is named and not there is refused once all packs are known", async () => {
  const { given } = await made(BASE, ["no pack a", "no pack b"]);
  expect([given instanceof UsageError, (given as Error).message]).toEqual([
    true,
    "MKT_PACKS: no pack a\nMKT_PACKS: no pack b",
  ]);
});

test("a command that is no server takes its log level from LOG_LEVEL alone", () => {
  const levels = replaced(loggers, "configureLogging", () => {});
  configureLoggingFrom({ LOG_LEVEL: "error", MKT_HOST: "" });
  configureLoggingFrom({});
  expect(levels).toEqual([["error"], ["info"]]);
  expect(() => configureLoggingFrom({ LOG_LEVEL: "loud" })).toThrow("LOG_LEVEL: ");
});
