// The Python of this machine, for the tests of the examples in it. If there is none, they are skipped, and the run says so.

/**
 * Its path; null if there is none, which is an error with MKT_TEST_ALL=1. On Linux the system's own comes first: what a version
 * manager puts in its place takes ten times the processor time to start. `tests`: whose program it is, for the message.
 */
export function findPython(tests: string): string | null {
  const path = process.env["PATH"] ?? "";
  const found = Bun.which("python3", { PATH: process.platform === "linux" ? `/usr/bin:${path}` : path });
  if (found !== null) return found;
  if (process.env["MKT_TEST_ALL"] === "1") throw new Error("MKT_TEST_ALL=1, but there is no program python3");
  console.log(`skipped: ${tests} need the program python3`);
  return null;
}
