// The command that a report names, and the option that says when it shows books.

import { expect, test } from "bun:test";
import { Command } from "commander";
import { bookAtOption, commandOf, givenOptions } from "../../../cli/simulation/report-options.ts";
import { checkOptions } from "../../../common/options.ts";

function given(...args: string[]): Command {
  const command = new Command("simulate").addOption(bookAtOption()).action(() => {})
    .option("--hours <number>").option("--personas <list>").option("--seed <number>").option("--report <file>")
    .option("--strategy <file>", "", (file: string, files: string[] = []) => [...files, file]).option("--flag")
    .option("--usual <number>", "", "5");
  command.parse(args, { from: "user" });
  return command;
}

test("the command of a run repeats what was given, each value of a list, and the run's own seed", () => {
  const all = ["--hours", "2", "--strategy", "a b.ts", "--strategy", "c.ts", "--flag", "--seed", "1", "--report", "r"];
  const words = "mkt simulate --hours 2 --strategy 'a b.ts' --strategy c.ts --flag --seed 7";
  expect(commandOf(given(...all, "--book-at", "1h,2h"), 7, [])).toBe(words);
  expect(commandOf(given(), 0, [{ path: "trading.halfSpread", keys: ["trading", "halfSpread"], value: 0.1 }]))
    .toBe("mkt simulate --vary trading.halfSpread=0.1 --seed 0");
  expect(givenOptions(given(...all), ["strategy", "report"])).toEqual(["--hours", "2", "--seed", "1", "--flag"]);
});

test.each<[string, readonly number[]]>([["6h", [6]], ["0.5h, 12h", [0.5, 12]], ["0h", [0]]])(
  "--book-at %s is %j hours after the start",
  (text, hours) => {
    const command = given("--book-at", text);
    checkOptions(command);
    expect(command.opts()["bookAt"]).toEqual(hours);
  },
);

test.each(["", "6", "6m", "-1h", "1h,", "h", Array.from({ length: 13 }, () => "1h").join()])(
  "--book-at %p is refused",
  (text) => {
    expect(() => checkOptions(given(`--book-at=${text}`))).toThrow("--book-at: up to 12 hours after the start");
  },
);
