// Each feature, used with the Inspector's `--cli`.

import { NORTH } from "../support/market.ts";
import { LEGACY, MODERN, type Outcome, type Probes } from "./features.ts";
import type { InspectorClient } from "./inspector.ts";
import { BOOK, DOCUMENT, LOGGED, LOGGING_TOOL, MARKET, PROMPT, TEMPLATE } from "./offered.ts";
import { expectSeen, namesOf, refusalOf } from "./seen.ts";

/** By method. An unknown method is refused before a server is started or connected to, so one attempt is enough. */
const attempts = new Map<string, Promise<string>>();

/** `logging` is for the server whose pack logs. */
export function inspectorProbes(inspector: InspectorClient, logging: InspectorClient): Probes {
  const { run } = inspector;
  const noCommand = (method: string) => async (): Promise<Outcome> => {
    const attempt = attempts.get(method) ?? refusalOf(run(method));
    attempts.set(method, attempt);
    const refusal = await attempt;
    expectSeen(refusal.includes(`Unsupported method: ${method}`), "a refusal of the method", refusal);
    return "noCommand";
  };
  return {
    discover: () => discover(inspector),
    tools: async () => {
      expectSeen(namesOf((await run("tools/list")).value, "tools").includes("mkt_ping"), "mkt_ping in the list");
      const { text } = await run("tools/call", "--tool-name", "mkt_ping");
      expectSeen(text.includes('"status": "ok"'), "the answer of mkt_ping", text);
      return "yes";
    },
    resources: async () => {
      const listed = namesOf((await run("resources/list")).value, "resources", "uri");
      expectSeen(listed.includes(MARKET) && listed.includes(BOOK), "the resources in the list", listed);
      expectSeen((await run("resources/read", "--uri", MARKET)).text.includes(MARKET), "the content of the market");
      return "yes";
    },
    templates: async () => {
      const { value } = await run("resources/templates/list");
      expectSeen(namesOf(value, "resourceTemplates", "uriTemplate").includes(TEMPLATE.uri), "the template", value);
      expectSeen((await run("resources/read", "--uri", BOOK)).text.includes(NORTH), "the content of the book");
      return "yes";
    },
    parameterCompletion: noCommand("completion/complete"),
    prompts: async () => {
      const { name, argument, value } = PROMPT;
      expectSeen(namesOf((await run("prompts/list")).value, "prompts").includes(name), "the prompt in the list");
      const prompt = await run("prompts/get", "--prompt-name", name, "--prompt-args", `${argument}=${value}`);
      expectSeen(Array.isArray(prompt.value["messages"]), "the messages of the prompt", prompt.value);
      return "yes";
    },
    argumentCompletion: noCommand("completion/complete"),
    subscription: noCommand("resources/subscribe"),
    unsubscription: noCommand("resources/unsubscribe"),
    listChanges: noCommand("subscriptions/listen"),
    progress: async () => {
      const { text } = await run("tools/call", "--tool-name", "mkt_watch_fills", "--tool-arg", "waitSeconds=2");
      expectSeen(text.includes('"waited": true'), "a call that waited", text);
      return progressShown(text);
    },
    cancellation: noCommand("notifications/cancelled"),
    confirmation: async () => {
      const { text } = await run("tools/call", "--tool-name", "mkt_flush_all_orders", "--tool-arg", "confirm=true");
      expectSeen(text.includes("this client can't ask one"), "a refusal that tells why", text);
      return "noElicitation";
    },
    caching: () => caching(inspector, "resources/read", "--uri"),
    logging: async () => {
      const { text } = await logging.run("tools/call", "--tool-name", LOGGING_TOOL);
      expectSeen(text.includes('"isLogged": true'), "the result of the tool", text);
      return text.includes(LOGGED) ? "yes" : "notShown";
    },
  };
}

async function discover({ run, revision }: InspectorClient): Promise<Outcome> {
  const { protocolVersion } = (await run("initialize")).value;
  expectSeen(protocolVersion === revision, `revision ${revision}`, protocolVersion);
  return revision === MODERN ? "yes" : "initialize";
}

export function progressShown(text: string): Outcome {
  return /progress/i.test(text) ? "yes" : "notShown";
}

/** `read` are the words of the command that reads a resource. */
export async function caching({ run, revision }: InspectorClient, ...read: readonly string[]): Promise<Outcome> {
  const [document, book] = [await run(...read, DOCUMENT), await run(...read, BOOK)];
  const times = [document, book].map(({ value }) => value["ttlMs"] as number | undefined);
  if (revision === LEGACY) {
    expectSeen(times.every((time) => time === undefined), "no cache times", times);
    return "noCacheTimes";
  }
  expectSeen(times[0]! > 0 && times[1] === 0, "the cache times of document and book", times);
  return "yes";
}
