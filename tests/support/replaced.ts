// Functions of modules that a test replaces until it ends, to see what another module asks of them.

import { type Mock, spyOn } from "bun:test";
import { atEnd } from "./at-end.ts";

type ArgumentsOf<Work> = Work extends (...args: infer Arguments) => unknown ? Arguments : never;

/** The calls of a function that does `work` instead; `module`: what `import * as` gives. */
export function replaced<Module extends object, Name extends keyof Module>(
  module: Module,
  name: Name,
  work: (...args: ArgumentsOf<Module[Name]>) => unknown,
): ArgumentsOf<Module[Name]>[] {
  const spy = spyOn(module as never, name as never) as Mock<(...args: unknown[]) => unknown>;
  spy.mockImplementation(work as () => unknown);
  atEnd(() => spy.mockRestore());
  return spy.mock.calls as ArgumentsOf<Module[Name]>[];
}
