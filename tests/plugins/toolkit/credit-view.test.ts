import { describe, expect, test } from "bun:test";
import { DOCUMENTATION_STATUSES, type ModuleData, moduleSchema } from "../../../protocol/modules/registry.ts";
import { creditReason, haveDocuments, tradableSentence } from "../../../plugins/toolkit/credit-view.ts";
import { wholeModule } from "../../support/modules.ts";

type Limit = ModuleData<"CREDIT">["limits"][number];

/** One lot is 2 MW and 4 MWh, and at 50 cents/MWh 2 dollars. The price nearest to 0 is 50 in `here` and -50 in `there`. */
const LISTED = [
  { id: "here", minimumPrice: 41, maximumPrice: 5000 },
  { id: "there", minimumPrice: -5000, maximumPrice: -41 },
].map((own) => {
  const terms = { status: "listed", lot: 2, hours: 2, tick: 10, ...own };
  return moduleSchema("CONTRACT").parse(wholeModule("CONTRACT", terms));
});

function limit(terms: Partial<Limit>, value: number, used: number): Limit {
  const total = { limitType: "notional", scope: "total", contractId: null, marginPercent: 100 } as const;
  return { ...total, ...terms, limit: value, used, available: value - used };
}

function of(contractId: string): Partial<Limit> {
  return { scope: "per_contract", contractId };
}

function credit(change: Partial<ModuleData<"CREDIT">>): ModuleData<"CREDIT"> {
  const pair = { entityId: "A", counterpartyId: "B", limits: [limit({}, 1, 0)], tradable: false };
  const documents = { documentation: "docs_in_place", counterpartyDocumentation: "docs_in_place" };
  return moduleSchema("CREDIT").parse(wholeModule("CREDIT", { id: "A:B", ...pair, ...documents, ...change }));
}

const REASONS: [string, Partial<ModuleData<"CREDIT">>, string | null][] = [
  [
    "its own documents come first",
    { documentation: "pending", counterpartyDocumentation: "no_docs" },
    "entity_documents",
  ],
  ["then those of the counterparty", { counterpartyDocumentation: "pending" }, "counterparty_documents"],
  ["it has set no limit", { limits: [] }, "entity_no_limit"],
  ["a total limit is used up", { limits: [limit({}, 10, 10), limit({ limitType: "mw" }, 5, 0)] }, "entity_limit"],
  ["all its limits per contract are used up", { limits: [limit(of("here"), 0, 0)] }, "entity_limit"],
  ["nothing of its own prevents a trade", { limits: [limit({}, 10, 1)] }, "counterparty_limit"],
  [
    "one contract has credit left",
    { limits: [limit(of("here"), 0, 0), limit(of("there"), 2, 0)] },
    "counterparty_limit",
  ],
  ["its limits of each listed contract leave nothing, and its total limit does", {
    limits: [limit({}, 1e6, 0), limit(of("here"), 0, 0), limit(of("there"), 0, 0)],
  }, "entity_limit"],
  ["a limit leaves only a contract that is not listed", { limits: [limit(of("old"), 9, 0)] }, "entity_limit"],
  ["less than one lot is left", { limits: [limit({ limitType: "mw" }, 10, 8.5)] }, "entity_limit"],
  ["one lot is left", { limits: [limit({ limitType: "mw" }, 10, 8)] }, "counterparty_limit"],
  ["less than the energy of a lot is left", { limits: [limit({ limitType: "mwh" }, 10, 6.1)] }, "entity_limit"],
  ["the energy of a lot is left", { limits: [limit({ limitType: "mwh" }, 10, 6)] }, "counterparty_limit"],
  ["less is left than a lot costs at the price nearest to 0", { limits: [limit({}, 10, 8.1)] }, "entity_limit"],
  ["a margin makes what is left enough", { limits: [limit({ marginPercent: 50 }, 10, 9)] }, "counterparty_limit"],
  ["a limit of 0 is not helped by its margin", { limits: [limit({ marginPercent: 0 }, 0, 0)] }, "entity_limit"],
  ["the two can trade", { tradable: true, limits: [limit({}, 10, 9)] }, null],
];

describe("the reason why two can't trade", () => {
  test.each(REASONS)("if %s", (_when, change, reason) => {
    expect(creditReason(credit(change), LISTED)).toBe(reason as ReturnType<typeof creditReason>);
  });

  test("is that no contract is listed, unless documents or a limit are missing", () => {
    const sentence = (change: Partial<ModuleData<"CREDIT">>) => tradableSentence(credit(change), []);
    expect(creditReason(credit({}), [])).toBe("no_contract");
    expect(sentence({})).toBe("A and B can't trade: no contract is listed now.");
    expect(sentence({ limits: [] })).toContain("A has set no limit for B");
  });
});

test("documents are in place only if both entities say so", () => {
  const pairs = DOCUMENTATION_STATUSES.flatMap((documentation) =>
    DOCUMENTATION_STATUSES.map((counterpartyDocumentation) => ({ documentation, counterpartyDocumentation }))
  );
  expect(pairs.filter((pair) => haveDocuments(credit(pair)))).toEqual([
    { documentation: "docs_in_place", counterpartyDocumentation: "docs_in_place" },
  ]);
});
