// Each feature, used with an official client.

import { until } from "../../support/until.ts";
import { NORTH, WEST } from "../support/market.ts";
import { LEGACY, MODERN, type Outcome, type Probes } from "./features.ts";
import { BOOK, DOCUMENT, LOGGED, LOGGING_TOOL, MARKET, OTHER_BOOK, PROMPT, TEMPLATE } from "./offered.ts";
import { type Answer, LIST, type OfficialClient } from "./official-client.ts";
import { expectSeen, namesOf, refusalOf } from "./seen.ts";
import type { ChangeBook, World } from "./world.ts";

/** `connectLogging` connects the same client to the server whose pack logs. */
export function officialProbes(
  client: OfficialClient,
  world: World,
  connectLogging: () => Promise<OfficialClient>,
): Probes {
  return {
    discover: () => discover(client),
    tools: () => tools(client),
    resources: () => resources(client),
    templates: () => templates(client),
    parameterCompletion: async () => {
      const { uri, parameter, typed, value } = TEMPLATE;
      const answer = await client.complete({ type: "ref/resource", uri }, { name: parameter, value: typed });
      return completed(answer, value);
    },
    prompts: () => prompts(client),
    argumentCompletion: async () => {
      const { name, argument, typed, value } = PROMPT;
      return completed(
        await client.complete({ type: "ref/prompt", name }, { name: argument, value: typed }),
        value,
      );
    },
    subscription: () => world.withBooks((change) => subscription(client, change)),
    unsubscription: () => world.withBooks((change) => unsubscription(client, change)),
    listChanges: () => listChanges(client),
    progress: () => progress(client, world),
    cancellation: () => cancellation(client, world),
    confirmation: () => confirmation(client),
    caching: () => caching(client),
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

async function tools(client: OfficialClient): Promise<Outcome> {
  expectSeen(namesOf(await client.listTools(), "tools").includes("mkt_ping"), "mkt_ping in the list");
  const { structuredContent } = await client.callTool("mkt_ping", {});
  expectSeen(JSON.stringify(structuredContent).includes(`"mkt"`), "the answer of mkt_ping", structuredContent);
  return "yes";
}

async function resources(client: OfficialClient): Promise<Outcome> {
  const listed = namesOf(await client.listResources(), "resources", "uri");
  expectSeen(listed.includes(MARKET) && listed.includes(BOOK), "the resources in the list", listed);
  expectSeen(JSON.stringify(await client.readResource(MARKET)).includes(MARKET), "the content of the market");
  return "yes";
}

async function templates(client: OfficialClient): Promise<Outcome> {
  const listed = namesOf(await client.listResourceTemplates(), "resourceTemplates", "uriTemplate");
  expectSeen(listed.includes(TEMPLATE.uri), "the template in the list", listed);
  expectSeen(JSON.stringify(await client.readResource(BOOK)).includes(NORTH), "the content of the book");
  return "yes";
}

async function prompts(client: OfficialClient): Promise<Outcome> {
  const { name, argument, value } = PROMPT;
  expectSeen(namesOf(await client.listPrompts(), "prompts").includes(name), "the prompt in the list");
  const { messages } = await client.getPrompt(name, { [argument]: value });
  expectSeen(Array.isArray(messages) && messages.length > 0, "the messages of the prompt", messages);
  return "yes";
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
  const onprogress = () => void (notifications += 1);
  await client.callTool("mkt_watch_fills", { limit: world.nextLimit(), waitSeconds: 2 }, { onprogress });
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

async function caching(client: OfficialClient): Promise<Outcome> {
  const list = await client.listTools();
  const document = await client.readResource(DOCUMENT);
  const book = await client.readResource(BOOK);
  const times = [list, document, book].map(({ ttlMs }) => ttlMs as number | undefined);
  if (client.revision === LEGACY) {
    expectSeen(times.every((time) => time === undefined), "no cache times", times);
    return "noCacheTimes";
  }
  expectSeen(times[0]! > 0 && times[1]! > 0 && times[2] === 0, "the cache times of list, document and book", times);
  expectSeen(list["cacheScope"] === "public" && book["cacheScope"] === "private", "the cache scopes");
  return "yes";
}

async function logging(client: OfficialClient): Promise<Outcome> {
  await client.callWithLog(LOGGING_TOOL);
  await until(() => client.logs.includes(LOGGED), "the log message of the tool");
  return "yes";
}
