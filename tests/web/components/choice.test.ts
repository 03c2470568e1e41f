// Which of a few buttons is pressed, and what they tell.

import { expect, test } from "bun:test";
import { h } from "preact";
import { Choice } from "../../../web/components/choice.tsx";
import { openBrowser, show } from "../support/browser.ts";

openBrowser();

const OPTIONS = [["", "All"], ["NORTH", "North"], ["WEST", "West"]] as const;

test.each(["", "NORTH", "WEST"] as const)("exactly the chosen value is pressed: %p", async (value) => {
  const told: string[] = [];
  const onChange = (chosen: string) => void told.push(chosen);
  const page = await show(h(Choice, { label: "Node", options: OPTIONS, value, onChange }));
  const buttons = page.all("button");
  expect(buttons.map(({ attributes }) => attributes.get("aria-pressed")))
    .toEqual(OPTIONS.map(([option]) => String(option === value)));
  for (const button of buttons) button.dispatch({ type: "click" });
  expect(told).toEqual(OPTIONS.map(([option]) => option));
});
