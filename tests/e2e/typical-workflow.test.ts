// The specification's typical workflow, step by step, with each official client over each transport.

import { expect, test } from "bun:test";
import { httpServerHere } from "../support/in-process.ts";
import { COMBINATIONS, succeed } from "../support/official-client.ts";
import { startPowerMarket, submit, WEST } from "../support/power-market.ts";

const market = await startPowerMarket();

test.each(COMBINATIONS)(
  "client %s over %s completes the typical workflow in order, up to the cancelled order and the disconnect",
  async (generation, transport) => {
    const options = { generation };
    const client = transport === "stdio"
      ? await market.client("anna", {}, options)
      : await (await httpServerHere(market.environmentFor("anna"))).client(options);

    const ping = await succeed(client, "mkt_ping");
    const { length: toolCount } = await client.listTools();
    expect(ping).toMatchObject({ status: "ok", toolCount, version: client.serverVersion!.version! });
    const before = await succeed(client, "mkt_connection_status");
    expect(before["connections"]).toMatchObject({ pubsub: { status: "disconnected" } });

    expect((await succeed(client, "mkt_list_entities"))["count"]).toBe(3);
    expect((await succeed(client, "mkt_list_users"))["count"]).toBe(6);

    const connected = await succeed(client, "mkt_connect_pubsub");
    expect(connected).toMatchObject({ status: "success", userId: "anna", entityId: "aurora" });
    expect(connected["capabilities"]).toContain("Order.Submit");

    expect(await succeed(client, "mkt_get_market_state")).toMatchObject({ id: "power", status: "open", halted: false });
    expect((await succeed(client, "mkt_list_products"))["count"]).toBe(2);
    const book = await succeed(client, "mkt_get_order_book", { contractId: WEST });
    expect(book).toMatchObject({ contractId: WEST, bids: [], asks: [], spread: null, totalWorkingOrders: 0 });

    const created = await submit(client, "BUY", -1250, 10, WEST);
    const orderId = created["orderId"] as string;
    const orderDetails = { id: orderId, price: -1250, quantity: 10, status: "working" };
    expect(created).toMatchObject({ status: "success", orderDetails });

    const watched = await succeed(client, "mkt_watch_orders");
    const ofThisOrder = (watched["events"] as { type: string; data: { id: string } }[]).filter(({ data }) =>
      data.id === orderId
    );
    expect(ofThisOrder.map(({ type }) => type)).toEqual(["new.order"]);

    const working = await succeed(client, "mkt_list_orders", { status: "working" });
    expect((working["orders"] as { id: string }[]).map(({ id }) => id)).toContain(orderId);
    const bookWithOrder = await succeed(client, "mkt_get_order_book", { contractId: WEST });
    expect(bookWithOrder["bids"]).toEqual([{ price: -1250, volume: 10, orderCount: 1 }]);

    const cancelled = await succeed(client, "mkt_cancel_order", { orderId });
    expect(cancelled).toMatchObject({ status: "success", orderId, orderDetails: { status: "cancelled" } });
    expect(await succeed(client, "mkt_get_order", { orderId })).toMatchObject({ id: orderId, status: "cancelled" });

    expect(await succeed(client, "mkt_disconnect_pubsub")).toMatchObject({ status: "success" });
    const after = await client.call("mkt_list_orders", {});
    expect(after).toMatchObject({ isError: true, value: { error: { code: "not_connected" } } });
  },
);
