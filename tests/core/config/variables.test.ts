// The parse functions of the variables against their declaration in zod, over generated environments: the same values, and
// the same faults with the same texts in the same order.

import { expect, test } from "bun:test";
import fc from "fast-check";
import { type Environment, parseVariables, VARIABLES, withDefaults } from "../../../core/config/variables.ts";
import { environmentSchema } from "./zod-variables.ts";

/** Texts that some variable accepts, or nearly accepts. */
const TELLING = [
  ...["", " ", "0", "1", "true", "false", "TRUE", "yes", "on", "off", "azure", "backend", "elicit", "stderr", "debug"],
  ...[
    "info",
    "warn",
    "error",
    "loud",
    "-1",
    "1.5",
    "1e3",
    "00",
    "010",
    "9",
    "10",
    "65535",
    "65536",
    "100001",
    "240000",
  ],
  ...["240001", "999999999999999", "1000000000000000", "0.000001", "0.0000001", "0.0", ".5", "5.", "NaN", "1\n", "\n1"],
  ...[
    "localhost:3001",
    "market.example",
    "http://",
    "http://a",
    "https://a/b/",
    "HTTP://A",
    "ws://a",
    "wss://a/ws",
    "redis://a:1",
    "rediss://a/2",
    "REDIS://a",
    "redis://",
    "redis://a/",
    "redis://a/b",
    "redis://a/123456",
    "redis://a/1/2",
    "redis://u:p,q@a",
    "redis://u:p#q@a",
    "redis://:p@a?b=c",
    "redis://a:1,b:2",
    "redis://u:p@a,b/1",
    "redis-sentinel://a:1",
    "redis+cluster://a,b",
    "redis+unix:///run/redis.sock",
    "redis+unix://a/run",
    "redis+unix:///",
    "valkey://a",
  ],
  ...["file:///a", "http:a", "//a", "a/b", "a b", "a\tb", "/some/file", "some/file", "./x", "/", "C:\\x", "\\\\x\\y"],
  ...["a,b", " a , ,b,", ",", "zoë", "line\nbreak", "[::1]", "x".repeat(200), "x".repeat(201), "é".repeat(201)],
  ...["x".repeat(4096), "x".repeat(4097), "__proto__", "constructor"],
];

const values = fc.oneof(
  { arbitrary: fc.constantFrom(...TELLING), weight: 6 },
  { arbitrary: fc.integer({ min: -2, max: 2_000_000_000 }).map(String), weight: 2 },
  { arbitrary: fc.double().map(String), weight: 1 },
  { arbitrary: fc.string({ unit: "binary" }), weight: 1 },
  { arbitrary: fc.webUrl(), weight: 1 },
);
const environments = fc.dictionary(
  fc.constantFrom(...VARIABLES, "OTHER", "__proto__"),
  fc.option(values, { nil: undefined }),
  { maxKeys: 25 },
);

function judged(environment: Environment) {
  const parsed = environmentSchema.safeParse(environment);
  return parsed.success
    ? { ok: true, variables: parsed.data }
    : { ok: false, faults: parsed.error.issues.map(({ path, message }) => ({ variable: String(path[0]), message })) };
}

test("generated environments have the values, or the faults, that the declaration in zod gives them", () => {
  fc.assert(
    fc.property(environments, (environment) => {
      const given = withDefaults(environment, {});
      expect(parseVariables(given)).toEqual(judged(given) as ReturnType<typeof parseVariables>);
    }),
    { numRuns: 3000 },
  );
});

test.each([...VARIABLES])("%s takes and refuses what its declaration in zod does", (variable) => {
  for (const value of TELLING.filter((text) => text !== "")) {
    const given = { MKT_HOST: "localhost", MKT_USER_ID: "anna", [variable]: value };
    expect({ value, parsed: parseVariables(given) })
      .toEqual({ value, parsed: judged(given) as ReturnType<typeof parseVariables> });
  }
});

test("the declaration in zod has the same variables in the same order", () => {
  expect([...VARIABLES]).toEqual(Object.keys(environmentSchema.shape) as typeof VARIABLES[number][]);
});
