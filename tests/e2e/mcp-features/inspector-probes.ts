// Each feature, used with the Inspector's `--cli`.

import { MODERN, type Outcome, type Probes } from "./features.ts";
import type { InspectorClient } from "./inspector.ts";
import { BOOK, DOCUMENT, LOGGED, LOGGING_TOOL } from "./offered.ts";
import { cachingSeen, LISTS, readingProbes } from "./reading-probes.ts";
import { expectSeen, refusalOf } from "./seen.ts";

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
    ...commandProbes(inspector, {
      call: ["tools/call", "--tool-name"],
      read: ["resources/read", "--uri"],
      prompt: ["prompts/get", "--prompt-name"],
      wait: ["--tool-arg", "waitSeconds=2"],
    }),
    discover: () => discover(inspector),
    parameterCompletion: noCommand("completion/complete"),
    argumentCompletion: noCommand("completion/complete"),
    subscription: noCommand("resources/subscribe"),
    unsubscription: noCommand("resources/unsubscribe"),
    listChanges: noCommand("subscriptions/listen"),
    cancellation: noCommand("notifications/cancelled"),
    confirmation: async () => {
      const { text } = await run("tools/call", "--tool-name", "mkt_flush_all_orders", "--tool-arg", "confirm=true");
      expectSeen(text.includes("this client can't ask one"), "a refusal that tells why", text);
      return "noElicitation";
    },
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

/** The words of commands up to the name of a tool, a resource or a prompt; and those that let a call wait. */
interface Words {
  readonly call: readonly string[];
  readonly read: readonly string[];
  readonly prompt: readonly string[];
  readonly wait: readonly string[];
}

/** What both command lines can do in the same way. */
export function commandProbes({ run, revision }: InspectorClient, { call, read, prompt, wait }: Words) {
  return {
    ...readingProbes({
      list: async (what) => (await run(LISTS[what].method)).value,
      ping: async () => (await run(...call, "mkt_ping")).text,
      read: async (uri) => (await run(...read, uri)).value,
      prompt: async (name, argument, value) =>
        (await run(...prompt, name, "--prompt-args", `${argument}=${value}`)).value,
    }),
    async progress(): Promise<Outcome> {
      const { text } = await run(...call, "mkt_watch_fills", ...wait);
      expectSeen(text.includes('"waited": true'), "a call that waited", text);
      return /progress/i.test(text) ? "yes" : "notShown";
    },
    async caching(): Promise<Outcome> {
      const [document, book] = [await run(...read, DOCUMENT), await run(...read, BOOK)];
      return cachingSeen(revision, [document.value], book.value);
    },
  };
}
