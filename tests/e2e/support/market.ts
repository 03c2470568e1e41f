// The market of the end-to-end tests: Aurora and Borealis have credit and documents for each other, Cirrus has neither.

import { resolve } from "node:path";

export const MARKET_FILE = resolve(import.meta.dir, "../fixtures/market.json");
export const NORTH = "north-base-2099";
export const WEST = "west-peak-2099";
