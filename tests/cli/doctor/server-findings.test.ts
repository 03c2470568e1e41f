// What `mkt doctor` says of the data directory, of the port of MCP over HTTP, and of the last backup.

import { describe, expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { backupAnswer, examineBackup } from "../../../cli/doctor/backup-finding.ts";
import { examineData } from "../../../cli/doctor/data-finding.ts";
import { examinePort } from "../../../cli/doctor/port-finding.ts";
import { BackendHttp } from "../../../core/backend/backend-http.ts";
import { atEnd } from "../../support/at-end.ts";
import { startTestEngine } from "../../support/engines.ts";
import { freePort } from "../../support/free-port.ts";
import { temporaryDirectory } from "../../support/temporary-directory.ts";

const folder = temporaryDirectory();

function folderWith(name: string): string {
  const path = join(folder, name);
  mkdirSync(path);
  return path;
}

describe("doctor's finding about the data directory", () => {
  test.each<[string, () => string | null, string, RegExp]>([
    ["is off if it is not named", () => null, "off", /--data is not given/],
    [
      "is ok if there is a journal",
      () => {
        const data = folderWith("with-journal");
        writeFileSync(join(data, "journal.sqlite"), "");
        return data;
      },
      "ok",
      /with-journal$/,
    ],
    ["says of an empty folder that a new market is made in it", () => folderWith("empty"), "off", /new market/],
    [
      "fails for a folder of other files",
      () => {
        const other = folderWith("other");
        writeFileSync(join(other, "notes"), "");
        return other;
      },
      "failed",
      /other is not a data directory: it has no journal\.sqlite; give the folder that mkt engine --data has$/,
    ],
  ])("%s", (_, folder, state, detail) => {
    expect(examineData(folder())).toEqual({
      subject: "data directory",
      state: state as never,
      detail: expect.stringMatching(detail) as never,
    });
  });
});

describe("doctor's finding about the port", () => {
  const host = "127.0.0.1";
  const served = (answer: unknown) => {
    const server = Bun.serve({ hostname: host, port: 0, fetch: () => Response.json(answer) });
    atEnd(() => server.stop(true));
    return server.port!;
  };

  test("is off without a port of its own", async () => {
    expect((await examinePort(null)).state).toBe("off");
    expect((await examinePort({ host, port: 0 })).state).toBe("off");
  });

  test("is ok if the port is free, or an MCP server of mkt has it", async () => {
    const port = await freePort();
    const free = { state: "ok", detail: `${host}:${port} is free: no server runs here` };
    expect(await examinePort({ host, port })).toMatchObject(free);
    expect(await examinePort({ host, port })).toMatchObject(free);
    const mkt = served({ status: "ok", version: "1.2.3" });
    expect((await examinePort({ host, port: mkt })).detail).toBe(
      `an MCP server of mkt 1.2.3 answers at ${host}:${mkt}`,
    );
  });

  test.each([
    ["an engine", { status: "ok", engineId: "e-1", version: "1.2.3" }],
    ["a simulator", { status: "ok", backend: "ws://x", simulation: "stopped" }],
    ["another program", "hello"],
  ])("fails if %s has it", async (_, answer) => {
    const port = served(answer);
    const detail =
      `MCP_HTTP_PORT, MCP_HTTP_HOST: port ${port} on ${host} is in use: stop the other server, or choose another port`;
    expect(await examinePort({ host, port })).toEqual({ subject: "port", state: "failed", detail });
  });

  test("fails for an address that this host does not have", async () => {
    expect((await examinePort({ host: "192.0.2.1", port: await freePort() })).state).toBe("failed");
  });
});

describe("doctor's finding about the last backup", () => {
  const NOW = 1_000_000 * 1000;
  const metrics = (...lines: string[]) => ["mkt_engine_build_info 1", ...lines].join("\n");
  const started = (hours: number) => `process_start_time_seconds ${NOW / 1000 - hours * 3600}`;
  const taken = (hours: number) => `mkt_engine_last_backup_timestamp_seconds ${NOW / 1000 - hours * 3600}`;
  const JOURNAL = "mkt_engine_journal_records_total 5";

  test.each<[string, string, string, RegExp]>([
    ["is not known of an engine without metrics", "up 1", "off", /^not known/],
    ["is off for a market in memory only", metrics(started(90)), "off", /in memory only/],
    [
      "tells its age and time",
      metrics(started(90), JOURNAL, taken(2.5)),
      "ok",
      /^2\.5 hours ago, at 1970-01-12T11:16:40/,
    ],
    [
      "warns if it is older than a day",
      metrics(started(90), JOURNAL, taken(27)),
      "warning",
      /^27 hours ago.*mkt backup OUT$/,
    ],
    ["is ok up to 26 hours", metrics(started(90), JOURNAL, taken(26)), "ok", /^26 hours ago/],
    ["warns beyond them", metrics(started(90), JOURNAL, taken(26.01)), "warning", /^26 hours ago/],
    ["is off up to 26 hours without one", metrics(started(26), JOURNAL), "off", /^none since/],
    ["is not known without the engine's start", metrics(JOURNAL, taken(1)), "off", /^not known/],
    [
      "is off soon after the engine's start",
      metrics(started(3), JOURNAL),
      "off",
      /^none since the engine's start 3 hours/,
    ],
    [
      "warns if there is none for a day",
      metrics(started(30), JOURNAL),
      "warning",
      /^none since .* 30 hours ago: look/,
    ],
  ])("%s", (_, text, state, detail) => {
    expect(backupAnswer(text, NOW)).toEqual({ state: state as never, detail: expect.stringMatching(detail) as never });
  });

  test("comes from a real engine", async () => {
    const engine = await startTestEngine({ data: temporaryDirectory() });
    const ask = new BackendHttp({ baseUrl: engine.url, token: null, actingUserId: () => "operator" });
    expect(await examineBackup(ask, Date.now)).toMatchObject({
      state: "off",
      detail: expect.stringMatching(/^none since/),
    });
  });
});
