/**
 * Thrown in place of whatever a strategy from a file throws. Its persona then withdraws its orders and trades nothing more;
 * the run goes on. A built-in strategy that throws ends the run.
 */
export class StrategyFault extends Error {}
