// Every parameter that names a module, in every form, for an operator, a trader, and a user without Market.View. Reads
// understand another form with one meaning; mutations never do; whatever is refused is refused in the same way, and a user
// is told of nothing that the user may not see.

import { beforeAll, describe, expect, test } from "bun:test";
import { identifiers } from "../../core/tools/fields.ts";
import { bareSchema } from "../../core/tools/bare-schema.ts";
import { Desk, type Seat, text, type Value } from "./support/desk.ts";
import { BASE, MARKET } from "./support/market.ts";
import { TOOLS } from "./support/packs.ts";

const TRADES = ["Order.Submit", "Credit.View", "Credit.Manage"] as const;
const DEFINITION = {
  ...MARKET,
  users: [
    ...MARKET.users,
    {
      id: "operator",
      name: "Operator",
      entityId: "alpha",
      permissions: [...TRADES, "Market.View", "Market.Operate", "Scope.Global"],
    },
    { id: "blind", name: "Blind", entityId: "alpha", permissions: [...TRADES, "Market.Operate"] },
  ],
} as typeof MARKET;

interface Named {
  readonly id: string;
  /** Other forms that mean it, and only it. */
  readonly forms: readonly string[];
  /** Means nothing, and is near. */
  readonly typo: string;
}

const MODULES = {
  entity: { id: "alpha", forms: ["ALPHA", "Alpha energy", " alpha "], typo: "alpa" },
  other: { id: "beta", forms: ["BETA", "beta Energy", " beta "], typo: "betta" },
  user: { id: "alice", forms: ["ALICE", " Alice "], typo: "alicee" },
  market: { id: "power", forms: ["POWER", "pwr", " Power "], typo: "powr" },
  product: { id: "base", forms: ["BASE", " base "], typo: "bsae" },
  contract: { id: BASE, forms: ["BASE-1", "Base", ` ${BASE} `, `ENG-${BASE}`], typo: "bsae-1" },
  engine: { id: `ENG-${BASE}`, forms: [`eng-${BASE}`, ` ENG-${BASE} `], typo: "ENG-bsae-1" },
  order: { id: "ORD-1", forms: ["ord-1", "first-order"], typo: "order 1" },
  fill: { id: "FIL-1", forms: [], typo: "fill 1" },
} as const satisfies Record<string, Named>;

const limit = { limitType: "mw", scope: "total", limit: 5 };
const order = { side: "BUY", price: 1, quantity: 1 };

type Row = [tool: string, parameter: string, module: keyof typeof MODULES, others?: Record<string, unknown>];

const READS: Row[] = [
  ["mkt_get_market_state", "marketId", "market"],
  ["mkt_get_order_book", "contractId", "contract"],
  ["mkt_get_order_book", "engineId", "engine"],
  ["mkt_get_order", "orderId", "order"],
  ["mkt_list_orders", "entityId", "entity"],
  ["mkt_get_fill", "fillId", "fill"],
  ["mkt_list_fills", "entityId", "entity"],
  ["mkt_list_fills", "orderId", "order"],
  ["mkt_get_entity", "entityId", "entity"],
  ["mkt_get_entity", "entityId", "entity", { positions: true }],
  ["mkt_get_user", "userId", "user"],
  ["mkt_list_users", "entityId", "entity"],
  ["mkt_get_product", "productId", "product"],
  ["mkt_get_credit_status", "entityId", "entity"],
  ["mkt_get_credit_status", "marketId", "market", { entityId: "alpha" }],
  ["mkt_get_extended_credit", "entityId", "entity", { counterpartyId: "beta" }],
  ["mkt_get_extended_credit", "counterpartyId", "other", { entityId: "alpha" }],
  ["mkt_list_credit_limit_configs", "entityId", "entity"],
  ...["mkt_get_recent_events", "mkt_watch_orders", "mkt_watch_fills"].flatMap((tool): Row[] => [
    [tool, "contractId", "contract"],
    [tool, "entityId", "entity"],
    [tool, "orderId", "order"],
  ]),
  ["mkt_watch_book", "contractId", "contract"],
  ["mkt_watch_market", "contractId", "contract"],
];

