import { describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { builtInMarket } from "../../../engine/definition/built-in-market.ts";
import { loadDefinition } from "../../../engine/definition/load-definition.ts";
import { temporaryDirectory } from "../../support/temporary-directory.ts";

describe("loading a definition from a file", () => {
  const file = (text: string) => {
    const path = join(temporaryDirectory(), "market.json");
    writeFileSync(path, text);
    return path;
  };

  test("returns the market in the file", () => {
    const definition = builtInMarket();
    expect(loadDefinition(file(JSON.stringify(definition)))).toEqual({ ok: true, definition });
  });

  test("ignores a byte order mark", () => {
    const definition = builtInMarket();
    expect(loadDefinition(file(`\uFEFF${JSON.stringify(definition)}`))).toEqual({ ok: true, definition });
  });

  test("names the path of each fault", () => {
    const loaded = loadDefinition(file("{}"));
    expect(loaded.ok ? [] : loaded.faults.map((fault) => fault.split(":")[0])).toContain("products");
  });

  test.each([
    ["a missing file", () => join(temporaryDirectory(), "none.json"), /^can't be read: no such file or folder$/],
    ["a directory", () => temporaryDirectory(), /^can't be read: [^\n]+$/],
    ["a file that is not JSON", () => file('{ "markets": [\n oops'), /^is not JSON: [^\n]+$/],
  ])("of %s gives a fault of one line", (_, path, fault) => {
    expect(loadDefinition(path())).toEqual({ ok: false, faults: [expect.stringMatching(fault)] });
  });
});
