// Compiles main.ts to one executable.

export const TARGETS = [
  "bun-linux-x64",
  "bun-linux-arm64",
  "bun-darwin-x64",
  "bun-darwin-arm64",
  "bun-windows-x64",
] as const;

export type Target = (typeof TARGETS)[number];

/** For this machine where no target is given. Throws where it does not compile. */
export async function compile(outfile: string, target?: Target): Promise<void> {
  await Bun.build({
    entrypoints: ["main.ts"],
    compile: {
      outfile,
      ...(target ? { target } : {}),
      // A compiled mkt reads no .env of the folder it happens to start in: DOTENV_PATH names one.
      autoloadDotenv: false,
      autoloadBunfig: false,
    },
    bytecode: true,
    format: "esm",
    // What is imported only when it is used is a part of its own, so that no start pays for it.
    splitting: true,
    minify: true,
  });
}
