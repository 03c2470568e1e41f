// How the experts of operating scenarios look into a market: by the tools that are offered, as any agent.

import { z } from "zod";

type Value = Readonly<Record<string, unknown>>;

/** Both call a tool, and give the value of its answer. */
interface Caller {
  /** Throws if the call failed. */
  call(tool: string, input?: Value): Promise<Value>;
  attempt(tool: string, input: Value): Promise<Value>;
}

const briefSchema = z.looseObject({
  userId: z.string(),
  entityId: z.string().nullable(),
  amounts: z.record(z.string(), z.union([z.number(), z.string()])),
  marketTime: z.string(),
});
const found = z.looseObject({ modules: z.array(z.looseObject({ id: z.string() })), cursor: z.string().nullable() });
const auditRow = z.looseObject({
  time: z.string(),
  userId: z.string().nullable(),
  details: z.record(z.string(), z.unknown()),
});
const auditPage = z.looseObject({ events: z.array(auditRow), cursor: z.string().nullable() });

const PAGE = 1_000;
const AUDIT_PAGE = 200;

export class Inquiry {
  private constructor(private readonly caller: Caller, readonly brief: z.output<typeof briefSchema>) {}

  /** Reads the brief, and connects. */
  static async open(caller: Caller): Promise<Inquiry> {
    const given = briefSchema.parse(await caller.call("mkt_arena_brief"));
    await caller.call("mkt_connect_pubsub");
    return new Inquiry(caller, given);
  }

  /** What the brief says by this name. */
  told(name: string): string {
    return String(this.brief.amounts[name]);
  }

  amount(name: string): number {
    return Number(this.brief.amounts[name]);
  }

  async call(tool: string, input: Value): Promise<Value> {
    return await this.caller.call(tool, input);
  }

  async attempt(tool: string, input: Value): Promise<Value> {
    return await this.caller.attempt(tool, input);
  }

  /** All modules of a type that match, with the properties of `row`. */
  async modules<Row extends z.ZodObject>(
    moduleType: string,
    row: Row,
    filters: Value = {},
  ): Promise<(z.output<Row> & { readonly id: string })[]> {
    const input = { moduleType, filters, fields: Object.keys(row.shape), limit: PAGE };
    const pages = await this.#pages("mkt_find_modules", input, found);
    return pages.flatMap(({ modules }) => modules.map((module) => ({ ...row.parse(module), id: module.id })));
  }

  /** All events of the audit trail with a name, oldest first. */
  async audit(event: string): Promise<z.output<typeof auditRow>[]> {
    const input = { event, fields: Object.keys(auditRow.shape), limit: AUDIT_PAGE };
    const pages = await this.#pages("mkt_get_audit_log", input, auditPage);
    return pages.flatMap(({ events }) => events).toReversed();
  }

  /** Cancels all open orders of a user. */
  async cancelAll(userId: string): Promise<void> {
    const orders = await this.modules("ORDER", z.object({ status: z.string() }), { userId });
    for (const { id: orderId, status } of orders) {
      if (OPEN.includes(status)) await this.caller.call("mkt_cancel_order", { orderId });
    }
  }

  async #pages<Page extends z.ZodType<{ readonly cursor: string | null }>>(
    tool: string,
    input: Value,
    schema: Page,
  ): Promise<z.output<Page>[]> {
    const pages: z.output<Page>[] = [];
    let cursor: string | null = null;
    do {
      const page: z.output<Page> = schema.parse(await this.call(tool, { ...input, ...cursor !== null && { cursor } }));
      pages.push(page);
      cursor = page.cursor;
    } while (cursor !== null);
    return pages;
  }

  async submit(answer: Value): Promise<void> {
    await this.caller.call("mkt_arena_submit", { answer });
  }
}

/** Of an order that has not ended. */
export const OPEN: readonly string[] = ["working", "partial", "held"];

/** The one with the greatest value. Throws if there is none. */
export function greatest<Item>(items: Iterable<Item>, valueOf: (item: Item) => number): Item {
  let best: { readonly item: Item; readonly value: number } | null = null;
  for (const item of items) {
    const value = valueOf(item);
    if (best === null || value > best.value) best = { item, value };
  }
  if (best === null) throw new Error("there is nothing to choose from");
  return best.item;
}
