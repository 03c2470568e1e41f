// What a test remembers of an event, in 53 bits: its number is kept beside it.

type Data = Readonly<Record<string, unknown>>;

/** The order of the properties makes no difference. `data`: as mkt shows it in full (withSideNames). */
export function eventDigest(type: string, time: string, data: Data): number {
  const text = JSON.stringify([type, time, Object.entries(data).toSorted(([one], [other]) => one < other ? -1 : 1)]);
  return Number(BigInt.asUintN(53, Bun.hash.wyhash(text)));
}
