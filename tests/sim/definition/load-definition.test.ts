import { beforeAll, describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { builtInMarket } from "../../../sim/definition/built-in-market.ts";
import { loadDefinition } from "../../../sim/definition/load-definition.ts";
import { temporaryDirectory } from "../../support/temporary-directory.ts";

describe("loading a definition from a file", () => {
  let directory = "";
  beforeAll(() => {
    directory = temporaryDirectory();
  });

  const file = (name: string, text: string) => {
    const path = join(directory, name);
    writeFileSync(path, text);
    return path;
  };

  test("returns the market in the file", () => {
    const definition = builtInMarket();
    expect(loadDefinition(file("market.json", JSON.stringify(definition)))).toEqual({ ok: true, definition });
  });

  test("names the path of each fault", () => {
    const loaded = loadDefinition(file("empty.json", "{}"));
    expect(loaded.ok ? [] : loaded.faults.map((fault) => fault.split(":")[0])).toContain("products");
  });

  test("of a missing file gives a fault of one line", () => {
    expect(loadDefinition(join(directory, "none.json"))).toEqual({
      ok: false,
      faults: ["can't be read: no such file"],
    });
  });

  test("of a directory gives a fault of one line", () => {
    const loaded = loadDefinition(directory);
    expect(loaded.ok ? [] : loaded.faults).toEqual([expect.stringMatching(/^can't be read: [^\n]+$/)]);
  });

  test("of a file that is not JSON gives a fault of one line", () => {
    const loaded = loadDefinition(file("broken.json", '{ "markets": [\n oops'));
    expect(loaded.ok ? [] : loaded.faults).toEqual([expect.stringMatching(/^is not JSON: [^\n]+$/)]);
  });
});
