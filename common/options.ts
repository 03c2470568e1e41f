// Options and arguments of commands. An invalid value is kept until `checkOptions` reports all invalid values of a command,
// together with the faults of the configuration (checkAll).
//
// A syntax error, such as an unknown option, ends the program at once, because the rest of the line can't be understood.

import { Argument, type Command, InvalidArgumentError, Option } from "commander";
import { choiceFault, oneLine, UsageError } from "./command-line.ts";

/** Stands for an invalid value until checkOptions reports it. */
class InvalidValue {
  constructor(readonly fault: string) {}
}

/** Reads a value. Throws InvalidArgumentError with what would be valid, as the functions below do. */
type Reader<Value> = (text: string) => Value;

/** `flags`: for example "--port <port>". */
export function option<Value>(flags: string, description: string, read: Reader<Value>): Option {
  return new Option(flags, description).argParser(deferred(read));
}

/** An option that takes one of some names. */
export function choice(flags: string, description: string, names: readonly string[]): Option {
  return new Option(flags, description).choices(names).argParser(deferredChoice(names));
}

/** An argument that takes one of some names; "[kind]" is optional. */
export function choiceArgument(name: string, description: string, names: readonly string[]): Argument {
  return new Argument(name, description).choices(names).argParser(deferredChoice(names));
}

/** Throws UsageError that names all invalid values, and all `required` options that are missing. */
export function checkOptions(command: Command, required: readonly string[] = []): void {
  const faults = command.options.flatMap((each) => {
    const value: unknown = command.getOptionValue(each.attributeName());
    if (value instanceof InvalidValue) return [`${each.long}: ${value.fault}`];
    const isMissing = value === undefined && required.includes(each.long ?? "");
    return isMissing ? [`${each.long}: is required: ${each.description}`] : [];
  });
  command.registeredArguments.forEach((argument, index) => {
    const value: unknown = command.processedArgs[index];
    if (value instanceof InvalidValue) faults.unshift(`${argument.name()}: ${value.fault}`);
  });
  if (faults.length > 0) throw new UsageError(faults.join("\n"));
}

/** The values of a command's options, without the invalid ones. */
export function validOptions(command: Command): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(command.opts()).filter(([, value]) => !(value instanceof InvalidValue)));
}

function deferred<Value>(read: Reader<Value>) {
  return (text: string): Value | InvalidValue => {
    try {
      return read(text);
    } catch (error) {
      if (!(error instanceof InvalidArgumentError)) throw error;
      return new InvalidValue(`${error.message}, not "${oneLine(text)}"`);
    }
  };
}

function deferredChoice(names: readonly string[]) {
  return (text: string): string | InvalidValue =>
    names.includes(text) ? text : new InvalidValue(choiceFault(text, names));
}

export function wholeNumber(least: number, most: number): Reader<number> {
  return (text) => {
    if (/^\d{1,15}$/.test(text) && Number(text) >= least && Number(text) <= most) return Number(text);
    throw new InvalidArgumentError(`a whole number from ${least} to ${most}`);
  };
}

export function decimalNumber(least: number, most: number): Reader<number> {
  return (text) => {
    if (/^\d{1,15}(\.\d{1,9})?$/.test(text) && Number(text) >= least && Number(text) <= most) return Number(text);
    throw new InvalidArgumentError(`a number from ${least} to ${most}`);
  };
}

export function port(text: string): number {
  if (!/^\d{1,5}$/.test(text) || Number(text) > 65_535) throw new InvalidArgumentError("a port from 0 to 65535");
  return Number(text);
}
