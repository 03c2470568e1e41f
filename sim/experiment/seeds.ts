// The seeds of a study as text: numbers and ranges, such as 1..20 or 1,5,9..12. The order is that of the runs.

export const MAX_SEED = 4_294_967_295;
/** The most runs of a study. */
const MAX_RUNS = 100_000;

type SeedList =
  | { readonly ok: true; readonly seeds: readonly number[] }
  | { readonly ok: false; readonly fault: string };

export function seedsFromText(text: string): SeedList {
  const seeds = new Set<number>();
  for (const part of text.split(",")) {
    const [, from = "", until = from] = /^\s*(\d{1,10})(?:\.\.(\d{1,10}))?\s*$/.exec(part) ?? [];
    const [first, last] = [Number(from), Number(until)];
    if (from === "" || last > MAX_SEED || first > last) {
      return refused(`must be seeds from 0 to ${MAX_SEED}, such as 1..20 or 1,5,9..12`);
    }
    if (last - first >= MAX_RUNS) return refused(`names more than ${MAX_RUNS} seeds`);
    for (let seed = first; seed <= last; seed++) {
      if (seeds.has(seed)) return refused(`names seed ${seed} twice`);
      seeds.add(seed);
    }
    if (seeds.size > MAX_RUNS) return refused(`names more than ${MAX_RUNS} seeds`);
  }
  return { ok: true, seeds: [...seeds] };
}

function refused(fault: string): SeedList {
  return { ok: false, fault };
}
