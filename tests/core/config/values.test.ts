// Which texts of variables are valid, at both sides of each limit.

import { expect, test } from "bun:test";
import * as values from "../../../core/config/values.ts";

type Case = [string, (text: string) => values.Parsed<unknown>, readonly (readonly [string, unknown])[], string[]];

const same = (...texts: string[]) => texts.map((text) => [text, text] as const);

const CASES: Case[] = [
  ["text", values.text, same("a b", "ä"), []],
  ["flag", values.flag, [["1", true], ["true", true], ["0", false], ["false", false]], ["yes", "TRUE", "2", "on"]],
  ["list", values.list, [["a", ["a"]], [" a, b ,,", ["a", "b"]], [",", []]], []],
  ["headerText", values.headerText, same("!", "~", "x".repeat(4096)), ["a b", "ä", "\x7f", "x".repeat(4097)]],
  ["userId", values.userId, same("u", "x".repeat(200)), ["a b", "x".repeat(201)]],
  ["host", values.host, same("localhost", "::1", "10.0.0.1"), ["http://a", "a b", "a/b"]],
  [
    "hostAndPort",
    values.hostAndPort,
    same("localhost:3001", "[::1]:3001", "engine"),
    ["a:70000", "u@a:1", "a/b", "a?b", "a#b", "a b", "a\\b"],
  ],
  ["absolutePath", values.absolutePath, same("/a", "/"), ["a", "./a", "~/a", "stderr"]],
  ["callLogTarget", values.callLogTarget, same("stderr", "/var/log/calls"), ["stdout", "calls.jsonl"]],
  [
    "integer",
    values.integer(2, 10),
    [["2", 2], ["10", 10], ["007", 7]],
    ["1", "11", "-2", "2.0", "2.5", "1e1", " 3", "0x3", "9".repeat(16)],
  ],
  ["the greatest integers", values.integer(0, 1e15), [["0", 0], ["9".repeat(15), 999_999_999_999_999]], [
    "1".repeat(16),
  ]],
  [
    "positive",
    values.positive("seconds"),
    [["1", 1], ["0.5", 0.5], ["0.000001", 0.000001], ["9".repeat(15), 999_999_999_999_999]],
    ["0", "0.0", "-1", ".5", "1.", "1e3", "0.0000001", "9".repeat(16)],
  ],
  ["url", values.url("http:", "https:"), same("http://a", "https://a:1/b"), ["ws://a", "a", "http//a"]],
  ["redisNamespace", values.redisNamespace, same("a", "A.b_c-9", "x".repeat(64)), ["a:b", "{a}", "a*", "x".repeat(65)]],
  [
    "redisUrl",
    values.redisUrl,
    same(
      "redis://host",
      "redis://host:6379/",
      "rediss://u:p@host:6380/15",
      "redis://host/12345",
      "redis+unix:///run/redis.sock",
    ),
    [
      "redis-cluster://host",
      "redis+sentinel://host",
      "redis://a:1,b:2",
      "redis://host/db",
      "redis://host/123456",
      "redis://host/0/1",
      "redis://host?db=1",
      "redis://host#1",
      "redis+unix://host/run",
      "redis+unix:///",
      "http://host",
      "redis://",
      "host:6379",
    ],
  ],
  ["oneOf", values.oneOf(["a", "b"], "must be a or b"), same("a", "b"), ["A", "ab", "c"]],
];

test.each(CASES)("%s", (_, parse, good, bad) => {
  expect(good.map(([given]) => parse(given))).toEqual(good.map(([, value]) => ({ ok: true, value })));
  for (const given of bad) expect({ given, ...parse(given) }).toMatchObject({ given, ok: false });
});

const faultsOf = (parsed: values.Parsed<unknown>) => parsed.ok ? [] : parsed.faults;

test("a fault names what is allowed", () => {
  expect([
    values.integer(2, 10)("1"),
    values.positive("MW")("0"),
    values.url("ws:", "wss:")("a"),
    values.oneOf(["a"], "must be a")("b"),
    values.flag("x"),
    values.redisUrl("redis://a,b"),
    values.redisUrl("a"),
    values.userId("x".repeat(201)),
    values.userId("ä".repeat(201)),
  ].map(faultsOf)).toEqual([
    ["must be a whole number from 2 to 10"],
    ["must be a number of MW above 0"],
    ["must be a URL that begins with ws:// or wss://"],
    ["must be a"],
    ["must be 1, true, 0 or false"],
    [expect.stringContaining("Redis Cluster and Sentinel are not supported")],
    [expect.stringContaining("must be redis://host:port/database")],
    ["must have at most 200 characters"],
    ["must be printable ASCII without spaces", "must have at most 200 characters"],
  ]);
});

test("what holds without a variable: a fault, its default, or nothing", () => {
  const { flag } = values;
  expect(values.required(flag, "say 1").absent).toEqual({ ok: false, faults: ["is required: say 1"] });
  expect(values.withDefault(flag, true)).toEqual({ parse: flag, absent: { ok: true, value: true } });
  expect(values.optional(flag)).toEqual({ parse: flag, absent: { ok: true, value: undefined } });
  expect(values.guardrail(values.withDefault(flag, false))).toEqual({
    parse: flag,
    absent: { ok: true, value: false },
    isGuardrail: true,
  });
});
