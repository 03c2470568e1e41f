// What a company does. The simulator deals each strategy to companies whose business it is.

export const BUSINESSES = ["generation", "retail", "utility", "trading"] as const;
export type Business = (typeof BUSINESSES)[number];
