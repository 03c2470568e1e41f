// The tables of a tape and their columns, in the order in which they are written. docs/tape.md describes each.

/**
 * time: milliseconds since the epoch, written as ISO text with milliseconds or as a timestamp. integer: up to 2^53.
 * A cell of any type may be null.
 */
export type ColumnType = "time" | "integer" | "number" | "text";
export type Columns = Readonly<Record<string, ColumnType>>;
export type Cell = number | string | null;

export const TABLES = {
  trades: {
    time: "time",
    contractId: "text",
    price: "integer",
    quantity: "number",
    aggressorSide: "text",
    buyer: "text",
    seller: "text",
  },
  quotes: {
    time: "time",
    contractId: "text",
    bestBid: "integer",
    bidVolume: "number",
    bestAsk: "integer",
    askVolume: "number",
  },
  orders: {
    time: "time",
    action: "text",
    orderId: "integer",
    contractId: "text",
    side: "text",
    price: "integer",
    quantity: "number",
    persona: "text",
  },
  spot: { time: "time", node: "text", price: "integer", regime: "text" },
  events: { time: "time", type: "text", node: "text", size: "number", until: "time" },
  depth: {
    time: "time",
    contractId: "text",
    side: "text",
    level: "integer",
    price: "integer",
    volume: "number",
    orderCount: "integer",
  },
  positions: { time: "time", persona: "text", contractId: "text", positionMw: "number", cash: "number" },
  forecasts: { time: "time", contractId: "text", forecaster: "text", price: "number" },
  results: {
    time: "time",
    persona: "text",
    strategy: "text",
    contractId: "text",
    deliveryStart: "time",
    deliveryEnd: "time",
    boughtMw: "number",
    soldMw: "number",
    cash: "number",
    mark: "integer",
    realised: "number",
    unrealised: "number",
  },
} as const satisfies Readonly<Record<string, Columns>>;

export type TableName = keyof typeof TABLES;
export const TABLE_NAMES = Object.keys(TABLES) as TableName[];

/** Takes the rows of a run as they come: writes them, or sums them up. */
export interface TapeRows {
  /** `row`: a cell for each column of the table. Methods throw if the disk refuses. */
  append(table: TableName, time: number, row: readonly Cell[]): void;
}

/** Gives each row to several. */
export function toAll(all: readonly TapeRows[]): TapeRows {
  return {
    append(table, time, row) {
      for (const each of all) each.append(table, time, row);
    },
  };
}

/** A table on disk, written as the run goes. Methods throw if the disk refuses. */
export interface TableFile {
  /** Rows that are on disk as a whole. */
  readonly writtenRows: number;
  /** `row`: a cell for each column. */
  append(row: readonly Cell[]): void;
  close(): void;
}
