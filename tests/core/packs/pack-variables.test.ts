import { describe, expect, test } from "bun:test";
import { z } from "zod";
import { PackVariables, secret } from "../../../core/packs/pack-variables.ts";
import { loadFiles, packNamed, refusalOf, tools } from "./support/pack-files.ts";

const TOOL = tools("acme_one");
const declared = (parts: string) => `const settings = mkt.variables({ ${parts} });`;
const limit = z.coerce.number().min(0).default(5).describe("MW");

describe("the variables of a pack", () => {
  test("have their values from the environment, typed, and defaults", () => {
    const { read } = new PackVariables({ ACME_LIMIT: "7", ACME_ZONES: "north", ACME_NAME: "" });
    const settings = read({
      ACME_LIMIT: limit,
      ACME_ZONES: z.enum(["north", "south"]).describe("Zone"),
      ACME_NAME: z.string().optional().describe("Name"),
      ACME_LOUD: z.stringbool().default(false).describe("Whether it is loud"),
    });
    const typed: { readonly ACME_LIMIT: number; readonly ACME_ZONES: "north" | "south"; readonly ACME_LOUD: boolean } =
      settings;
    expect(typed).toEqual(
      { ACME_LIMIT: 7, ACME_ZONES: "north", ACME_LOUD: false, ACME_NAME: undefined } as typeof settings,
    );
    expect(Object.isFrozen(settings)).toBe(true);
    expect(new PackVariables({}).read({ ACME_LIMIT: limit }).ACME_LIMIT).toBe(5);
  });

  test("are described with what holds", () => {
    const variables = new PackVariables({ ACME_LIMIT: "7", ACME_KEY: "k-123" });
    variables.read({
      ACME_LIMIT: limit,
      ACME_KEY: secret(z.string()).describe("Key"),
      ACME_OTHER: secret(z.string().min(2)).optional().describe("Other key"),
      ACME_PLACE: z.string().default("here").describe("Place"),
      ACME_NOTE: z.string().optional().describe("Note"),
    });
    expect(variables.declared).toEqual([
      { name: "ACME_LIMIT", description: "MW", secret: false, isSet: true, shown: "7" },
      { name: "ACME_KEY", description: "Key", secret: true, isSet: true, shown: null },
      { name: "ACME_OTHER", description: "Other key", secret: true, isSet: false, shown: null },
      { name: "ACME_PLACE", description: "Place", secret: false, isSet: false, shown: '"here"' },
      { name: "ACME_NOTE", description: "Note", secret: false, isSet: false, shown: null },
    ]);
    expect(variables.secrets).toEqual(["k-123"]);
  });

  test.each([
    ["acme_limit", /^acme_limit can't be a variable: a name has upper case letters/],
    ["LIMIT", /^LIMIT can't be a variable: .*begins with a prefix such as ACME_/],
    ["MKT_ACME", /^MKT_ACME can't be .*MKT_ and MCP_ are for mkt/],
    ["MCP_ACME", /^MCP_ACME can't be .*MKT_ and MCP_ are for mkt/],
    ["STRESS_TEST_SECRET", /^STRESS_TEST_SECRET can't be .*: it is one of mkt$/],
    ["LOG_LEVEL", /^LOG_LEVEL can't be .*: it is one of mkt$/],
    ["DOTENV_PATH", /^DOTENV_PATH can't be .*: it is one of mkt$/],
    ["NO_COLOR", /^NO_COLOR can't be .*: it is one of mkt$/],
  ])("with the name %p are refused", async (name, reason) => {
    expect(await refusalOf(TOOL, declared(`${name}: mkt.z.string().optional().describe("d")`))).toMatch(reason);
  });

  test.each([
    ["ACME_LIMIT", `mkt.z.string().optional()`, /^ACME_LIMIT needs a description: end its schema with \.describe/],
    ["ACME_LIMIT", `"text"`, /^ACME_LIMIT needs a schema of the given z$/],
    ["ACME_LOUD", `mkt.z.coerce.boolean().default(false).describe("d")`, /^ACME_LOUD needs mkt\.z\.stringbool\(\)/],
    ["ACME_LOUD", `mkt.z.boolean().describe("d")`, /^ACME_LOUD needs mkt\.z\.stringbool\(\)/],
    ["ACME_LIMIT", `mkt.z.coerce.number().describe("MW")`, /^ACME_LIMIT is required: MW$/],
    ["ACME_NAME", `mkt.z.coerce.string().describe("Name")`, /^ACME_NAME is required: Name$/],
    ["ACME_BAD", `mkt.z.coerce.number().describe("MW")`, /^ACME_BAD is invalid: must be a number/],
  ])("with %p: %s are refused", async (name, schema, reason) => {
    expect(await refusalOf(TOOL, declared(`${name}: ${schema}`), { ACME_BAD: "many" })).toMatch(reason);
  });

  test("that are wrong are all named at once, also if the pack catches the error", async () => {
    const parts =
      `A_ONE: mkt.z.string().describe("One"), a_two: mkt.z.string(), A_THREE: mkt.z.url().describe("Three")`;
    const expected = [
      /^A_ONE is required: One$/,
      /^a_two can't be a variable/,
      /^A_THREE is invalid: must be an address, such as https:\/\/example.com$/,
    ];
    for (const before of [declared(parts), `try { ${declared(parts)} } catch {}`]) {
      const faults = (await refusalOf(TOOL, before, { A_THREE: "x" }))?.split("; ") ?? [];
      expect(faults).toEqual(expected.map((pattern) => expect.stringMatching(pattern)));
    }
  });

  test("are declared in one call", async () => {
    const one = declared(`ACME_A: mkt.z.string().optional().describe("d")`);
    expect(await refusalOf(TOOL, `${one} mkt.variables({});`)).toBe(
      "mkt.variables may be called once: declare all variables in one call",
    );
  });
});

describe("a secret variable", () => {
  const KEY = `ACME_KEY: mkt.secret(mkt.z.string()).describe("Key")`;
  const environment = { ACME_KEY: "k-123" };

  test.each([
    [
      "that the factory tells",
      `${declared(KEY)} throw new Error("no access with " + settings.ACME_KEY);`,
      "no access with [secret]",
    ],
    [
      "that a check tells",
      declared(
        `ACME_KEY: mkt.secret(mkt.z.string().refine(() => false, { error: (issue) => "bad " + issue.input })).describe("Key")`,
      ),
      "ACME_KEY is invalid: bad [secret]",
    ],
    ["in the name of the pack", declared(KEY), /^name: must be lower case/],
  ])("is in no message: one %s", async (what, before, reason) => {
    const parts = what.startsWith("in") ? `${TOOL}, name: settings.ACME_KEY + "!"` : TOOL;
    const refusal = await refusalOf(parts, before, environment);
    if (typeof reason === "string") expect(refusal).toBe(reason);
    else expect(refusal).toMatch(reason);
    expect(refusal).not.toContain("k-123");
  });

  test("is a secret however its schema goes on", () => {
    for (
      const schema of [
        secret(z.string()).min(2).describe("Key"),
        secret(z.string()).optional().describe("Key"),
        secret(z.string().default("x")).describe("Key"),
        secret(z.string()).transform((text) => text.length).describe("Key"),
        z.preprocess((text) => text, secret(z.string())).describe("Key"),
        z.union([z.literal("none"), secret(z.string())]).describe("Key"),
        z.preprocess((text) => [text], z.array(secret(z.string()))).describe("Key"),
      ]
    ) {
      const variables = new PackVariables({ ACME_KEY: "k-123" });
      variables.read({ ACME_KEY: schema as z.ZodType });
      expect(variables.declared[0]).toMatchObject({ secret: true, isSet: true, shown: null });
      expect(variables.secrets).toEqual(["k-123"]);
    }
    const unset = new PackVariables({});
    unset.read({ ACME_KEY: secret(z.string().default("hidden")).describe("Key") });
    expect(unset.declared[0]).toMatchObject({ secret: true, shown: null });
  });

  test("is a secret as it is set, and as the pack gets it", () => {
    const variables = new PackVariables({ ACME_KEY: " k-123 " });
    variables.read({ ACME_KEY: secret(z.string().trim()).describe("Key") });
    expect(variables.redacted("key=k-123;")).toBe("key=[secret];");
    expect(variables.secrets).toEqual([" k-123 ", "k-123"]);

    const list = new PackVariables({ ACME_KEYS: "k-123,k-456" });
    list.read({ ACME_KEYS: secret(z.string().transform((text) => text.split(","))).describe("Keys") });
    expect(list.redacted("k-123,k-456 or k-456")).toBe("[secret] or [secret]");
  });

  test("is replaced whole if it begins with another one", () => {
    const variables = new PackVariables({ ACME_KEY: "k-1", ACME_LONG_KEY: "k-123" });
    variables.read({ ACME_KEY: secret(z.string()).describe("Key"), ACME_LONG_KEY: secret(z.string()).describe("Key") });
    expect(variables.redacted("k-123, k-1")).toBe("[secret], [secret]");
  });

  test("is among the loader's secrets, of all packs that were loaded", async () => {
    const { loaded } = await loadFiles({
      "a.ts": packNamed("acme", TOOL, declared(KEY)),
      "b.ts": packNamed("other", tools("acme_two"), declared(KEY.replace("ACME_KEY", "OTHER_KEY"))),
    }, { environment: { ...environment, OTHER_KEY: "o-456", MKT_PACKS: "acme" } });
    expect(loaded.secrets).toEqual(["k-123", "o-456"]);
    expect(loaded.packs[0]?.origin?.variables).toEqual([
      { name: "ACME_KEY", description: "Key", secret: true, isSet: true, shown: null },
    ]);
  });
});