/** They never act on what was probably meant. The history of an order is exact too: the order may be gone from the market. */
const EXACT: Row[] = [
  ["mkt_create_test_order", "contractId", "contract", order],
  ["mkt_cancel_order", "orderId", "order"],
  ["mkt_halt_market", "marketId", "market"],
  ["mkt_resume_market", "marketId", "market"],
  ["mkt_set_credit_limit", "entityId", "entity", { counterpartyId: "beta", ...limit }],
  ["mkt_set_credit_limit", "counterpartyId", "other", { entityId: "alpha", ...limit }],
  ["mkt_set_credit_limit", "contractId", "contract", {
    entityId: "alpha",
    counterpartyId: "beta",
    ...limit,
    scope: "per_contract",
  }],
  ["mkt_set_documentation_status", "entityId", "entity", { counterpartyId: "beta", status: "pending" }],
  ["mkt_set_documentation_status", "counterpartyId", "other", { entityId: "alpha", status: "pending" }],
  ["mkt_flush_order_book", "engineId", "engine"],
  ["mkt_flush_order_book", "contractId", "contract"],
  ["mkt_get_order_events", "orderId", "order"],
];

/** Named elsewhere: connecting below, a search for any text, and the simulator's own. */
const OTHERS = ["mkt_connect_pubsub userId", "mkt_get_audit_log moduleId"];

let seats: Readonly<Record<"operator" | "trader" | "blind", Seat>>;
beforeAll(async () => {
  const desk = await Desk.open(DEFINITION);
  const [alice, bob, operator, blind] = await desk.all("alice", "bob", "operator", "blind");
  await alice.ok("mkt_create_test_order", {
    contractId: BASE,
    ...order,
    price: 4500,
    quantity: 3,
    idempotencyKey: "first-order",
  });
  await bob.sell(BASE, 4400, 2);
  seats = { operator, trader: alice, blind };
});

test("every parameter that names a module is tried here", () => {
  const declared = TOOLS.flatMap(({ name, input }) =>
    Object.entries(input.shape).flatMap(([parameter, schema]) =>
      identifiers.has(bareSchema(schema)) && parameter.endsWith("Id") ? [`${name} ${parameter}`] : []
    )
  );
  const tried = [...READS, ...EXACT].map(([tool, parameter]) => `${tool} ${parameter}`);
  expect([...new Set(declared)].sort()).toEqual([...new Set([...tried, ...OTHERS])].sort());
});

function listed(rows: readonly Row[]) {
  return rows.map((row) => [row[0], row[1], row] as const);
}

const USERS = ["operator", "trader", "blind"] as const;

interface Tried {
  readonly isError: boolean;
  /** The error, or the result. */
  readonly answer: Value;
}

async function tried(who: keyof typeof seats, [tool, parameter, , others = {}]: Row, given: string): Promise<Tried> {
  const { isError, value } = await seats[who].call(tool, { ...others, [parameter]: given });
  return { isError, answer: isError ? value["error"] as Value : value };
}

/** Without the permission that the tool needs, the user is told that, whatever the id is. */
function lacksPermission({ answer }: Tried): boolean {
  return answer["code"] === "forbidden" && /lacks the permission/.test(text(answer, "message"));
}

function expectUnknown({ answer }: Tried, given: string): void {
  expect(answer).toMatchObject({ code: "not_found", message: expect.stringContaining(given.trim()) });
}

/** Whether the user's refusal may name it. */
function sees(who: keyof typeof seats, [tool, , module]: Row): boolean {
  if (who !== "blind") return true;
  return module !== "other" &&
    (module !== "entity" || !tool.startsWith("mkt_watch") && tool !== "mkt_get_recent_events");
}

