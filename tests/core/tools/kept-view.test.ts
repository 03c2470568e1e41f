import { expect, test } from "bun:test";
import { keptText, keptView } from "../../../core/tools/kept-view.ts";
import { MAX_DEPTH } from "../../../protocol/limits.ts";

const counted = () => {
  let count = 0;
  const view = keptView(({ id }: { readonly id: string }) => ({ id, shown: ++count }));
  return { view, shown: () => count };
};

test("a view shows the same object for the same source, and nothing can change it", () => {
  const { view, shown } = counted();
  const source = { id: "o-1" };
  const first = view(source);
  expect(view(source)).toBe(first);
  expect(view({ id: "o-1" })).not.toBe(first);
  expect(shown()).toBe(2);
  expect(() => Object.assign(first, { id: "o-2" })).toThrow(TypeError);
});

test("the JSON text of what is shown is kept, also as it stands in a JSON string", () => {
  const shown = counted().view({ id: "o-1" });
  const text = JSON.stringify(shown);
  expect(keptText(shown)).toEqual({ text, quoted: JSON.stringify(text).slice(1, -1) });
  expect(keptText({ ...shown })).toBeUndefined();
});

test.each(["Zürich", "a\nb", 'a "name"', "x".repeat(2001), "\x7f"])(
  "a text that needs a closer look is not kept: %p",
  (id) => {
    const { view } = counted();
    const source = { id };
    expect(keptText(view(source))).toBeUndefined();
    expect(view(source)).toBe(view(source));
  },
);

test("a text that may be nested too deep in a result is not kept", () => {
  const nested = (depth: number): unknown => depth === 0 ? 1 : [nested(depth - 1)];
  const view = keptView(({ depth }: { readonly depth: number }) => ({ list: nested(depth - 1) }));
  expect(keptText(view({ depth: MAX_DEPTH - 2 }))).toBeDefined();
  expect(keptText(view({ depth: MAX_DEPTH - 1 }))).toBeUndefined();
});

test("what was not shown for long is dropped, and what is shown often stays", () => {
  const { view, shown } = counted();
  const [rare, frequent] = [{ id: "rare" }, { id: "frequent" }];
  const first = [view(rare), view(frequent)];
  for (let at = 0; at < 2000; at += 1) {
    view({ id: `o-${at}` });
    expect(view(frequent)).toBe(first[1]!);
  }
  expect(view(rare)).not.toBe(first[0]!);
  expect(shown()).toBe(2003);
});
