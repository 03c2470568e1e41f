// Rules that every prompt must follow, in all variants of arguments, users and packs.

import { describe, expect, test } from "bun:test";
import type { ToolError } from "../../core/error.ts";
import type { Prompt } from "../../core/prompts/prompt.ts";
import type { Seat } from "./support/desk.ts";
import { TOOLS } from "./support/packs.ts";
import { argumentsOf, openPromptSeats, PROMPTS } from "./support/prompt-seats.ts";
import { callsIn, promptOf, toolsIn } from "./support/prompts.ts";

/** In characters. */
const MAX_TEXT = 6_000;

const named = PROMPTS.map((prompt) => [prompt.name, prompt] as const);

const seats = await openPromptSeats();

interface Variant {
  readonly seat: Seat;
  readonly given: Readonly<Record<string, string>>;
  readonly text: string;
}

/** The texts of a prompt for all seats that are offered it, without those that are refused because of the user. */
async function variantsOf(prompt: Prompt): Promise<Variant[]> {
  const variants: Variant[] = [];
  for (const seat of seats.all) {
    if (seat.runtime.offers.prompts.get(prompt.name) === undefined) continue;
    for (const given of argumentsOf(prompt, seats.orderId)) {
      const made = await promptOf(seat.runtime, prompt.name, given).catch((error: unknown) => error);
      if (typeof made === "string") variants.push({ seat, given, text: made });
      else expect((made as ToolError).code).toMatch(/^(forbidden|invalid_input)$/);
    }
  }
  expect(variants.length).toBeGreaterThan(8);
  return variants;
}

test("the packs have a prompt for each piece of work", () => {
  expect(PROMPTS.map(({ name }) => name)).toEqual([
    "mkt_morning_check",
    "mkt_explain_order",
    "mkt_investigate_order",
    "mkt_credit_review",
    "mkt_sim_experiment",
  ]);
});

describe.each(named)("%s", (name, prompt) => {
  test("has a name like a tool's, a title and a short description that says whether it changes anything", () => {
    expect(name).toMatch(/^mkt_[a-z]+(_[a-z]+)*$/);
    expect(TOOLS.map((tool) => tool.name)).not.toContain(name);
    expect(prompt.title).toMatch(/^[A-Z][^.]{10,45}$/);
    expect(prompt.description.length).toBeWithin(60, 300);
    expect(prompt.description).toMatch(/(Changes nothing|Needs Market\.Operate)\.$/);
  });

  test("describes each argument with an example, says what its absence means, and completes it", () => {
    for (const [argument, { description, required = true, complete }] of Object.entries(prompt.arguments ?? {})) {
      expect({ argument, description }).toEqual({ argument, description: expect.stringMatching(/such as|calm/) });
      if (!required) expect(description).toMatch(/absent: |completes orderId/);
      expect(complete).toBeFunction();
    }
  });

  test("names exactly the tools that it declares, and only tools that are offered", async () => {
    const declared = [...prompt.uses ?? [], ...prompt.mayUse ?? []];
    expect(declared.filter((tool) => !TOOLS.some((each) => each.name === tool))).toEqual([]);
    const variants = await variantsOf(prompt);
    for (const { seat, given, text } of variants) {
      const { names } = seat.runtime.dispatcher.catalogue;
      expect({ given, notOffered: toolsIn(text).filter((tool) => !names.includes(tool)) })
        .toEqual({ given, notOffered: [] });
    }
    expect([...new Set(variants.flatMap(({ text }) => toolsIn(text)))].sort()).toEqual(declared.toSorted());
  });

  test("writes only calls whose parameters fit the tool", async () => {
    for (const { given, text } of await variantsOf(prompt)) {
      const calls = callsIn(text);
      expect(calls.length).toBeGreaterThan(0);
      for (const { tool, parameters } of calls) {
        const issues = TOOLS.find((each) => each.name === tool)?.input.safeParse(parameters).error?.issues ?? [];
        expect({ given, tool, parameters, issues }).toEqual({ given, tool, parameters, issues: [] });
      }
    }
  });

  test(`has at most ${MAX_TEXT} characters, numbered steps, rules and the form of the report`, async () => {
    for (const { given, text } of await variantsOf(prompt)) {
      expect({ given, isShort: text.length <= MAX_TEXT }).toEqual({ given, isShort: true });
      expect(text).toMatch(/\nRules\n- .*\n\nSteps\n1\. .*\n\nReport, at most 20 lines, .*Certain: .*Unknown: /s);
      expect(text).not.toContain("undefined");
    }
  });

  test("connects first if it needs to and can, and says so if it can't", async () => {
    for (const { seat, text } of await variantsOf(prompt)) {
      const { pubsub, server } = seat.runtime.services;
      const canConnect = pubsub.session === null && server.tools.has("mkt_connect_pubsub");
      expect(text.includes("\nSteps\n1. mkt_connect_pubsub {}: ")).toBe(canConnect);
      expect(text.includes("Nothing here can connect")).toBe(pubsub.session === null && !canConnect);
    }
  });

  test("gives the facts of now only with their time", async () => {
    for (const { text } of await variantsOf(prompt)) {
      const facts = text.split("\n").slice(text.split("\n").findIndex((line) => line.startsWith("Report"))).filter((
        line,
      ) => /^[a-z]+: \{/.test(line));
      if (facts.length > 0) {
        expect(text).toMatch(/\n\nState at 20\d\d-\d\d-\d\dT[\d:.]+Z \(data; the steps read it again\):\n/);
      }
    }
  });
});
