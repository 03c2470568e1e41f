import { expect, test } from "bun:test";
import { Flow } from "../../bench/engine/flow.ts";
import { EnginePlayer } from "../../bench/engine/players.ts";
import { partsOf, sharedParts, writeParts } from "../../bench/engine/text-parts.ts";
import { recordedParts, textsTable } from "../../bench/engine-texts.ts";
import { TextWriter } from "../../engine/text/text-writer.ts";

test("the table has all figures", () => {
  const sizes = { warmUp: 300, block: 80, blocks: 2 };
  const table = textsTable(sizes, recordedParts(sizes));
  expect(table).toContain("written / peer");
  expect(table).not.toMatch(/NaN|Infinity/);
});

test("the parts give the engine's texts again, and recording them changes nothing", () => {
  const flow = new Flow(5, 50, 1);
  flow.addMixed(600);
  const plain = new EnginePlayer(5, flow.operations);
  plain.play(0, flow.operations.length);
  const recorded = new EnginePlayer(5, flow.operations);
  const parts = partsOf(() => recorded.play(0, flow.operations.length));
  expect(recorded.written).toBe(plain.written);

  const texts: string[] = [];
  const writer = new TextWriter();
  const keeper = {
    text: (text: string) => writer.text(text),
    take: () => {
      const text = writer.take();
      texts.push(text);
      return text;
    },
  };
  writeParts(sharedParts(parts), keeper);
  const all = texts.join("\n");
  for (const type of ["new.order", "new.trade", "new.fill", "change.book", "/CREDIT/", "orderFilled", "response"]) {
    expect(all).toContain(type);
  }
  // An answer's order is a piece of a text that was written already, and is written again into the response.
  expect(all.length).toBeGreaterThanOrEqual(plain.written);
});
