import { describe, expect, test } from "bun:test";
import { MODULE_TYPES } from "../../../protocol/modules/registry.ts";
import { builtInMarket } from "../../../engine/definition/built-in-market.ts";
import { contractsAt } from "../../../engine/definition/listed-contracts.ts";
import { CuttingProxy } from "../../support/cutting-proxy.ts";
import { startTestEngine } from "../../support/engines.ts";
import { until } from "../../support/until.ts";
import { clientOf } from "./support/clients.ts";

const TOKEN = "a-token";
const definition = builtInMarket();
const traders = definition.users.filter(({ permissions }) => permissions.includes("Order.Submit"));
const buyer = traders.find(({ entityId }) => entityId === "CEDAR")?.id ?? "";
const seller = traders.find(({ entityId }) => entityId === "MERIDIAN")?.id ?? "";
const contractId = contractsAt(definition, Date.now()).at(-1)?.id ?? "";

const engine = await startTestEngine({ definition, token: TOKEN });

function marketClient(url = engine.webSocketUrl, confirmTimeoutMs = 10_000) {
  return clientOf(url, { token: TOKEN, confirmTimeoutMs, timings: { firstRetryMs: 5, closeMs: 1_000 } });
}

const order = (side: 0 | 1, price: number) => ({ contractId, side, price, quantity: 2 });

describe("the client and the real engine", () => {
  test("two users trade, and each can read its fill as soon as the response arrives", async () => {
    const [north, south] = [marketClient(), marketClient()];
    expect(await north.client.connect(buyer)).toMatchObject({ userId: buyer, entityId: "CEDAR" });
    await south.client.connect(seller);
    const sold = await south.client.request("order.submit", order(1, 4000));
    const bought = await north.client.request("order.submit", order(0, 4000));
    if (sold.kind !== "ok" || bought.kind !== "ok") throw new Error(JSON.stringify([sold, bought]));
    expect(bought.result.order).toMatchObject({ status: "filled", averagePrice: 4000 });
    const fills = north.snapshot.find("FILL", { equals: { orderId: bought.result.order.id }, limit: 5 });
    expect(fills).toMatchObject({ total: 1, modules: [{ price: 4000, quantity: 2, counterpartyId: "MERIDIAN" }] });
    expect(north.snapshot.get("ORDER", sold.result.order.id)?.status).toBe("filled");
    const { events } = north.events.read({ types: ["new.fill"], limit: 5 });
    expect(events.map(({ data }) => data["orderId"])).toContain(bought.result.order.id);
    expect(north.client.protocolFaults).toEqual({ ignored_response: 0 });

    await until(() => south.events.latestSequence === north.events.latestSequence);
    const late = marketClient();
    await late.client.connect(buyer);
    for (const type of MODULE_TYPES.filter((name) => name !== "USER" && name !== "MARKET")) {
      expect(late.snapshot.find(type, { limit: 10_000 })).toEqual(north.snapshot.find(type, { limit: 10_000 }));
    }
  });

  test("an order whose confirmation was lost with the connection is confirmed after the reconnect, and exists once", async () => {
    await using proxy = await CuttingProxy.to(engine.port);
    const { client, snapshot, events } = marketClient(proxy.url);
    await client.connect(buyer);
    const before = snapshot.count("ORDER");
    const since = events.latestSequence;
    proxy.mute();
    const outcome = client.request("order.submit", order(0, 100), { operationId: "lost-confirmation" });
    await until(() => proxy.lostBytes > 0);
    proxy.cut();
    const confirmed = await outcome;
    if (confirmed.kind !== "ok") throw new Error(JSON.stringify(confirmed));
    expect(client.facts()).toMatchObject({ status: "connected", reconnects: 1 });
    expect(snapshot.count("ORDER")).toBe(before + 1);
    const { id } = confirmed.result.order;
    expect(snapshot.find("ORDER", { equals: { clientOrderId: "lost-confirmation" }, limit: 5 }))
      .toMatchObject({ total: 1, modules: [{ id, status: "working" }] });
    const page = events.read({ since, types: ["new.order"], limit: 5 });
    expect(page).toMatchObject({ missed: 0, events: [{ data: { id } }] });
    await client.disconnect();
  });

  test("a request that reaches the engine after its timeout changes nothing", async () => {
    await using proxy = await CuttingProxy.to(engine.port);
    const { client, snapshot } = marketClient(proxy.url, 60);
    const operator = definition.users.find(({ permissions }) => permissions.includes("Market.Operate"))?.id ?? "";
    await client.connect(operator);
    proxy.hold();
    const outcomes = await Promise.all([client.request("market.halt", {}), client.request("market.flush", {})]);
    expect(outcomes.map(({ kind }) => kind)).toEqual(["timeout", "timeout"]);
    proxy.deliver();
    await until(() => client.protocolFaults["ignored_response"] === 2);
    expect(snapshot.first("MARKET")?.halted).toBe(false);
    const { client: patient } = marketClient();
    await patient.connect(operator);
    const repeat = await patient.request("market.halt", {}, { operationId: outcomes[0].operationId });
    expect(repeat).toMatchObject({ kind: "rejected", code: "too_late" });
  });
});
