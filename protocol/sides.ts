// The sides of an order and of a trade's aggressor, as modules, events, requests and the engine have them. Tools and commands
// name them BUY and SELL.

export type Side = 0 | 1;
export const BUY = 0 as const;
export const SELL = 1 as const;

/** The number of a name. */
export const SIDE = { BUY, SELL } as const;
