// Limits of size and depth in the protocol, and for all JSON that comes from elsewhere.

/** Characters of an id. */
export const LONGEST_ID = 200;
/** Characters of a reason, a note or an error message. */
export const LONGEST_TEXT = 1_000;
/**
 * Levels of objects and arrays in each other. Nothing in the protocol is nor needs to be nested deeper. Readers check it
 * before they walk a value by recursion, since JSON.parse accepts any depth.
 */
export const GREATEST_DEPTH = 32;
