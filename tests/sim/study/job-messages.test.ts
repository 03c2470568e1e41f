import { expect, test } from "bun:test";
import { asLine, linesOf } from "../../../sim/study/job-messages.ts";

test("the lines of a stream are whole and each comes once, however the bytes come; what has no end is no line", async () => {
  const messages = [{ index: 1, tape: null }, { index: 2, tape: "Käse/\n" }, { index: 30, tape: "" }];
  const bytes = new TextEncoder().encode(`${messages.map(asLine).join("")}\n{"index":4`);
  for (const size of [1, 2, 7, bytes.length]) {
    const lines = await Array.fromAsync(linesOf(new Blob([bytes]).stream().pipeThrough(cutInto(size))));
    expect(lines.slice(0, 3).map((line) => JSON.parse(line))).toEqual(messages);
    expect(lines.slice(3)).toEqual([""]);
  }
});

/** Cuts a stream into chunks of some bytes. */
function cutInto(size: number): TransformStream<Uint8Array, Uint8Array> {
  return new TransformStream({
    transform(chunk, controller) {
      for (let at = 0; at < chunk.length; at += size) controller.enqueue(chunk.slice(at, at + size));
    },
  });
}
