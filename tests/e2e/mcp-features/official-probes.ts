// Each feature, used with an official client.

import { until } from "../../support/until.ts";
import { NORTH, WEST } from "../support/market.ts";
import { LEGACY, MODERN, type Outcome, type Probes } from "./features.ts";
import { BOOK, DOCUMENT, LOGGED, LOGGING_TOOL, OTHER_BOOK, PROMPT, TEMPLATE } from "./offered.ts";
import { LIST, type OfficialClient } from "./official-client.ts";
import { type Answer, cachingSeen, readingProbes } from "./reading-probes.ts";
import { expectSeen, refusalOf } from "./seen.ts";
import type { ChangeBook, World } from "./world.ts";

/** `connectLogging` connects the same client to the server whose pack logs. */
export function officialProbes(
  client: OfficialClient,
  world: World,
  connectLogging: () => Promise<OfficialClient>,
): Probes {
  return {
    discover: () => discover(client),
    ...readingProbes({
      list: (what) => client.list(what),
      ping: async () => JSON.stringify((await client.callTool("mkt_ping", {})).structuredContent),
      read: (uri) => client.readResource(uri),
      prompt: (name, argument, value) => client.getPrompt(name, { [argument]: value }),
    }),
    parameterCompletion: async () => {
      const { uri, parameter, typed, value } = TEMPLATE;
      const answer = await client.complete({ type: "ref/resource", uri }, { name: parameter, value: typed });
      return completed(answer, value);
    },
    argumentCompletion: async () => {
      const { name, argument, typed, value } = PROMPT;
      const answer = await client.complete({ type: "ref/prompt", name }, { name: argument, value: typed });
      return completed(answer, value);
    },
    subscription: () => world.withBooks((change) => subscription(client, change)),
    unsubscription: () => world.withBooks((change) => unsubscription(client, change)),
    listChanges: () => listChanges(client),
    progress: () => progress(client, world),
    cancellation: () => cancellation(client, world),
    confirmation: () => confirmation(client),
    caching: async () => {
      const list = await client.list("listTools");
      const [document, book] = [await client.readResource(DOCUMENT), await client.readResource(BOOK)];
      const outcome = cachingSeen(client.revision, [list, document], book);
      const areScoped = list["cacheScope"] === "public" && book["cacheScope"] === "private";
      expectSeen(outcome !== "yes" || areScoped, "the cache scopes");
      return outcome;
    },
    logging: async () => logging(await connectLogging()),
  };
}

async function discover(client: OfficialClient): Promise<Outcome> {
  if (client.revision === MODERN) {
    const { supportedVersions } = await client.discover();
    expectSeen(
      Array.isArray(supportedVersions) && supportedVersions.includes(MODERN),
      "the revision",
      supportedVersions,
    );
    return "yes";
  }
  const refusal = await refusalOf(client.discover());
  expectSeen(/not found|not supported|not available/i.test(refusal), "a refusal of server/discover", refusal);
  return "initialize";
}

function completed({ completion }: Answer, value: string): Outcome {
  const { values } = completion as { values: string[] };
  expectSeen(values.includes(value), `${value} among the completions`, values);
  return "yes";
}

async function subscription(client: OfficialClient, change: ChangeBook): Promise<Outcome> {
  if (hasNoChannel(client)) return await refusedSubscription(client);
  const end = await client.subscribe(BOOK);
  const before = client.updates.length;
  await change(NORTH);
  await until(() => client.updates.slice(before).includes(BOOK), "an update of the book");
  await end();
  return "yes";
}

/** A second subscription shows that later updates would have come. */
async function unsubscription(client: OfficialClient, change: ChangeBook): Promise<Outcome> {
  if (hasNoChannel(client)) return await refusedSubscription(client);
  const end = await client.subscribe(BOOK);
  const endOther = await client.subscribe(OTHER_BOOK);
  await change(NORTH);
  await until(() => client.updates.includes(BOOK), "an update of the book");
  await end();
  // The server has read the end of the subscription before this call.
  await client.callTool("mkt_ping", {});
  const before = client.updates.length;
  await change(NORTH);
  await change(WEST);
  await until(() => client.updates.slice(before).includes(OTHER_BOOK), "an update of the other book");
  expectSeen(!client.updates.slice(before).includes(BOOK), "no update of the book", client.updates);
  await endOther();
  return "yes";
}

function hasNoChannel({ capabilities, revision, transport }: OfficialClient): boolean {
  return revision === LEGACY && transport === "http" && capabilities.resources?.subscribe !== true;
}

async function refusedSubscription(client: OfficialClient): Promise<Outcome> {
  const refusal = await refusalOf(client.subscribe(BOOK));
  expectSeen(/subscri/i.test(refusal), "a refusal of the subscription", refusal);
  return "noChannel";
}

/** The books are in the list while mkt is connected to the market. */
async function listChanges(client: OfficialClient): Promise<Outcome> {
  if (hasNoChannel(client)) {
    const { capabilities } = client;
    expectSeen(capabilities.resources?.listChanged === false, "listChanged: false", capabilities);
    return "noChannel";
  }
  await client.followList();
  const before = client.updates.length;
  await client.callTool("mkt_disconnect_pubsub", {});
  await until(() => client.updates.slice(before).includes(LIST), "a message that the list has changed");
  await client.callTool("mkt_connect_pubsub", {});
  return "yes";
}

async function progress(client: OfficialClient, world: World): Promise<Outcome> {
  let notifications = 0;
  // Nothing more is to be seen of the call then.
  const controller = new AbortController();
  const onprogress = () => {
    notifications += 1;
    controller.abort();
  };
  const input = { limit: world.nextLimit(), waitSeconds: 30 };
  await refusalOf(client.callTool("mkt_watch_fills", input, { signal: controller.signal, onprogress }));
  expectSeen(notifications > 0, "a progress notification before the result");
  return "yes";
}

/** Cancels the call once its wait has begun, which its first progress notification tells. */
async function cancellation(client: OfficialClient, world: World): Promise<Outcome> {
  const unmatched = client.revision === LEGACY && client.transport === "http";
  const limit = world.nextLimit();
  const waiting = Promise.withResolvers<void>();
  const controller = new AbortController();
  const call = refusalOf(client.callTool(
    "mkt_watch_fills",
    { limit, waitSeconds: unmatched ? 5 : 30 },
    { signal: controller.signal, onprogress: () => waiting.resolve() },
  ));
  await Promise.race([waiting.promise, call]);
  controller.abort();
  await call;
  const { outcome } = await world.endOfCall(limit);
  if (outcome === "given_up") return "yes";
  expectSeen(unmatched && outcome === "ok", "a wait that ends early", outcome);
  return "noSession";
}

async function confirmation(client: OfficialClient): Promise<Outcome> {
  const before = client.questions.length;
  const result = await client.callTool("mkt_flush_order_book", { contractId: WEST, confirm: true });
  if (result["isError"] !== true) {
    expectSeen(client.questions.length === before + 1, "one question", client.questions);
    return "yes";
  }
  const text = JSON.stringify(result["content"]);
  expectSeen(
    client.revision === LEGACY && client.transport === "http" && text.includes("forbidden") && text.includes("person"),
    "a refusal that tells why",
    text,
  );
  return "noSession";
}

async function logging(client: OfficialClient): Promise<Outcome> {
  await client.callWithLog(LOGGING_TOOL);
  await until(() => client.logs.includes(LOGGED), "the log message of the tool");
  return "yes";
}
