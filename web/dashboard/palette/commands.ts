// What the palette offers: everything that can be done from anywhere, by its name.

import { signal } from "@preact/signals";

export interface Command {
  /** Begins with a verb, such as `Go to Credit`. */
  readonly title: string;
  /** Keys that do the same, as the list of keys has them. */
  readonly keys?: string;
  readonly run: () => void;
}

/** Makes the list anew each time, because what can be done changes. */
type Source = () => readonly Command[];

const source = signal<Source>(() => []);

/** Called once, by the page. */
export function offerCommands(commands: Source): void {
  source.value = commands;
}

/** Those whose title has all words of `text`, the ones that begin with it first. All of them for an empty text. */
export function commandsMatching(text: string, most: number): readonly Command[] {
  return matching(source.value(), text).slice(0, most);
}

/** As `commandsMatching`, of a given list. */
export function matching(commands: readonly Command[], text: string): readonly Command[] {
  const wanted = text.trim().toLowerCase();
  const words = wanted.split(/\s+/).filter((word) => word !== "");
  const found = commands.filter(({ title }) => words.every((word) => title.toLowerCase().includes(word)));
  const begins = ({ title }: Command) => title.toLowerCase().startsWith(wanted);
  return [...found.filter(begins), ...found.filter((command) => !begins(command))];
}
