// Subscriptions to resources, by the official clients of both generations, with a pack whose resources change when a
// test says so.

import { describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { EmptyResultSchema } from "@modelcontextprotocol/sdk/types.js";
import { httpServerHere, type LineTransport } from "../../../support/in-process.ts";
import { temporaryDirectory, tokenFile } from "../../../support/temporary-directory.ts";
import { MAX_SUBSCRIPTIONS } from "../../../../core/subscriptions/subscriptions.ts";
import { until } from "../../../support/until.ts";
import { NO_BACKEND } from "../../../support/http-requests.ts";
import {
  modernOnStdio,
  modernOverHttp,
  type ModernSubscriber,
  olderOnStdio,
  olderOverHttp,
  type OlderSubscriber,
} from "../../../support/subscriber.ts";

const ENVIRONMENT = { ...NO_BACKEND, MKT_PLUGIN_DIR: resolve(import.meta.dir, "../../../e2e/fixtures/counters") };
const A = "test://counters/a";
const B = "test://counters/b";

const server = await httpServerHere(ENVIRONMENT);

type AnyClient = Pick<ModernSubscriber["client"] | OlderSubscriber["client"], "callTool">;

/** Sets a counter, or removes it with -1. */
async function setCounter(client: AnyClient, name: string, count: number, isBroken = false): Promise<void> {
  await client.callTool({ name: "test_set_counter", arguments: { name, count, isBroken } });
}

/** A value that no counter has had. */
let last = 100;
const next = () => (last += 1);

const TRANSPORTS = [["HTTP", await modernOverHttp(server.url)], ["stdio", await modernOnStdio(ENVIRONMENT)]] as const;

describe.each(TRANSPORTS)("subscriptions/listen over %s", (_, { client, told, listen }) => {
  test("tells that a resource has changed, once for many changes at once, and not of other resources", async () => {
    const subscription = await listen({ resourceSubscriptions: [A] });
    const [before, others] = [told.of(A), told.of(B)];
    await setCounter(client, "b", next());
    for (let change = 0; change < 20; change += 1) await setCounter(client, "a", next());
    await until(() => told.of(A) > before, "an update");
    await setCounter(client, "a", next());
    await until(() => told.of(A) > before + 1, "another update");
    expect(told.of(A) - before).toBeLessThan(20);
    expect(told.of(B)).toBe(others);
    await subscription.close();
  });

  test("acknowledges what it can tell of: existing resources that say when they change and may be read", async () => {
    const asked = [A, "test://counters/none", "test://fixed", "test://connected", "test://other", B];
    const lists = { toolsListChanged: true, resourcesListChanged: true };
    const subscription = await listen({ resourceSubscriptions: asked, ...lists });
    expect(subscription.honoredFilter).toEqual({ resourceSubscriptions: [A, B], resourcesListChanged: true });
    await subscription.close();
  });

  test("tells that the list of resources has changed", async () => {
    const subscription = await listen({ resourcesListChanged: true });
    const before = told.listChanges;
    await setCounter(client, `made-${next()}`, 1);
    await until(() => told.listChanges > before, "a change of the list");
    await setCounter(client, `made-${last}`, -1);
    await until(() => told.listChanges > before + 1, "another change of the list");
    await subscription.close();
  });

  test("tells that a resource has gone and that it has come back", async () => {
    await setCounter(client, "gone", 1);
    const uri = "test://counters/gone";
    const subscription = await listen({ resourceSubscriptions: [uri] });
    await setCounter(client, "gone", -1);
    await until(() => told.of(uri) === 1, "the update that it has gone");
    await setCounter(client, "gone", 1);
    await until(() => told.of(uri) === 2, "the update that it has come back");
    await subscription.close();
  });

  test("a version that fails counts as changed once and doesn't end the other subscriptions", async () => {
    const uri = "test://broken";
    const subscription = await listen({ resourceSubscriptions: [uri, A] });
    const before = told.of(A);
    await setCounter(client, "a", next(), true);
    await until(() => told.of(A) > before && told.of(uri) === 1, "both updates");
    await setCounter(client, "a", next(), true);
    await until(() => told.of(A) > before + 1, "a further update");
    expect(told.of(uri)).toBe(1);
    await setCounter(client, "b", next(), false);
    await until(() => told.of(uri) === 2, "the update that it works again");
    await subscription.close();
  });

  test("tells nothing after the client has ended it, and goes on with the others", async () => {
    const first = await listen({ resourceSubscriptions: [A] });
    const second = await listen({ resourceSubscriptions: [B] });
    await first.close();
    const [a, b] = [told.of(A), told.of(B)];
    await setCounter(client, "a", next());
    await setCounter(client, "b", next());
    await until(() => told.of(B) > b, "the update of the other one");
    expect(told.of(A)).toBe(a);
    await second.close();
  });

  test("refuses more resources than one subscription may have, and says so", async () => {
    for (let at = 0; at <= 200; at += 1) await setCounter(client, `many-${at}`, 0);
    const uris = Array.from({ length: 201 }, (_, at) => `test://counters/many-${at}`);
    await expect(listen({ resourceSubscriptions: uris })).rejects.toThrow(/at most .* 200 of one subscription/);
    const subscription = await listen({ resourceSubscriptions: uris.slice(1) });
    expect(subscription.honoredFilter.resourceSubscriptions).toHaveLength(200);
    await subscription.close();
    for (let at = 0; at <= 200; at += 1) await setCounter(client, `many-${at}`, -1);
  });

  test("refuses a filter of another form", async () => {
    const asked = listen({ resourceSubscriptions: "all" as unknown as string[] });
    await expect(asked).rejects.toThrow(/valid SubscriptionFilter/);
  });
});

const older = await olderOnStdio(ENVIRONMENT);

describe("resources/subscribe of an older client on stdio", () => {
  const { client, told } = older;
  test("is declared, and tells changes until resources/unsubscribe", async () => {
    expect(client.getServerCapabilities()?.resources).toEqual({ subscribe: true, listChanged: true });
    await client.subscribeResource({ uri: A });
    await client.subscribeResource({ uri: B });
    await setCounter(client, "a", next());
    await until(() => told.of(A) === 1, "an update");
    await client.unsubscribeResource({ uri: A });
    await setCounter(client, "a", next());
    await setCounter(client, "b", next());
    await until(() => told.of(B) === 1, "an update of the other one");
    expect(told.of(A)).toBe(1);
    await client.unsubscribeResource({ uri: B });
  });

  test("gives back its place of the limit with the last resources/unsubscribe", async () => {
    const { client } = await olderOnStdio(ENVIRONMENT);
    for (let round = 0; round <= MAX_SUBSCRIPTIONS.client; round += 1) {
      await Promise.all([client.subscribeResource({ uri: A }), client.unsubscribeResource({ uri: A })]);
    }
  });

  test.each([
    ["test://counters/none", /There is no counter none/],
    ["test://other", /no resource test:\/\/other\. resources\/list and resources\/templates\/list say which there are/],
    ["test://fixed", /doesn't say when it changes. Read it when you need it/],
    ["test://connected", /no connection to the market/],
  ])("refuses %s with what to do", async (uri, message) => {
    await expect(client.subscribeResource({ uri })).rejects.toThrow(message);
  });

  test("tells changes of the list once the client has asked for it", async () => {
    await setCounter(client, `made-${next()}`, 1);
    await client.listResources();
    const before = told.listChanges;
    await setCounter(client, `made-${next()}`, 1);
    await until(() => told.listChanges > before, "a change of the list");
  });

  test("tells them also if the client has asked with a progress token", async () => {
    const { client, told } = await olderOnStdio(ENVIRONMENT);
    await client.listResources(undefined, { onprogress: () => {} });
    await setCounter(client, `made-${next()}`, 1);
    await until(() => told.listChanges > 0, "a change of the list");
  });
});

test("an older client over HTTP is refused, and told what to use", async () => {
  const { client } = await olderOverHttp(server.url);
  expect(client.getServerCapabilities()?.resources).toEqual({ subscribe: false, listChanged: false });
  const subscribing = client.request({ method: "resources/subscribe", params: { uri: A } }, EmptyResultSchema);
  await expect(subscribing).rejects.toThrow(/Use protocol 2026-07-28 \(subscriptions\/listen\), or stdio/);
});

test("a token that is revoked ends its subscriptions, and no others", async () => {
  const [desk, robot] = ["secret-of-the-desk-1", "secret-of-the-robot-1"];
  const file = tokenFile(`desk ${desk}`, `robot ${robot}`);
  const guarded = await httpServerHere({ ...ENVIRONMENT, MCP_BEARER_TOKEN_FILE: file });
  const [first, second] = [await modernOverHttp(guarded.url, desk), await modernOverHttp(guarded.url, robot)];
  const revoked = await first.listen({ resourceSubscriptions: [A] });
  await second.listen({ resourceSubscriptions: [A] });
  writeFileSync(file, `robot ${robot}\n`, { mode: 0o600 });
  expect(await revoked.closed).toBe("remote");
  await setCounter(second.client, "a", next());
  await until(() => second.told.of(A) === 1, "an update of the other one");
});

test("a shutdown ends subscriptions gracefully and doesn't wait for them", async () => {
  const stopping = await httpServerHere(ENVIRONMENT);
  const subscriptions = await Promise.all([1, 2, 3].map(async () => {
    const { listen } = await modernOverHttp(stopping.url);
    return await listen({ resourceSubscriptions: [A] });
  }));
  await stopping.stop();
  expect(await Promise.all(subscriptions.map(({ closed }) => closed))).toEqual(["graceful", "graceful", "graceful"]);
});

test("a shutdown on stdio ends subscriptions gracefully", async () => {
  const { client, listen } = await modernOnStdio(ENVIRONMENT);
  const subscription = await listen({ resourceSubscriptions: [A] });
  await (client.transport as LineTransport).stopServer();
  expect(await subscription.closed).toBe("graceful");
});

test("subscriptions are in the call log and hold no slot of MCP_MAX_REQUESTS", async () => {
  const callLog = join(temporaryDirectory(), "calls");
  const small = await httpServerHere({ ...ENVIRONMENT, MCP_MAX_REQUESTS: "1", MKT_CALL_LOG: callLog });
  const { client, listen, told } = await modernOverHttp(small.url);
  await listen({ resourceSubscriptions: [A] });
  await listen({ resourceSubscriptions: [B, "test://other"] });
  await setCounter(client, "a", next());
  await until(() => told.of(A) === 1, "an update");
  const lines = (await Bun.file(callLog).text()).trimEnd().split("\n").map((line) => JSON.parse(line));
  const listened = { subscription: "subscriptions/listen", caller: null, outcome: "ok" };
  expect(lines.filter((line) => "subscription" in line)).toMatchObject([
    { ...listened, arguments: { resources: 1, resourcesListChanged: false } },
    { ...listened, arguments: { resources: 2 } },
  ]);
});
