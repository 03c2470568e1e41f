import { describe, expect, test } from "bun:test";
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { descriptorLimit, examineDescriptors } from "../../../cli/doctor/descriptor-finding.ts";
import { diskFinding, examineDisk } from "../../../cli/doctor/disk-finding.ts";
import { findingsAsText, severest } from "../../../cli/doctor/finding.ts";
import { examineModes } from "../../../cli/doctor/mode-finding.ts";
import { temporaryDirectory } from "../../support/temporary-directory.ts";

const folder = temporaryDirectory();

/** A path that nobody can look at, not even root: part of it is a file. */
const unreachable = join(fileWith("plain", 0o600), "inside", "call.log");

function fileWith(name: string, mode: number, parent = folder): string {
  const path = join(parent, name);
  writeFileSync(path, "content");
  chmodSync(path, mode);
  return path;
}

function folderWith(name: string, mode: number): string {
  const path = join(folder, name);
  mkdirSync(path);
  chmodSync(path, mode);
  return path;
}

test("of several findings the severest state counts, with its details only", () => {
  const ok = { state: "ok", detail: "good" } as const;
  const warning = { state: "warning", detail: "odd" } as const;
  const failed = (detail: string) => ({ state: "failed", detail }) as const;
  expect(severest([ok, warning])).toEqual(warning);
  expect(severest([failed("a"), ok, failed("b"), warning])).toEqual({ state: "failed", detail: "a; b" });
  const off = { state: "off", detail: "none" } as const;
  expect([severest([off, ok, off]), severest([off])]).toEqual([ok, off]);
});

test("findings are a line each, in columns, in which no text of another program can begin a line", () => {
  expect(findingsAsText([
    { subject: "clock", state: "ok", detail: "fine" },
    { subject: "last backup", state: "warning", detail: "old\nok       clock" },
  ])).toBe("ok       clock        fine\nwarning  last backup  old\\nok       clock\n");
});

describe("doctor's finding about disk space", () => {
  const nothing = { callLog: null, freezeFile: null, data: null };
  const use = { setting: "--data", folder: "/market", enough: 1 << 30, least: 32 << 20 };

  test("is off if nothing is written", () => {
    expect(examineDisk(nothing)).toMatchObject({ state: "off" });
    expect(examineDisk({ ...nothing, callLog: "stderr" })).toMatchObject({ state: "off" });
  });

  test("names the space of each folder", () => {
    const paths = { callLog: join(folder, "a.log"), freezeFile: join(folder, "freeze"), data: folder };
    const { detail } = examineDisk(paths);
    for (const setting of ["MKT_CALL_LOG", "MKT_FREEZE_FILE", "--data"]) expect(detail).toContain(setting);
    expect(detail).toMatch(new RegExp(`[\\d.]+ [KMG]iB free in ${folder}`));
  });

  test.each([
    [2 ** 31, false, "ok", /^2\.0 GiB free in \/market \(--data\)$/],
    [2 ** 29, false, "warning", /512 MiB free.*make 1.0 GiB free/],
    [2 ** 19, false, "failed", /512 KiB free.*full/],
    [2 ** 31, true, "failed", /takes no more files/],
    [2 ** 30, false, "ok", /^1\.0 GiB free/],
    [2 ** 30 - 1, false, "warning", /^1023 MiB free/],
    [2 ** 25, false, "warning", /^32 MiB free/],
    [2 ** 25 - 1, false, "failed", /^31 MiB free.*full/],
    [1_023, false, "failed", /^0 KiB free.*full/],
  ])("with %d bytes free, and no more files %p, is %s", (free, isOutOfFiles, state, detail) => {
    expect(diskFinding(use, { free, isOutOfFiles })).toEqual({ state, detail: expect.stringMatching(detail) } as never);
  });

  test("warns if it can't look, and says why", () => {
    const detail = expect.stringContaining("part of the path is not a folder");
    expect(examineDisk({ ...nothing, callLog: unreachable })).toMatchObject({ state: "warning", detail });
  });
});

