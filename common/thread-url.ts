// Where a thread of this program is loaded from. A thread is a file of its own, with its own entry in the executable
// (scripts/compile.ts): the bundler finds it by its path from the root of the program.

/** True in the compiled executable, whose files are all in one virtual folder. */
const IS_COMPILED = /\$bunfs|~BUN/.test(import.meta.url);

/** `path`: of a TypeScript file, from the root of the program. It must be one of THREADS in scripts/compile.ts. */
export function threadUrl(path: string): string {
  return new URL(IS_COMPILED ? `./${path}` : `../${path}`, import.meta.url).href;
}
