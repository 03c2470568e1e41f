// Builds dist/mkt, one file that needs neither Bun nor Node. --all also builds it for the other platforms.

import { compile, TARGETS } from "./compile.ts";

await compile("dist/mkt");
console.log("dist/mkt");
for (const target of process.argv.includes("--all") ? TARGETS : []) {
  const outfile = `dist/${target.replace("bun-", "mkt-")}`;
  await compile(outfile, target);
  console.log(outfile);
}
