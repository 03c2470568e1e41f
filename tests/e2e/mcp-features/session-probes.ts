// Each feature, used with the Inspector's `mcpdo`.

import { until } from "../../support/until.ts";
import { NORTH, WEST } from "../support/market.ts";
import { LEGACY, MODERN, type Outcome, type Probes } from "./features.ts";
import type { CommandResult, FollowingCommand, SessionClient } from "./inspector.ts";
import { commandProbes } from "./inspector-probes.ts";
import { BOOK, LOGGED, LOGGING_TOOL, OTHER_BOOK, PROMPT, TEMPLATE } from "./offered.ts";
import { expectSeen, refusalOf } from "./seen.ts";
import type { ChangeBook, World } from "./world.ts";

/** `connectLogging` connects to the server whose pack logs. */
export function sessionProbes(
  session: SessionClient,
  world: World,
  connectLogging: () => Promise<SessionClient>,
): Probes {
  const { run } = session;
  const noCommand = (method: string) => async (): Promise<Outcome> => {
    const refusal = await refusalOf(run(method));
    expectSeen(refusal.includes("unknown command"), "a refusal of the command", refusal);
    return "noCommand";
  };
  return {
    ...commandProbes(session, {
      call: ["tools/call"],
      read: ["resources/read"],
      prompt: ["prompts/get"],
      wait: ["waitSeconds:=2"],
    }),
    discover: async () => {
      const { protocolEra } = (await run("connections/show")).value;
      expectSeen(protocolEra === (session.revision === MODERN ? "modern" : "legacy"), "the era", protocolEra);
      return session.revision === MODERN ? "yes" : "initialize";
    },
    parameterCompletion: async () => {
      const { uri, parameter, typed, value } = TEMPLATE;
      return completed(await run(...completion("ref/resource", uri, parameter, typed)), value);
    },
    argumentCompletion: async () => {
      const { name, argument, typed, value } = PROMPT;
      return completed(await run(...completion("ref/prompt", name, argument, typed)), value);
    },
    subscription: () => world.withBooks((change) => subscription(session, change)),
    unsubscription: () => world.withBooks((change) => unsubscription(session, change)),
    listChanges: noCommand("subscriptions/listen"),
    cancellation: noCommand("notifications/cancelled"),
    confirmation: () => confirmation(session),
    logging: async () => logging(await connectLogging()),
  };
}

function completion(type: string, ref: string, argument: string, typed: string): string[] {
  const options = { "ref-type": type, ref, "arg-name": argument, "arg-value": typed };
  return ["prompts/complete", ...Object.entries(options).flatMap(([name, value]) => [`--complete-${name}`, value])];
}

function completed({ value: { values } }: CommandResult, value: string): Outcome {
  expectSeen(Array.isArray(values) && values.includes(value), `${value} among the completions`, values);
  return "yes";
}

async function subscription(session: SessionClient, change: ChangeBook): Promise<Outcome> {
  if (hasNoChannel(session)) return await refusedSubscription(session);
  const [book] = await subscribed(session, [BOOK]);
  await change(NORTH);
  await until(() => updatesIn(book) > 0, "an update of the book");
  await book!.end();
  return "yes";
}

/** While a subscription is open, `mcpdo` refuses to end it by another command. */
async function unsubscription(session: SessionClient, change: ChangeBook): Promise<Outcome> {
  if (hasNoChannel(session)) return await refusedSubscription(session);
  const [book, other] = await subscribed(session, [BOOK, OTHER_BOOK]);
  const refusal = await refusalOf(session.run("resources/unsubscribe", BOOK));
  expectSeen(refusal.includes("Ctrl-C"), "that Ctrl-C ends a subscription", refusal);
  await book!.end();
  await session.run("resources/unsubscribe", BOOK);
  const before = updatesIn(book);
  await change(NORTH);
  await change(WEST);
  await until(() => updatesIn(other) > 0, "an update of the other book");
  expectSeen(updatesIn(book) === before, "no update of the book", book!.printed());
  await other!.end();
  return "yes";
}

async function subscribed({ follow }: SessionClient, uris: readonly string[]): Promise<FollowingCommand[]> {
  const commands = uris.map((uri) => follow("resources/subscribe", uri));
  await until(() => commands.every(({ printed }) => printed().includes('"subscribed"')), "the subscriptions");
  return commands;
}

const updatesIn = (command: FollowingCommand | undefined) =>
  (command?.printed().split('"resources/updated"').length ?? 1) - 1;

const hasNoChannel = ({ revision, transport }: SessionClient) => revision === LEGACY && transport === "http";

async function refusedSubscription({ run }: SessionClient): Promise<Outcome> {
  const refusal = await refusalOf(run("resources/subscribe", BOOK));
  expectSeen(refusal.includes("does not support resource subscriptions"), "a refusal of the subscription", refusal);
  return "noChannel";
}

async function confirmation({ run, revision, transport }: SessionClient): Promise<Outcome> {
  const { value, text } = await run("tools/call", "mkt_flush_order_book", `contractId:=${WEST}`, "confirm:=true");
  const { elicitationPending: question } = value as { elicitationPending?: { elicitationId: string } };
  if (question === undefined) {
    expectSeen(
      revision === LEGACY && transport === "http" && text.includes("person"),
      "a refusal that tells why",
      text,
    );
    return "noSession";
  }
  const answered = await until(() => run("elicitation/respond", question.elicitationId, "agree:=true"));
  expectSeen(answered.text.includes("success"), "the result of the confirmed call", answered.text);
  return "yes";
}

/** The command that shows log messages does not tell when it has begun, so the tool is called until one is shown. */
async function logging({ run, follow, revision }: SessionClient): Promise<Outcome> {
  const tail = follow("logging/tail");
  if (revision === LEGACY) await run("logging/setLevel", "info");
  await until(async () => {
    await run("tools/call", LOGGING_TOOL);
    return tail.printed().includes(LOGGED);
  }, "the log message of the tool");
  await tail.end();
  return "yes";
}
