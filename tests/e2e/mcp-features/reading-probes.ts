// The features that every client has: it lists, calls and reads what mkt offers, and is told how long it may keep an answer.

import { NORTH } from "../support/market.ts";
import { LEGACY, type Outcome, type Revision } from "./features.ts";
import { BOOK, MARKET, PROMPT, TEMPLATE } from "./offered.ts";
import { expectSeen } from "./seen.ts";

export type Answer = Readonly<Record<string, unknown>>;

/** By the clients' names: the method, the list in its answer, and what names an entry. */
export const LISTS = {
  listTools: { method: "tools/list", list: "tools", member: "name" },
  listResources: { method: "resources/list", list: "resources", member: "uri" },
  listResourceTemplates: { method: "resources/templates/list", list: "resourceTemplates", member: "uriTemplate" },
  listPrompts: { method: "prompts/list", list: "prompts", member: "name" },
} as const;

interface Reader {
  list(what: keyof typeof LISTS): Promise<Answer>;
  /** What the client shows of the answer of mkt_ping. */
  ping(): Promise<string>;
  read(uri: string): Promise<Answer>;
  prompt(name: string, argument: string, value: string): Promise<Answer>;
}

export function readingProbes(reader: Reader) {
  const expectListed = async (what: keyof typeof LISTS, ...expected: readonly string[]) => {
    const { list, member } = LISTS[what];
    const entries = (await reader.list(what))[list] as Record<string, string>[];
    const listed = entries.map((entry) => entry[member]!);
    expectSeen(expected.every((name) => listed.includes(name)), `${expected} in the list`, listed);
  };
  const expectContent = async (uri: string, expected: string) => {
    expectSeen(JSON.stringify(await reader.read(uri)).includes(expected), `${expected} in the content of ${uri}`);
  };
  return {
    async tools(): Promise<Outcome> {
      await expectListed("listTools", "mkt_ping");
      const text = await reader.ping();
      expectSeen(/"status": ?"ok"/.test(text) && text.includes('"mkt"'), "the answer of mkt_ping", text);
      return "yes";
    },
    async resources(): Promise<Outcome> {
      await expectListed("listResources", MARKET, BOOK);
      await expectContent(MARKET, MARKET);
      return "yes";
    },
    async templates(): Promise<Outcome> {
      await expectListed("listResourceTemplates", TEMPLATE.uri);
      await expectContent(BOOK, NORTH);
      return "yes";
    },
    async prompts(): Promise<Outcome> {
      const { name, argument, value } = PROMPT;
      await expectListed("listPrompts", name);
      const { messages } = await reader.prompt(name, argument, value);
      expectSeen(Array.isArray(messages) && messages.length > 0, "the messages of the prompt", messages);
      return "yes";
    },
  };
}

/** `book` changes at any time, and may not be kept; each of `kept` may. */
export function cachingSeen(revision: Revision, kept: readonly Answer[], book: Answer): Outcome {
  const times = [...kept, book].map(({ ttlMs }) => ttlMs as number | undefined);
  if (revision === LEGACY) {
    expectSeen(times.every((time) => time === undefined), "no cache times", times);
    return "noCacheTimes";
  }
  const last = times.length - 1;
  expectSeen(times.every((time, at) => at < last ? time! > 0 : time === 0), "the cache times, of a book last", times);
  return "yes";
}
