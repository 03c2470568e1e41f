// Single values of a SQLite database.

import type { Database } from "bun:sqlite";

/** The column `number` of a query's first row; null if there is no row. */
export function readNumber(database: Database, query: string, ...parameters: (string | number)[]): number | null {
  return database.query<{ number: number | null }, (string | number)[]>(query).get(...parameters)?.number ?? null;
}

export function formatVersion(database: Database): number {
  return readNumber(database, "select user_version as number from pragma_user_version") ?? 0;
}

export function tableCount(database: Database): number {
  return readNumber(database, "select count(*) as number from sqlite_schema") ?? 0;
}
