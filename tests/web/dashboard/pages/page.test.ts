import { expect, test } from "bun:test";
import { address, pageRoute } from "../../../../web/dashboard/pages/page.ts";

test("an address leads back to the page and to whatever id it was made of", () => {
  expect(address("contract", "a/b é#%")).toBe("#/contract/a%2Fb%20%C3%A9%23%25");
  for (const argument of ["", "a/b é#%", "%2F", "?x=1"]) {
    expect(pageRoute(address("order", argument))).toEqual({ name: "order", argument });
  }
});

test.each([["", "", ""], ["#/order/100%", "order", "100%"], ["#/order/a/b", "order", "a/b"]])(
  "the address %p, which a person has typed, means the page %p and the id %p",
  (hash, name, argument) => {
    expect(pageRoute(hash)).toEqual({ name, argument });
  },
);
