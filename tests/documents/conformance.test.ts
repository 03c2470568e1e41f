import { expect, test } from "bun:test";
import { join } from "node:path";
import { type Exception, exceptionsFor, REVISIONS } from "../e2e/conformance/expectations.ts";

const OUTCOMES: Readonly<Record<Exception["kind"], string>> = {
  server: "fails",
  not_applicable: "checks nothing",
  not_run: "not run",
};

test("the table of conformance has exactly the exceptions that the tests expect, with their reasons", async () => {
  const document = await Bun.file(join(import.meta.dir, "../../docs/mcp.md")).text();
  const [, section = ""] = /^## Conformance$(.*?)(?=^## |$(?![\s\S]))/ms.exec(document) ?? [];
  const rows = section.split("\n").filter((line) => /^\| 20/.test(line)).map((line) =>
    line.split("|").map((cell) => cell.trim()).filter((cell) => cell !== "").join(" | ")
  );
  expect(rows).toEqual((await Promise.all(REVISIONS.map(rowsFor))).flat());
});

/** One row for the scenarios that have one outcome for one reason. */
async function rowsFor(revision: typeof REVISIONS[number]): Promise<string[]> {
  const groups = Map.groupBy(await exceptionsFor(revision), ({ kind, reason }) => `${OUTCOMES[kind]} | ${reason}`);
  return [...groups].map(([end, exceptions]) =>
    `${revision} | ${exceptions.map(({ scenario }) => `\`${scenario}\``).join(", ")} | ${end}`
  );
}
