// Which prompts can't be offered without a tool, and which names are warned of.

import { expect, test } from "bun:test";
import type { Pack } from "../../../core/packs/pack.ts";
import { unknownTools, unusablePrompts } from "../../../core/packs/prompt-tools.ts";

function packOf(tools: readonly string[], prompts: readonly object[], origin?: object): Pack {
  return { name: "acme", tools: tools.map((name) => ({ name })), prompts, ...(origin && { origin }) } as never;
}

test("a prompt is left out for the first of its tools that no pack offers, whichever pack offers the others", () => {
  const plain = { name: "plain" };
  const usable = { name: "usable", uses: ["acme_one", "acme_two"], mayUse: ["gone"] };
  const unusable = { name: "unusable", uses: ["acme_one", "acme_thre", "gone"] };
  const packs = [packOf(["acme_one", "acme_three"], [plain, usable]), packOf(["acme_two"], [unusable])];
  expect([...unusablePrompts(packs)]).toEqual([
    [unusable, "it uses the tool acme_thre, which is not offered (did you mean acme_three?)"],
  ] as never);
  expect([...unusablePrompts([packOf([], [plain])])]).toEqual([]);
});

test("each tool that a prompt of an external pack names and no pack has is warned of; built-in packs have none", () => {
  const prompt = { name: "greet", uses: ["acme_one", "acme_on"], mayUse: ["acme_two", "other"] };
  const packs = (
    origin?: object,
  ) => [packOf(["acme_one"], [prompt], origin), packOf(["acme_two"], [{ name: "p" }], origin)];
  expect(unknownTools(packs())).toEqual([]);
  const warnings = unknownTools(packs({ file: "/packs/acme.ts" }));
  expect(warnings).toHaveLength(2);
  expect(warnings[0]).toMatch(
    /^the prompt greet of .* names the tool acme_on, which no pack has \(did you mean acme_one\?\)$/,
  );
  expect(warnings[1]).toMatch(/^the prompt greet of .* names the tool other, which no pack has$/);
});
