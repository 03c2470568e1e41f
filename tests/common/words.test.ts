// The small parts that many others print with.

import { expect, test } from "bun:test";
import { didYouMean, errorLines, oneLine, settingsError, UsageError } from "../../common/command-line.ts";
import { errorLine, errorMessage, errorStack } from "../../common/error-message.ts";
import { errorText, exitStatusOf } from "../../common/exit-status.ts";
import { lengthText } from "../../common/length-text.ts";
import { decimalNumber, port, wholeNumber } from "../../common/options.ts";
import { linked, OutputClosed } from "../../common/output.ts";
import { redacted, Redaction } from "../../common/redaction.ts";
import { hundredths, thousandths } from "../../common/rounding.ts";
import { threadUrl } from "../../common/thread-url.ts";
import { within } from "../../common/within.ts";
import { Counts } from "../../common/telemetry/counts.ts";
import { Durations } from "../../common/telemetry/durations.ts";
import { atEnd } from "../support/at-end.ts";

test.each([
  [0, "0 seconds"],
  [1_500, "1.5 seconds"],
  [-90_000, "90 seconds"],
  [119_400, "119.4 seconds"],
  [119_500, "2 minutes"],
  [150_000, "2.5 minutes"],
  [7_199_000, "120 minutes"],
  [7_200_000, "2 hours"],
  [86_400_000, "24 hours"],
  [172_800_000, "2 days"],
])("%d ms are %s", (milliseconds, text) => {
  expect(lengthText(milliseconds)).toBe(text);
});

test("hundredths and thousandths are rounded", () => {
  expect([0.126, 0.1 + 0.2, -1.005].map(hundredths)).toEqual([0.13, 0.3, -1]);
  expect([0.1264, 0.1 + 0.2, -1.0006].map(thousandths)).toEqual([0.126, 0.3, -1.001]);
});

test("a duration is counted in the first bucket whose bound it does not exceed", () => {
  const durations = new Durations([0.1, 1]);
  for (const seconds of [0, 0.1, 0.11, 1, 1.5]) durations.observe(seconds);
  expect([durations.counts, durations.sum]).toEqual([[2, 2, 1], 2.71]);
});

test("counts have their known labels from the start, and further ones once they are counted", () => {
  const counts = new Counts(["a", "b"]);
  counts.add("b");
  counts.add("b");
  counts.add("c" as never);
  expect(counts.samples("kind", { of: "x" })).toEqual([
    { labels: { of: "x", kind: "a" }, value: 0 },
    { labels: { of: "x", kind: "b" }, value: 2 },
    { labels: { of: "x", kind: "c" }, value: 1 },
  ]);
});

test("what is thrown is told as it is, on one line, or with its stack", () => {
  const error = new Error("a\n b");
  expect([errorMessage(error), errorMessage("x"), errorMessage(null)]).toEqual(["a\n b", "x", "null"]);
  expect([errorLine(error), errorLine(5)]).toEqual(["a b", "5"]);
  expect(errorStack(error)).toContain("words.test.ts");
  expect(errorStack("x")).toBe("x");
});

test("an error is one line for each of its own, the rest of very many is counted, and long lines are cut", () => {
  expect(errorLines(new Error("a\nb\u001b"))).toEqual(["a", "b\\u001b"]);
  const many = errorLines(new Error(Array.from({ length: 205 }, (_, at) => `${at}`).join("\n")));
  expect([many.length, many[199], many.at(-1)]).toEqual([201, "199", "and 5 more"]);
  expect(errorLines(new Error(Array.from({ length: 200 }, (_, at) => `${at}`).join("\n")))).toHaveLength(200);
  expect(oneLine("x".repeat(2_000)).length).toBeLessThan(1_100);
  expect(settingsError([{ variable: "A", message: "x" }, { variable: "B", message: "y" }]).message).toBe("A: x\nB: y");
  expect([didYouMean("engin", ["engine"]), didYouMean("zzz", ["engine"])]).toEqual([" (did you mean engine?)", ""]);
  expect(errorText(["a", "b"])).toBe("mkt: a\nmkt: b\n");
});

test("the exit status says whether the work, or the command line, was wrong", async () => {
  const write = process.stderr.write;
  atEnd(() => {
    process.stderr.write = write;
    process.exitCode = 0;
  });
  const said: string[] = [];
  process.stderr.write = (text: unknown) => Boolean(said.push(String(text)));
  const thrown = (error: unknown) => exitStatusOf(() => Promise.reject(error));
  process.exitCode = 0;
  expect([await exitStatusOf(() => Promise.resolve()), await thrown(new OutputClosed()), said]).toEqual([0, 0, []]);
  expect([await thrown(new Error("a")), await thrown(new UsageError("b"))]).toEqual([1, 2]);
  expect(said).toEqual(["mkt: a\n", "mkt: b\n"]);
  process.exitCode = 3;
  expect([await exitStatusOf(() => Promise.resolve()), await thrown(new OutputClosed())]).toEqual([3, 3]);
});

test("a wait has its limit, and what is there in time is given or thrown", async () => {
  expect(await within(60_000, Promise.resolve(5))).toBe(5);
  await expect(within(60_000, Promise.reject(new Error("no")))).rejects.toThrow("no");
  expect(await within(1, new Promise(() => {}))).toBeUndefined();
});

test("no text has a secret in it, also one that another begins with or that JSON quotes", () => {
  expect(redacted("abc ab b", ["ab", "abc"])).toBe("[secret] [secret] b");
  let secrets: readonly string[] = ['a"b'];
  const redaction = new Redaction(() => secrets);
  expect(redaction.jsonOf({ x: ['1 a"b 2'], y: 1 })).toBe('{"x":["1 [secret] 2"],"y":1}');
  secrets = ["other"];
  expect(redaction.jsonOf({ x: 'a"b', z: "another" })).toBe('{"x":"a\\"b","z":"an[secret]"}');
});

test("numbers of options have their ends, and no other form", () => {
  const accepts = (read: (text: string) => number, text: string) => {
    try {
      return read(text);
    } catch {
      return null;
    }
  };
  expect(["2", "5", "1", "6", "2.0", "+3", ""].map((text) => accepts(wholeNumber(2, 5), text)))
    .toEqual([2, 5, null, null, null, null, null]);
  expect(["0.5", "2", "0.4", "2.1", ".5", "1.", "1e0"].map((text) => accepts(decimalNumber(0.5, 2), text)))
    .toEqual([0.5, 2, null, null, null, null, null]);
  expect(["0", "65535", "65536", "-1", "000080"].map((text) => accepts(port, text))).toEqual([
    0,
    65_535,
    null,
    null,
    null,
  ]);
});

test("an address is a link on a terminal alone", () => {
  const stream = (isTTY: boolean) => ({ isTTY }) as NodeJS.WriteStream;
  const { TERM } = process.env;
  atEnd(() => {
    if (TERM === undefined) delete process.env["TERM"];
    else process.env["TERM"] = TERM;
  });
  process.env["TERM"] = "xterm";
  expect([linked("http://x/", stream(false)), linked("http://x/", stream(true))])
    .toEqual(["http://x/", "\u001b]8;;http://x/\u001b\\http://x/\u001b]8;;\u001b\\"]);
  process.env["TERM"] = "dumb";
  expect(linked("http://x/", stream(true))).toBe("http://x/");
});

test("a thread is a file of the program", () => {
  expect(new URL(threadUrl("sim/x.ts")).pathname).toBe(new URL("../../sim/x.ts", import.meta.url).pathname);
});
