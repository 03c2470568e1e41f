// Builds dist/mkt, one file that runs where neither Bun nor Node is; with --all, also the other platforms'.

import { compile, TARGETS } from "./compile.ts";

await compile("dist/mkt");
console.log("dist/mkt");
for (const target of process.argv.includes("--all") ? TARGETS : []) {
  const outfile = `dist/${target.replace("bun-", "mkt-")}`;
  await compile(outfile, target);
  console.log(outfile);
}
