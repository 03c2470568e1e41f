// State in the address: as text, and as the page keeps it.

import { describe, expect, test } from "bun:test";
import { addressParts, changedQuery, pageOf, withQuery } from "../../web/dashboard/address/address-text.ts";
import { FILTER_IN_ADDRESS, SORT_IN_ADDRESS } from "../../web/dashboard/pages/contracts/contract-address.ts";
import { FILTER_IN_ADDRESS as EVENTS } from "../../web/dashboard/pages/event-address.ts";
import { address, addressWith, pageRoute } from "../../web/dashboard/pages/page.ts";
import { openBrowser } from "./support/browser.ts";

const { listeners, location } = openBrowser();
const { inAddress } = await import("../../web/dashboard/address/address-state.ts");

describe("an address", () => {
  test("has parameters after a question mark, which belong to no argument", () => {
    expect(addressParts("#/market?text=a&node=N")).toEqual({ place: "#/market", query: "text=a&node=N" });
    expect(addressParts(address("contract", "a?b"))).toEqual({ place: "#/contract/a%3Fb", query: "" });
    expect(pageRoute("#/contract/N-6?candles=1+h")).toEqual({ name: "contract", argument: "N-6" });
    expect([withQuery("#/a", ""), withQuery("#/a", "b=c")]).toEqual(["#/a", "#/a?b=c"]);
  });

  test("has the same text for the same state, without what is empty", () => {
    const made = changedQuery("node=N", { text: "hour 22", sort: "", kind: null });
    expect(made).toBe("node=N&text=hour+22");
    expect(changedQuery(changedQuery("", { text: "hour 22" }), { node: "N" })).toBe(made);
    expect(changedQuery(made, { text: null, node: "" })).toBe("");
    expect(addressWith("side-by-side", { contracts: "A&B,C" })).toBe("#/side-by-side?contracts=A%26B%2CC");
  });

  test("of a page with an argument keeps a state of its own", () => {
    expect(["#/entities", "#/entities/A", "#/entities/B?sort=x", ""].map(pageOf))
      .toEqual(["entities", "entities/", "entities/", ""]);
  });
});

describe("the list of contracts in the address", () => {
  const read = (
    query: string,
  ) => [FILTER_IN_ADDRESS.read(new URLSearchParams(query)), SORT_IN_ADDRESS.read(new URLSearchParams(query))];

  test("has what was chosen, and nothing that was not", () => {
    const filter = { text: "hour 22", node: "NORTH", kind: "hours" } as const;
    const sort = { key: "bid", isDescending: true } as const;
    const query = changedQuery("", { ...FILTER_IN_ADDRESS.write(filter), ...SORT_IN_ADDRESS.write(sort) });
    expect(query).toBe("delivery=hours&node=NORTH&sort=-bid&text=hour+22");
    expect(read(query)).toEqual([filter, sort]);
    expect(SORT_IN_ADDRESS.write({ key: "delivery", isDescending: false })).toEqual({ sort: "" });
  });

  test("is whole and in order of delivery if the address says what there is not", () => {
    expect(read("delivery=never&sort=constructor")).toEqual([
      { text: "", node: "", kind: "" },
      { key: "delivery", isDescending: false },
    ]);
  });
});

test("categories of events that are left out are in the address, and others are not", () => {
  const filter = { hidden: new Set(["order", "system"] as const), text: "a b" };
  const query = changedQuery("", EVENTS.write(filter));
  expect(query).toBe("hidden=order+system&text=a+b");
  expect(EVENTS.read(new URLSearchParams(query))).toEqual(filter);
  expect(EVENTS.read(new URLSearchParams("hidden=nothing+order")).hidden).toEqual(new Set(["order"]));
});

describe("the state of a page", () => {
  const text = inAddress("market", {
    read: (parameters) => parameters.get("text") ?? "",
    write: (text: string) => ({ text }),
  });
  const goTo = (hash: string) => {
    location.hash = hash;
    listeners.dispatch({ type: "hashchange" });
  };

  test("is what an address says, is written there, and is found again by whoever comes back", () => {
    const seen: string[] = [];
    const end = text.subscribe((value) => seen.push(value));
    goTo("#/market?text=a");
    expect(text.value).toBe("a");
    text.value = "b c";
    expect(location.hash).toBe("#/market?text=b+c");
    goTo("#/spot");
    expect(location.hash).toBe("#/spot");
    goTo("#/market");
    expect([location.hash, text.value]).toEqual(["#/market?text=b+c", "b c"]);
    text.value = "";
    expect([location.hash, text.value]).toEqual(["#/market", ""]);
    end();
    goTo("#/market?text=z");
    expect(seen).toEqual(["", "a", "b c", ""]);
  });

  test("that changes while another page is shown leaves its address alone", () => {
    goTo("#/spot?hours=168");
    text.value = "later";
    expect(location.hash).toBe("#/spot?hours=168");
    goTo("#/market");
    expect(location.hash).toBe("#/market?text=later");
  });
});
