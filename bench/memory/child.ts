// Measures memory in a process that does nothing else, and prints the figures as JSON.
//
//   bun bench/memory/child.ts objects | day COUNT

import { playDay } from "./day.ts";
import { objectSizes } from "./objects.ts";

const [part, count] = process.argv.slice(2);
console.log(JSON.stringify(part === "day" ? playDay(Number(count)) : objectSizes(Number(count))));
