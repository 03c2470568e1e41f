// The pictures beside words: each its own, which no screen reader reads.

import { expect, test } from "bun:test";
import { h } from "preact";
import { Icon, type IconName } from "../../../web/components/icon.tsx";
import { openBrowser, show } from "../support/browser.ts";

openBrowser();
const NAMES = (
  "check alert info stop pause play clock lock snow bolt link unlink search close " +
  "sun moon screen up down market eye wave people flask grid list sliders out"
).split(" ") as IconName[];

test.each(NAMES)("the picture %s is drawn in the colour and at the height of the text, and not read", async (name) => {
  const page = await show(h(Icon, { name }));
  expect([page.hints, page.all("path").length]).toEqual([[`◇${name}`], 1]);
  const [picture] = page.all("icon");
  expect(Object.fromEntries(picture!.attributes)).toMatchObject({
    ...{ width: "14", height: "14", viewBox: "0 0 16 16", fill: "none", stroke: "currentColor" },
    "aria-hidden": "true",
  });
});
