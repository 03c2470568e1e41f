// The colours of changes and results: a gain has the colour of what is good, a loss that of danger.

import { expect, test } from "bun:test";

const style = await Bun.file(new URL("../../../web/components/delta.css", import.meta.url)).text();

test.each([["delta-up", "good"], ["delta-down", "danger"]])("%s has the colour %s", (name, colour) => {
  expect(new RegExp(`\\.${name} \\{\\s+color: var\\(--(\\w+)\\);`).exec(style)?.[1]).toBe(colour);
});
