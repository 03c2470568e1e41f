import { describe, expect, test } from "bun:test";
import { join, resolve } from "node:path";
import { BUY } from "../../../../engine/market/order-book.ts";
import { loadStrategyFile } from "../../../../sim/outside/strategies/strategy-files.ts";
import { SeededRandom } from "../../../../sim/random/seeded-random.ts";
import { EMPTY_ACCOUNT, EMPTY_MARKET, Quotes, StrategyFault } from "../../../../sim/strategies/strategy.ts";
import { temporaryDirectory } from "../../../support/temporary-directory.ts";

const EXAMPLE = resolve(import.meta.dir, "../../../../docs/examples/band-maker.ts");
const SETUP = { side: BUY, random: new SeededRandom(1), priceScale: 40, quantityScale: 10_000 };
const directory = temporaryDirectory();
let files = 0;

async function fileWith(source: string, extension = "ts"): Promise<string> {
  const path = join(directory, `strategy-${++files}.${extension}`);
  await Bun.write(path, source);
  return path;
}

const declared = (fields: string) => `export default ({ z, defineStrategy }) => defineStrategy({ ${fields} });`;
const WHOLE = `name: "own", sides: "both", make: () => ({ quote() {} })`;

describe("a strategy file", () => {
  test("gives a strategy with its parameters", async () => {
    const { name, path, entry } = await loadStrategyFile(EXAMPLE);
    const { sides, role } = entry;
    expect({ name, path, sides, role }).toEqual({ name: "band-maker", path: EXAMPLE, sides: "both", role: "maker" });
    expect(entry.parameters.parse({})).toEqual({ width: 1, lean: 0.5 });
    expect(entry.parameters.safeParse({ width: 0 }).success).toBe(false);
    const quotes = new Quotes();
    const account = { ...EMPTY_ACCOUNT, fundamentalValue: 4_000, buyQuantity: 5_000, sellQuantity: 50_000 };
    entry.make(SETUP, entry.parameters.parse({ width: 2 })).quote(EMPTY_MARKET, account, quotes);
    expect({ ...quotes }).toEqual({ bidPrice: 3_920, bidQuantity: 5_000, askPrice: 4_080, askQuantity: 10_000 });
    entry.make(SETUP).quote(EMPTY_MARKET, account, quotes);
    expect(quotes.bidPrice).toBe(3_960);
  });

  test("may be JavaScript, and have no parameters", async () => {
    const { name, entry } = await loadStrategyFile(await fileWith(declared(WHOLE), "js"));
    expect(name).toBe("own");
    expect(entry.parameters.safeParse({ width: 1 }).success).toBe(false);
  });

  test.each([
    [`sides: "one"`, "taker"],
    [`sides: "both"`, "speculator"],
    [`sides: "one", role: "taker"`, "taker"],
    [`sides: "both", role: "maker"`, "maker"],
  ])("with %s has the role %s", async (fields, role) => {
    const source = declared(`name: "own", ${fields}, make: () => ({ quote() {} })`);
    expect((await loadStrategyFile(await fileWith(source))).entry.role).toBe(role as "maker");
  });

  test.each([
    ["that doesn't parse", "export default (", "Unexpected end of file"],
    ["that throws", `throw new Error("not today");`, "not today"],
    ["without a default export", "export const one = 1;", "its default export is not a function"],
    ["whose default export is a declaration", `export default { ${WHOLE} };`, "its default export is not a function"],
    ["whose function throws", `export default () => { throw new Error("not today"); };`, "not today"],
    ["whose function gives nothing", "export default () => {};", "default export: "],
    ["without a name", declared(`sides: "both", make() {}`), "name: "],
    ["with a name in capitals", declared(`name: "Own", sides: "both", make() {}`), "name: must be lower case"],
    ["with the name of agents", declared(`name: "agent-1", sides: "both", make() {}`), "name: must be lower case"],
    ["with other sides", declared(`name: "own", sides: "two", make() {}`), "sides: "],
    ["with an unknown role", declared(`${WHOLE}, role: "arbitrageur"`), "role: "],
    ["with a taker of both sides", declared(`${WHOLE}, role: "taker"`), "role: a taker trades one side"],
    ["without make", declared(`name: "own", sides: "both"`), "make: must be a function"],
    ["with a schema of something else", declared(`${WHOLE}, parameters: z.number()`), "parameters: must be an object"],
    [
      "with a parameter that has no default",
      declared(`${WHOLE}, parameters: z.strictObject({ width: z.number() })`),
      "parameters: every parameter needs a default",
    ],
  ])("%s is refused", async (_, source, message) => {
    expect(loadStrategyFile(await fileWith(source))).rejects.toThrow(message);
  });

  test("that is missing, or of another kind, is refused", () => {
    expect(loadStrategyFile(join(directory, "none.ts"))).rejects.toThrow("can't be read: no such file");
    expect(loadStrategyFile(join(directory, "one.py"))).rejects.toThrow("is not a .ts or .js file");
    expect(loadStrategyFile(EXAMPLE.replace("band-maker.ts", "mkt-strategy.d.ts"))).rejects.toThrow("is not a .ts");
  });

  test.each([
    ["throws", `make() { throw new Error("no"); }`, "make: Error: no"],
    ["gives nothing", "make() {}", "make: Error: the strategy's "],
    ["gives no function quote", "make: () => ({ quote: 1 })", "make: Error: the strategy's quote: must be a function"],
  ])("stops its persona if make %s", async (_, make, message) => {
    const { entry } = await loadStrategyFile(await fileWith(declared(`name: "own", sides: "both", ${make}`)));
    expect(() => entry.make(SETUP)).toThrow(StrategyFault);
    expect(() => entry.make(SETUP)).toThrow(message);
  });
});
