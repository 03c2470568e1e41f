// What the search says of what it has found, and in which order, in a market that a test gives.

import { expect, test } from "bun:test";
import { search } from "../../../plugins/dashboard/search.ts";
import type { RouteContext } from "../../../core/routes/route.ts";
import type { SearchAnswer } from "../../../web/contract/search.ts";
import { pubsubThatIs, servicesWith } from "../../core/support/services.ts";
import { wholeModule } from "../../support/modules.ts";
import { snapshotOf } from "../support/still-market.ts";

const contract = (hour: number, status: string) =>
  wholeModule("CONTRACT", {
    name: `Hour ${hour}`,
    status,
    productId: "p",
    marketId: "m",
    deliveryStart: `2030-01-01T0${hour}:00:00.000Z`,
    deliveryEnd: `2030-01-01T0${hour + 1}:00:00.000Z`,
  });
const order = (change: object) =>
  wholeModule("ORDER", {
    clientOrderId: "abcdef-1",
    contractId: "con-5",
    entityId: "E",
    status: "working",
    side: 0,
    price: 4_205,
    quantity: 2.5,
    ...change,
  });

const MODULES = {
  "/MARKET/m": wholeModule("MARKET", { name: "M", timezone: "UTC", nodes: [] }),
  "/PRODUCT/p": wholeModule("PRODUCT", { name: "P", code: "P", marketId: "m" }),
  "/CONTRACT/con-1": contract(1, "expired"),
  "/CONTRACT/con-2": contract(2, "expired"),
  "/CONTRACT/con-5": contract(5, "listed"),
  "/CONTRACT/con-4": contract(4, "listed"),
  "/ENTITY/E": wholeModule("ENTITY", { name: "Elm", code: "ELM" }),
  "/USER/u1": wholeModule("USER", { name: "Uma", entityId: null }),
  "/USER/u2": wholeModule("USER", { name: "Una", entityId: "E" }),
  "/ORDER/ORD-1": order({}),
  "/ORDER/ORD-2": order({ side: 1, price: -7, quantity: 0.1, status: "filled", clientOrderId: "uvwxyz-2" }),
};

async function found(text: string): Promise<SearchAnswer["results"]> {
  const services = servicesWith({ snapshot: snapshotOf(MODULES), pubsub: pubsubThatIs("connected", ["Market.View"]) });
  const url = new URL(`http://localhost/?text=${encodeURIComponent(text)}`);
  const response = await search({ url } as never, services as unknown as RouteContext);
  return (await response.json() as SearchAnswer).results;
}

test("contracts that are listed come before expired ones, each in order of delivery, and say which they are", async () => {
  const contracts = (await found("con-")).filter(({ kind }) => kind === "contract");
  expect(contracts.map(({ id, detail }) => [id, detail])).toEqual([
    ["con-4", "Hour 4"],
    ["con-5", "Hour 5"],
    ["con-1", "expired"],
    ["con-2", "expired"],
  ]);
});

test.each([
  ["ORD-1", { kind: "order", title: "con-5", entityId: "E", detail: "BUY 2.5 MW at 42.05 $/MWh, working" }],
  ["ORD-2", { kind: "order", title: "con-5", entityId: "E", detail: "SELL 0.1 MW at -0.07 $/MWh, filled" }],
  ["u1", { kind: "user", title: "Uma", entityId: null, detail: "of no entity" }],
  ["u2", { kind: "user", title: "Una", entityId: "E", detail: "of E" }],
  ["elm", { kind: "entity", id: "E", title: "Elm", detail: "ELM" }],
])("%s is found as %j", async (text, expected) => {
  expect((await found(text))[0]).toMatchObject(expected);
});

test("orders are found by a part of their clientOrderId from its sixth character on", async () => {
  const orders = async (text: string) => (await found(text)).filter(({ kind }) => kind === "order").map(({ id }) => id);
  expect(await orders("uvwxy")).toEqual([]);
  expect(await orders("uvwxyz")).toEqual(["ORD-2"]);
});
