// Finds contracts by what a person types: an id, a name, or words of both.

interface Named {
  readonly id: string;
  readonly name: string;
}

/** The exact one alone; else those that have all words, in their order, at most `most`. */
export function contractsMatching(text: string, contracts: readonly Named[], most: number): readonly Named[] {
  const wanted = text.trim().toLowerCase();
  if (wanted === "") return contracts.slice(0, most);
  const exact = contracts.find(({ id, name }) =>
    [id, name, `${name} (${id})`].some((known) => known.toLowerCase() === wanted)
  );
  if (exact !== undefined) return [exact];
  const words = wanted.split(/[\s,]+/).filter((word) => word !== "");
  return contracts.filter(({ id, name }) => {
    const all = `${id} ${name}`.toLowerCase();
    return words.every((word) => all.includes(word));
  }).slice(0, most);
}