describe.each(USERS)("%s", (who) => {
  test.each(listed(READS))("%s understands another form of %s", async (_tool, _parameter, row) => {
    const { id, forms } = MODULES[row[2]];
    const { isError, answer } = await tried(who, row, id);
    if (isError && sees(who, row)) expect(answer["code"]).not.toBe("not_found");
    for (const form of forms) {
      if (!sees(who, row)) continue;
      const other = await tried(who, row, form);
      expect([form, other.isError, other.answer["code"]]).toEqual([form, isError, answer["code"]]);
    }
  });

  test.each(listed(EXACT))(
    "%s refuses another form of %s, and says which id was meant",
    async (_tool, _parameter, row) => {
      const { id, forms } = MODULES[row[2]];
      for (const form of forms) {
        const refused = await tried(who, row, form);
        if (lacksPermission(refused)) return;
        if (who === "blind" && !refused.isError) continue;
        expectUnknown(refused, form);
        if (sees(who, row)) expect(refused.answer["hint"]).toStartWith(`Did you mean ${id}?`);
      }
    },
  );

  test.each(listed([...READS, ...EXACT]))(
    "%s suggests the nearest %s, and refuses one that means nothing",
    async (_tool, _parameter, row) => {
      const { id, typo } = MODULES[row[2]];
      for (const given of [typo, "zzz"]) {
        const refused = await tried(who, row, given);
        if (lacksPermission(refused)) return;
        // An entity that the user does not see has no orders, fills and events for the user, and neither has an unknown one.
        if (who === "blind" && !refused.isError) continue;
        expectUnknown(refused, given);
        const hint = text(refused.answer, "hint");
        if (given !== typo) expect(hint).not.toContain("Did you mean");
        else if (sees(who, row)) expect(hint).toStartWith(`Did you mean ${id}?`);
      }
    },
  );

  test.each(listed([...READS, ...EXACT]))(
    '%s takes "" for %s as absent if it reads and may do without',
    async (name, parameter, row) => {
      const tool = TOOLS.find((each) => each.name === name)!;
      const { isError, answer } = await tried(who, row, "");
      const isOptional = tool.input.shape[parameter]!.safeParse(undefined).success;
      if (isOptional && tool.annotations.readOnlyHint) {
        return expect({ isError, answer }).toMatchObject({ isError: false });
      }
      const what = isOptional
        ? "is empty; give a value, or leave it out"
        : "is empty; give a value, because it is required";
      const message = `The arguments of ${name} don't fit: ${parameter}: ${what}.`;
      expect(answer).toMatchObject({ code: "invalid_input", message });
    },
  );
});

test("a user without Market.View can't tell an entity or a user that is not shown from one that does not exist", async () => {
  const parties = [...READS, ...EXACT].filter(([, , module]) => ["entity", "user"].includes(module));
  expect(parties.length).toBeGreaterThan(10);
  for (const row of parties) {
    const [hidden, unknown] = row[2] === "user" ? ["bob", "tom"] : ["gamma", "delta"];
    const answers = [await tried("blind", row, hidden), await tried("blind", row, unknown)];
    const [ofHidden, ofUnknown] = answers.map((answer) =>
      JSON.stringify(answer).replaceAll(/gamma|delta|bob|tom/g, "X")
    );
    expect(ofHidden).toBe(ofUnknown);
  }
  // The engine knows every counterparty, and names none.
  const { answer } = await tried("blind", ["mkt_set_credit_limit", "counterpartyId", "other", {
    entityId: "alpha",
    ...limit,
  }], "gama");
  expect(answer["message"]).toBe("There is no entity with id gama.");
});

test("a connect as an unknown user suggests the nearest that MKT_USER_ID sees", async () => {
  const { runtime } = seats.trader;
  expect(runtime.configuration.backend.userId).toBe("alice");
  await seats.trader.ok("mkt_disconnect_pubsub");
  const refused = await seats.trader.failure("mkt_connect_pubsub", { userId: "OPERATOR" });
  expect(refused).toMatchObject({ code: "not_found", hint: expect.stringMatching(/^Did you mean operator\? /) });
  await seats.trader.ok("mkt_connect_pubsub");
});
