// What is told if a freeze does not reach all that it should, and its code.

import { expect, test } from "bun:test";
import { ToolError } from "../../../core/error.ts";
import type { FreezeFile } from "../../../core/guardrails/freeze-file.ts";
import { pullKillSwitch } from "../../../core/guardrails/kill-switch.ts";

const UNWRITABLE = "the folder can't be written";
const GONE = "NOT frozen: the file is gone again.";
const AWAY = "NOT frozen for the replicas of this server: away.";
const NO_CHANGE = "Changes are still allowed.";
const BY_FILE = "This server is frozen by its file.";
const BY_REDIS = "All replicas are frozen by Redis.";

type FileState = "none" | "works" | "gone again" | "unwritable";
type RedisState = "none" | "works" | "away";

function switches(file: FileState, redis: RedisState) {
  const reasons: string[] = [];
  const freezeFile = {
    freeze: (reason: string) => {
      if (file === "unwritable") throw new Error(UNWRITABLE);
      reasons.push(`file ${reason}`);
    },
    read: () => file === "gone again" ? null : { reason: null, since: null },
  } as FreezeFile;
  const replicas = {
    freeze: (reason: string) => {
      if (redis === "away") return Promise.reject(new ToolError("backend_unavailable", AWAY, "Try again."));
      return Promise.resolve(void reasons.push(`redis ${reason}`));
    },
  };
  return {
    reasons,
    given: { file: file === "none" ? null : freezeFile, replicas: redis === "none" ? null : replicas },
  };
}

test.each<[FileState, RedisState, string[]]>([
  ["works", "none", ["file odd"]],
  ["none", "works", ["redis odd"]],
  ["works", "works", ["file odd", "redis odd"]],
])("a freeze by file (%s) and by Redis (%s) pulls each of them", async (file, redis, expected) => {
  const { given, reasons } = switches(file, redis);
  await pullKillSwitch(given, "odd");
  expect(reasons).toEqual(expected);
});

test.each<[FileState, RedisState, string, string]>([
  ["unwritable", "none", "not_configured", `${UNWRITABLE}. ${NO_CHANGE}`],
  ["gone again", "none", "not_configured", `${GONE} ${NO_CHANGE}`],
  ["none", "away", "backend_unavailable", `${AWAY} ${NO_CHANGE}`],
  ["works", "away", "backend_unavailable", `${AWAY} ${BY_FILE}`],
  ["unwritable", "works", "not_configured", `${UNWRITABLE}. ${BY_REDIS}`],
  ["unwritable", "away", "backend_unavailable", `${UNWRITABLE}. ${AWAY} ${NO_CHANGE}`],
])(
  "a freeze by file (%s) and by Redis (%s) fails as %s, and says what is frozen",
  async (file, redis, code, message) => {
    const failure = await pullKillSwitch(switches(file, redis).given, "odd").catch((error: unknown) => error);
    expect(failure).toMatchObject({ code, message });
  },
);

test("without a file and without Redis there is nothing to pull", async () => {
  expect(await pullKillSwitch(switches("none", "none").given, "odd").catch((error: unknown) => error))
    .toMatchObject({ code: "not_configured", message: expect.stringContaining("Nothing was frozen.") });
});
