// Says once how large a tape in CSV will become, if that is much: what the first hour of the run has taken, times its hours.

const MEGABYTE = 1e6;
const LARGE = 50 * MEGABYTE;

/** `hours`: the length of the run. The function that it returns takes how many of them have passed. */
export function tapeSizeNote(
  tape: { readonly path: string; readonly bytes: number },
  hours: number,
  print: (text: string) => void,
): (done: number) => void {
  let isDue = true;
  return (done) => {
    if (!isDue || done < 1) return;
    isDue = false;
    const bytes = tape.bytes * hours / done;
    if (bytes < LARGE) return;
    const size = `about ${Math.round(bytes / MEGABYTE)} MB`;
    print(`tape ${tape.path}: ${size} are coming; with --tape-format parquet it takes a tenth`);
  };
}