describe.skipIf(process.platform === "win32")("doctor's finding about file modes", () => {
  const nothing = { secretFiles: {}, callLog: null, freezeFile: null, data: null };
  const secret = (path: string) =>
    examineModes({ ...nothing, secretFiles: { MKT_ENGINE_TOKEN_FILE: path, DOTENV_PATH: "" } });

  test("is off if no file is configured", () => {
    expect(examineModes({ ...nothing, secretFiles: { DOTENV_PATH: undefined } })).toMatchObject({ state: "off" });
  });

  test("is ok if all files are the owner's alone", () => {
    const callLog = fileWith("private.log", 0o600);
    const data = folderWith("market", 0o700);
    fileWith("journal.sqlite", 0o600, data);
    const finding = examineModes({ ...nothing, callLog, data, freezeFile: join(folder, "freeze") });
    expect(finding).toEqual({ subject: "file modes", state: "ok", detail: "what is private is the owner's alone" });
  });

  test("has nothing against a call log that no line has made yet", () => {
    expect(examineModes({ ...nothing, callLog: join(folder, "later.log") }).state).toBe("off");
  });

  test("warns of what others may read, with the command that mends it", () => {
    const path = fileWith("tokens", 0o640);
    const detail = expect.stringMatching(new RegExp(`ENGINE_TOKEN_FILE: ${path} has the mode 0640.*chmod 600 ${path}`));
    expect(secret(path)).toMatchObject({ state: "warning", detail });
    const ofLog = examineModes({ ...nothing, callLog: fileWith("open.log", 0o604) });
    expect(ofLog.detail).toContain("may read who did what");
  });

  test("fails for what others may change", () => {
    expect(secret(fileWith("shared-tokens", 0o620))).toMatchObject({ state: "failed" });
    expect(examineModes({ ...nothing, freezeFile: join(folderWith("open", 0o777), "freeze") })).toMatchObject({
      state: "failed",
      detail: expect.stringContaining("everybody on this machine can end a freeze"),
    });
    expect(examineModes({ ...nothing, data: folderWith("open-market", 0o770) })).toMatchObject({ state: "failed" });
  });

  test("lets everybody write to the kill switch's folder if nobody can remove another's file", () => {
    expect(examineModes({ ...nothing, freezeFile: join(folderWith("sticky", 0o1777), "freeze") }).state).toBe("ok");
  });

  test("names the files of a data directory that others may read", () => {
    const data = folderWith("readable-market", 0o755);
    fileWith("journal.sqlite", 0o600, data);
    fileWith("audit.sqlite", 0o644, data);
    const detail = expect.stringContaining(`may read audit.sqlite in ${data}: chmod -R go= `);
    expect(examineModes({ ...nothing, data })).toMatchObject({ state: "warning", detail });
  });

  test("fails for a file of a data directory that others may change", () => {
    const data = folderWith("writable-market", 0o755);
    fileWith("journal.sqlite", 0o666, data);
    fileWith("audit.sqlite", 0o644, data);
    const detail = expect.stringContaining(`may change journal.sqlite in ${data}`);
    expect(examineModes({ ...nothing, data })).toMatchObject({ state: "failed", detail });
  });

  test("is ok with readable files in a data directory that only its owner can search", () => {
    const data = folderWith("closed-market", 0o700);
    fileWith("audit.sqlite", 0o644, data);
    expect(examineModes({ ...nothing, data }).state).toBe("ok");
  });

  test("never wants the mode of a folder changed that others share, such as /tmp", () => {
    const data = folderWith("shared", 0o1777);
    fileWith("journal.sqlite", 0o600, data);
    const { state, detail } = examineModes({ ...nothing, data });
    expect([state, detail]).toEqual(
      ["failed", expect.stringContaining(`${data} is a folder that others share`)] as never,
    );
    expect(detail).not.toContain("chmod");
  });

  test("takes a credential of systemd as private", () => {
    const before = process.env["CREDENTIALS_DIRECTORY"];
    process.env["CREDENTIALS_DIRECTORY"] = folder;
    try {
      expect(secret(fileWith("credential", 0o440)).state).toBe("ok");
    } finally {
      if (before === undefined) delete process.env["CREDENTIALS_DIRECTORY"];
      else process.env["CREDENTIALS_DIRECTORY"] = before;
    }
  });

  test("warns if it can't look, and says why", () => {
    expect(secret(unreachable)).toMatchObject({ state: "warning", detail: expect.stringContaining("not a folder") });
    const missing = { state: "warning", detail: expect.stringContaining("no such file") };
    expect(secret(join(folder, "missing"))).toMatchObject(missing);
  });
});

describe("doctor's finding about open files", () => {
  const stdio = { maxRequests: null, engineConnections: null };

  test("is ok if every limit on clients fits", () => {
    expect(examineDescriptors(1024, stdio)).toMatchObject({ state: "ok" });
    expect(examineDescriptors(Infinity, { ...stdio, maxRequests: 2048 })).toMatchObject({ state: "ok" });
  });

  test("warns otherwise, and names the setting", () => {
    const detail = expect.stringMatching(/limit 4096, at most 8148 needed.*MCP_MAX_REQUESTS/);
    expect(examineDescriptors(4096, { ...stdio, maxRequests: 2048 })).toMatchObject({ state: "warning", detail });
    const ofEngine = examineDescriptors(1024, { ...stdio, engineConnections: 2000 });
    expect(ofEngine.detail).toContain("MKT_ENGINE_MAX_CONNECTIONS");
  });

  test("counts the connections, waits, subscriptions and streams of a server, or those of an engine if they are more", () => {
    const needed = (maxRequests: number | null, engineConnections: number | null) =>
      Number(/at most (\d+) needed/.exec(examineDescriptors(5, { maxRequests, engineConnections }).detail)![1]);
    expect([needed(null, null), needed(null, 700), needed(2_048, null), needed(2_048, 2_000)])
      .toEqual([100, 800, 8_148, 8_148]);
    expect([needed(0, 8_048), needed(2_048, 8_049)]).toEqual([8_148, 8_149]);
    expect([8_147, 8_148].map((limit) => examineDescriptors(limit, { ...stdio, maxRequests: 2_048 }).state))
      .toEqual(["warning", "ok"]);
    const setting = (engineConnections: number) =>
      /MCP_MAX_REQUESTS|MKT_ENGINE_MAX_CONNECTIONS/.exec(
        examineDescriptors(5, { maxRequests: 2_048, engineConnections }).detail,
      )![0];
    expect([setting(8_047), setting(8_048)]).toEqual(["MCP_MAX_REQUESTS", "MKT_ENGINE_MAX_CONNECTIONS"]);
  });

  test("is off if the system does not tell the limit", () => {
    expect(examineDescriptors(null, stdio)).toMatchObject({ state: "off" });
  });

  test.skipIf(process.platform === "win32")("knows the limit of this process", () => {
    expect(descriptorLimit()).toBeGreaterThan(0);
  });
});
