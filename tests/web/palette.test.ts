import { expect, test } from "bun:test";
import { matching } from "../../web/dashboard/palette/commands.ts";
import { contractsMatching } from "../../web/dashboard/contract-picker/matching.ts";

test("commands are found by all words of their titles, those that begin so first, and all of them by none", () => {
  const commands = ["Go to Market", "Mute alerts", "Go to Alerts"].map((title) => ({ title, run: () => {} }));
  const found = (text: string) => matching(commands, text).map(({ title }) => title);
  expect(found("")).toHaveLength(3);
  expect(found(" ALERTS ")).toEqual(["Mute alerts", "Go to Alerts"]);
  expect(found("go to a")).toEqual(["Go to Alerts", "Go to Market"]);
  expect(found("alerts to")).toEqual(["Go to Alerts"]);
  expect(found("halt")).toEqual([]);
});

test("contracts are found by words, and the exact one alone", () => {
  const contracts = [{ id: "N-1", name: "NORTH, hour 1" }, { id: "N-10", name: "NORTH, hour 10" }];
  const found = (text: string) => contractsMatching(text, contracts, 5).map(({ id }) => id);
  expect(["n-1", "NORTH, hour 1 (N-1)", "hour 10, north", "hour", "", "west"].map(found))
    .toEqual([["N-1"], ["N-1"], ["N-10"], ["N-1", "N-10"], ["N-1", "N-10"], []]);
  expect(contractsMatching("hour", contracts, 1)).toHaveLength(1);
});
