import { expect, test } from "bun:test";
import { resolve } from "node:path";
import { run } from "../support/processes.ts";
import { LINES, PIECE, piece } from "./numbered-lines.ts";

test("a reader that takes a few bytes at a time gets every byte once, also after process.stdout was used", async () => {
  const script = resolve(import.meta.dir, "fixtures/numbered-lines.ts");
  const { stdout } = await run(["sh", "-c", '"$0" "$1" | dd bs=256 2>/dev/null', process.execPath, script]);
  const pieces = Array.from({ length: LINES / PIECE }, (_, index) => piece(index * PIECE));
  expect(stdout === pieces.join("")).toBe(true);
});
