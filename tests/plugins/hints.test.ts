// Hints lead out: whoever follows the hint of a failed call comes to a call that works, or to a person who can help. Every tool
// is called by users who can do little: one that the engine does not know, one without permissions, and a server with a wrong
// token.

import { describe, expect, test } from "bun:test";
import type { Runtime } from "../../core/runtime.ts";
import { marketDefinition } from "../../engine/definition/market-definition.ts";
import { TOOL_EXAMPLES } from "../../scripts/tool-examples.ts";
import { resultOf } from "../core/support/results.ts";
import { startTestEngine } from "../support/engines.ts";
import { part, runtimeAt, text, type Value } from "./support/desk.ts";
import { MARKET, SECRET } from "./support/market.ts";
import { TOOLS } from "./support/packs.ts";
import { ScriptedSimulator } from "./support/scripted-simulator.ts";

const DEFINITION = marketDefinition.parse({
  ...MARKET,
  users: [...MARKET.users, { id: "nina", name: "Nina", entityId: "gamma", permissions: [] }],
});
const TOKEN = "the token of the engine";
/** What a person must do, who is then named or whose variable is. */
const LEADS_OUT = /operator|Set MKT_\w+/;

interface Answer {
  readonly isError: boolean;
  readonly hint: string;
  readonly message: string;
}

async function runtimeOf(environment: Record<string, string>, token: string | null = null): Promise<Runtime> {
  const engine = await startTestEngine({ definition: DEFINITION, secret: SECRET, token });
  const simulator = new ScriptedSimulator();
  if (environment["MKT_USER_ID"] === "ghost") simulator.refuses(403, "unknown_user", 'no user "ghost"');
  return await runtimeAt(engine, { MKT_SIM_URL: simulator.url, STRESS_TEST_SECRET: SECRET, ...environment });
}

/** The example of a tool with ids of this market. */
function inputOf(name: string): Record<string, unknown> {
  const { waitSeconds: _, userId: _user, ...example } = TOOL_EXAMPLES[name] ?? {};
  if (name === "mkt_get_user") return { userId: "olga" };
  if (name === "mkt_list_fills") return {};
  const own = {
    "NORTH-DA-HOUR-2026-11-24-H18": "base-1",
    "NORTH-DA-HOUR": "BASE",
    RIVERBEND: "gamma",
    HEARTLAND: "alpha",
  };
  const replaced = Object.entries(own).reduce((json, [id, here]) => json.replaceAll(id, here), JSON.stringify(example));
  return JSON.parse(replaced) as Record<string, unknown>;
}

async function answerOf({ dispatcher }: Runtime, name: string): Promise<Answer> {
  const scope = { signal: new AbortController().signal };
  const result = await resultOf(dispatcher.call(name, inputOf(name), scope));
  const [content] = result?.content ?? [];
  if (content?.type !== "text") throw new Error(`${name} gave no text`);
  if (result?.isError !== true) return { isError: false, hint: "", message: "" };
  const error = part(JSON.parse(content.text) as Value, "error");
  return { isError: true, hint: text(error, "hint"), message: text(error, "message") };
}

/** The tools that the hint of a failed call names. */
const namedIn = (hint: string) => [...new Set(hint.match(/mkt_\w+/g) ?? [])];

/** The tools whose hints, followed from one to the next, lead neither to a call that works nor to a person. */
function circular(answers: ReadonlyMap<string, Answer>): string[] {
  const leads = new Set(
    [...answers].filter(([, { isError, hint }]) => !isError || LEADS_OUT.test(hint)).map(([name]) => name),
  );
  for (let before = -1; before !== leads.size;) {
    before = leads.size;
    for (const [name, { hint }] of answers) if (namedIn(hint).some((next) => leads.has(next))) leads.add(name);
  }
  return [...answers].filter(([name]) => !leads.has(name)).map(([name, { hint }]) => `${name}: ${hint}`);
}

const DOORS: [who: string, environment: Record<string, string>, token: string | null][] = [
  ["a user that the engine does not know", { MKT_USER_ID: "ghost" }, null],
  ["a user without permissions", { MKT_USER_ID: "nina" }, null],
  ["a server with a wrong token", { MKT_USER_ID: "alice", MKT_BEARER_TOKEN: "another" }, TOKEN],
];

describe.each(DOORS)("%s", (_who, environment, token) => {
  test("finds a way out by the hints of every tool", async () => {
    const runtime = await runtimeOf(environment, token);
    const answers = new Map<string, Answer>();
    // A disconnect would take from the calls after it what the connect before them has given.
    const names = TOOLS.map(({ name }) => name).filter((name) => name !== "mkt_disconnect_pubsub");
    for (const name of ["mkt_connect_pubsub", ...names]) answers.set(name, await answerOf(runtime, name));
    answers.set("mkt_disconnect_pubsub", { isError: false, hint: "", message: "" });
    expect(circular(answers)).toEqual([]);
  });
});

test("an unknown user is told where users are named: the own setting's by the operator, another's by the list of users", async () => {
  const ghost = await runtimeOf({ MKT_USER_ID: "ghost" });
  const own = await answerOf(ghost, "mkt_connect_pubsub");
  expect(own.message).toEndWith("does not know user ghost (MKT_USER_ID).");
  expect(own.hint).toBe(
    "Set MKT_USER_ID to a user that the engine knows, or connect with the userId of one. A user that it does not know can't " +
      "list the others: ask the operator of the engine, whose market file names them.",
  );
  expect((await answerOf(ghost, "mkt_list_users")).hint).toBe(
    `${own.hint.replace("the engine knows", "the backend knows")} The acting user is ghost.`,
  );
  const alice = await runtimeOf({ MKT_USER_ID: "alice" });
  await expect(alice.services.pubsub.connect("ghost")).rejects.toMatchObject({
    code: "not_found",
    hint: "Pass the userId of a registered user: mkt_list_users lists them.",
  });
  expect((await answerOf(alice, "mkt_list_users")).isError).toBe(false);
});

test("a user who sees no holder of a permission is sent to the operator, and one who sees some is told who", async () => {
  const nina = await runtimeOf({ MKT_USER_ID: "nina" });
  await answerOf(nina, "mkt_connect_pubsub");
  expect((await answerOf(nina, "mkt_halt_market")).hint).toBe(
    "You see no user who holds Market.Operate: ask the operator of the engine to grant it, or which user to connect as.",
  );
  const credit = await answerOf(nina, "mkt_get_credit_status");
  expect(credit.message).toBe("User nina lacks the permission Credit.View. Held by greta.");
  expect(credit.hint).toStartWith("Connect as a user who holds Credit.View: mkt_disconnect_pubsub");
});
