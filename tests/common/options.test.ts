import { describe, expect, test } from "bun:test";
import { Command } from "commander";
import { checkAll, UsageError } from "../../common/command-line.ts";
import { checkOptions, choice, choiceArgument, option, port, wholeNumber } from "../../common/options.ts";

function faultsOf(check: () => unknown): string[] {
  try {
    check();
  } catch (error) {
    expect(error).toBeInstanceOf(UsageError);
    return (error as UsageError).message.split("\n");
  }
  return [];
}

async function parsed(args: readonly string[], required: readonly string[] = []) {
  const command = new Command("x")
    .addArgument(choiceArgument("[colour]", "c", ["red", "green"]))
    .addOption(option("--port <port>", "where it listens", port))
    .addOption(option("--steps <number>", "how many", wholeNumber(1, 20)).default(7))
    .addOption(choice("--preset <name>", "which", ["calm", "stress"]))
    .action(() => {});
  await command.parseAsync([...args], { from: "user" });
  return { faults: faultsOf(() => checkOptions(command, required)), options: command.opts(), command };
}

describe("checkOptions", () => {
  test("passes valid values, in their types", async () => {
    const { faults, options, command } = await parsed(["green", "--port", "80", "--preset", "calm"]);
    expect([faults, options, command.processedArgs]).toEqual([[], { port: 80, steps: 7, preset: "calm" }, ["green"]]);
  });

  test("names every invalid value on one line, with what would be valid", async () => {
    const { faults } = await parsed(["grren", "--port", "65536", "--steps", "0", "--preset", "clam"]);
    const escapes = await parsed(["--preset", "a\u001b[2J\nb"]);
    expect(escapes.faults).toEqual(['--preset: there is no "a\\u001b[2J\\nb"; give one of calm, stress']);
    expect(faults).toEqual([
      'colour: there is no "grren" (did you mean green?); give one of red, green',
      '--port: a port from 0 to 65535, not "65536"',
      '--steps: a whole number from 1 to 20, not "0"',
      '--preset: there is no "clam" (did you mean calm?); give one of calm, stress',
    ]);
  });

  test.each(["", " ", "-1", "1.5", "1e3", "0x10", "21", "９", "1".repeat(40)])("%p is no step count", async (text) => {
    expect((await parsed([`--steps=${text}`])).faults).toHaveLength(1);
  });

  test("names required options that are missing", async () => {
    expect((await parsed(["--port", "x"], ["--port", "--preset"])).faults).toEqual([
      '--port: a port from 0 to 65535, not "x"',
      "--preset: is required: which",
    ]);
  });
});

describe("checkAll", () => {
  const failing = (...faults: string[]) => () => {
    throw new UsageError(faults.join("\n"));
  };

  test("returns the results of its checks, or throws the faults of all together, each once", () => {
    expect(checkAll(() => 1, () => "a", () => {})).toEqual([1, "a", undefined]);
    const check = () => checkAll(failing("a: 1", "b: 2"), () => 1, failing("b: 2", "c: 3"));
    expect(faultsOf(check)).toEqual(["a: 1", "b: 2", "c: 3"]);
  });

  test("passes on any other error", () => {
    const broken = () => {
      throw new TypeError("broken");
    };
    expect(() => checkAll(failing("a"), broken)).toThrow(TypeError);
  });
});
