// Builds dist/mkt, one file that needs neither Bun nor Node. --all also builds it for each platform of packaging/platforms.ts.

import { builtName, PLATFORMS } from "../packaging/platforms.ts";
import { compile } from "./compile.ts";

await compile("dist/mkt");
console.log("dist/mkt");
for (const platform of process.argv.includes("--all") ? PLATFORMS : []) {
  const outfile = `dist/${builtName(platform)}`;
  await compile(outfile, platform.target);
  console.log(outfile);
}
