import { beforeAll, describe, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { E2E, TestMap } from "../../../scripts/faults/covering-tests.ts";
import { type Fault, type FaultKind, nameOf, withFault } from "../../../scripts/faults/fault.ts";
import { findFaults } from "../../../scripts/faults/fault-finder.ts";
import { temporaryDirectory } from "../../support/temporary-directory.ts";

const SOURCE = `// A comment with a < b and true.
import { send } from "./send.ts";
type Small = 1 | true;
const WAIT_MS = 500;
const text = "1 < 2";
export async function work(a: number, ready: boolean): Promise<void> {
  log.info("started", { count: 3 });
  await send(a);
  if (a < 10 && !ready) return;
  send(Math.min(a, 7));
  done(false);
}
export const total = (a: number) => a === 1;
`;

let root: string;
let faults: readonly Fault[];

beforeAll(async () => {
  root = temporaryDirectory();
  await writeFile(join(root, "tsconfig.json"), `{ "compilerOptions": { "noLib": true, "types": [] } }`);
  await writeFile(join(root, "work.ts"), SOURCE);
  faults = await findFaults(root, ["work.ts"]);
});

/** The changed lines of each fault of a kind. */
function changesOf(kind: FaultKind): string[] {
  const before = SOURCE.split("\n");
  return faults.filter((fault) => fault.kind === kind).map((fault) => {
    const changed = withFault(SOURCE, fault).split("\n").filter((line, at) => line !== before[at]);
    return changed.map((line) => line.trim()).join(" ");
  });
}

const CONSTANTS = [
  "if (a < 11 && !ready) return;",
  "send(Math.min(a, 8));",
  "export const total = (a: number) => a === 2;",
];

describe("the faults of a source", () => {
  test.each<[FaultKind, string[]]>([
    ["comparison turned", ["if (a >= 10 && !ready) return;", "export const total = (a: number) => a !== 1;"]],
    ["boundary moved", ["if (a <= 10 && !ready) return;"]],
    ["constant off by one", CONSTANTS],
    ["boolean flipped", ["done(true);"]],
    ["negation removed", ["if (a < 10 && ready) return;"]],
    ["and for or", ["if (a < 10 || !ready) return;"]],
    ["least for greatest", ["send(Math.max(a, 7));"]],
    ["branch dropped", ["if (false) return;"]],
    ["check after await dropped", [";"]],
    ["statement dropped", [";", ";", ";"]],
    ["statements swapped", ["done(false); send(Math.min(a, 7));"]],
    ["returns early", ["return;", "return;", "return;"]],
  ])("with %s", (kind, changes) => {
    expect(changesOf(kind).toSorted()).toEqual(changes.toSorted());
  });

  test("are none in comments, texts, types, log lines and waiting times", () => {
    const lines = new Set(faults.map(({ line }) => line));
    expect([...lines].toSorted((a, b) => a - b)).toEqual([8, 9, 10, 11, 13]);
  });

  test("have a name without a line number, which tells them apart", () => {
    const names = faults.map(nameOf);
    expect(new Set(names).size).toBe(names.length);
    expect(names).toContain("work.ts: boundary moved: if (a < 10 && !ready) return;: < -> <=");
  });
});

describe("the tests that cover a source", () => {
  test("of the executable are named by folders and files that exist", () => {
    const paths = E2E.flatMap(([folder, names]) => [folder, ...names.map((name) => `tests/e2e/${name}.test.ts`)]);
    expect(paths.filter((path) => !existsSync(resolve(import.meta.dir, "../../..", path)))).toEqual([]);
  });

  test("come with the file of its name first, then those that import it, then the named ones of the executable", async () => {
    const map = await TestMap.of(resolve(import.meta.dir, "../../.."));
    const covering = map.covering("core/market/event-buffer.ts");
    const paths = covering.map(({ path }) => path);
    expect(paths[0]).toBe("tests/core/market/event-buffer.test.ts");
    expect(paths).toContain("tests/plugins/monitor.test.ts");
    expect(paths).not.toContain("tests/engine/market/matching.test.ts");
    expect(covering.some(({ needsExecutable }) => needsExecutable)).toBe(false);
    const ofGuardrails = map.covering("core/guardrails/freeze-file.ts");
    expect(ofGuardrails[0]?.path).toBe("tests/core/guardrails/freeze-file.test.ts");
    expect(ofGuardrails.filter(({ needsExecutable }) => needsExecutable).map(({ path }) => path))
      .toEqual(["tests/e2e/freeze.test.ts"]);
  });
});
