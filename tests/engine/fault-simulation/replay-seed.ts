// Replays one seed and prints its trace: bun tests/engine/fault-simulation/replay-seed.ts SEED

import { simulate } from "./simulation.ts";

const seed = Number(process.argv[2]);
if (!Number.isSafeInteger(seed) || seed < 1) {
  console.error("give a seed, a whole number from 1");
  process.exit(2);
}
const report = await simulate(seed, { trace: (line) => console.log(line) });
console.log(JSON.stringify(report, null, 2));
process.exit(report.violations.length === 0 ? 0 : 1);
