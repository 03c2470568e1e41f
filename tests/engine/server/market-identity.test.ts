// `--identity FILE`: which market a data directory must have.

import { beforeEach, describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { UsageError } from "../../../common/command-line.ts";
import type { Logger } from "../../../common/logger.ts";
import { startTestEngine } from "../../support/engines.ts";
import { temporaryDirectory } from "../../support/temporary-directory.ts";

let [folder, data, identity] = ["", "", ""];
beforeEach(() => {
  folder = temporaryDirectory();
  [data, identity] = [join(folder, "data"), join(folder, "market")];
});

/** Starts and stops an engine; returns the id of its market. */
async function startedOnce(directory = data, file: string | null = identity): Promise<string> {
  const engine = await startTestEngine({ data: directory, identity: file });
  await engine.stop();
  return engine.engineId;
}

async function refusal(directory = data, acceptDataLoss = false): Promise<string> {
  const error = await startTestEngine({ data: directory, identity, acceptDataLoss }).then(() => null, (error) => error);
  expect(error).toBeInstanceOf(UsageError);
  return error.message;
}

describe("an engine with an identity file", () => {
  test("writes the id of its market at the first start, and goes on with that market", async () => {
    const id = await startedOnce();
    expect(readFileSync(identity, "utf8")).toBe(`${id}\n`);
    expect(await startedOnce()).toBe(id);
    expect(readFileSync(identity, "utf8")).toBe(`${id}\n`);
  });

  test("remembers a market that is older than the file", async () => {
    const id = await startedOnce(data, null);
    writeFileSync(identity, "");
    expect(await startedOnce()).toBe(id);
    expect(readFileSync(identity, "utf8")).toBe(`${id}\n`);
  });

  test("makes no new market in a directory that is missing or empty", async () => {
    const id = await startedOnce();
    rmSync(data, { recursive: true });
    const expected =
      `${data} holds no market, and ${identity} expects ${id}: name the directory of ${id}, mount it, or ` +
      `restore a backup of it; to begin a new market instead, delete ${identity}`;
    expect(await refusal()).toBe(expected);
    expect(existsSync(data)).toBe(false);
    mkdirSync(data);
    expect(await refusal()).toBe(expected);
    expect(readdirSync(data)).toEqual([]);
  });

  test("does not serve another market", async () => {
    const id = await startedOnce();
    const other = join(folder, "other");
    const otherId = await startedOnce(other, null);
    const before = readdirSync(other);
    expect(await refusal(other)).toStartWith(`${other} holds the market ${otherId}, and ${identity} expects ${id}: `);
    expect(readdirSync(other)).toEqual(before);
  });

  test("begins no new market in place of one that is unreadable, even if data loss is accepted", async () => {
    await startedOnce();
    const journal = join(data, "journal.sqlite");
    writeFileSync(journal, new Uint8Array(readFileSync(journal).length));
    expect(await refusal(data, true)).toContain("holds no market");
    rmSync(identity);
    await startedOnce(data, null).then(() => null, (error) => expect(error.message).toContain("is damaged"));
  });

  test("refuses a file in the directory, which would be lost with it", async () => {
    identity = join(data, "market");
    expect(await refusal()).toBe(`--identity: ${identity} would be lost together with ${data}; name another`);
    expect(existsSync(data)).toBe(false);
  });
});

test("an engine says in its log if it makes a new market, and not if it goes on with one", async () => {
  const lines: string[] = [];
  const info = (text: string, { engineId }: { readonly engineId?: string }) =>
    void lines.push(text.replace("{engineId}", engineId ?? ""));
  const log = { debug: () => {}, info, warn: () => {}, error: () => {} } as unknown as Logger;
  const start = async () => await (await startTestEngine({ data, log })).stop();
  await start();
  const isMade = (line: string) => line.startsWith("made a new market");
  expect(lines.filter(isMade)).toEqual([expect.stringMatching(/^made a new market \S+: there was none$/)]);
  await start();
  expect(lines.filter(isMade)).toHaveLength(1);
});
