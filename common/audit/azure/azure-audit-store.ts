// The audit trail in Azure Table storage.
//
// Reading: one range of keys after another, newest first, a page of rows in each request; an answer ends within
// `timeLimitMs`, and a search that would take longer ends with a cursor. Writing: transactions of up to 100 rows of one
// partition, each row replacing the one that has its key, so that what is written twice is there once. Transactions of
// different partitions go side by side, so an event may be found by one way a moment before it is by another.
//
// Limits: a partition takes some 2,000 rows a second, so that is how many events a second a day can take.

import type { TableClient, TransactionAction } from "@azure/data-tables";
import type { AuditEvent, AuditPage, AuditQuery, OrderEventsQuery } from "../../../protocol/index.ts";
import { isAuditId } from "../audit-id.ts";
import { type AuditSearch, collectPage, foreignCursor, searchOfOrder, searchOfQuery } from "../audit-search.ts";
import type { AuditStore } from "../audit-store.ts";
import {
  connectTable,
  isTableMissing,
  type RetrySettings,
  tableFailure,
  type TableStorageSettings,
} from "./table-connection.ts";
import {
  dayRanges,
  eventIn,
  indexRanges,
  keyPart,
  type KeyRange,
  type Place,
  rowsOf,
  type TableRow,
} from "./table-layout.ts";

const TIME_LIMIT_MS = 10_000;
/** Part of the time limit after which no further page of a search is asked for. */
const SEARCH_SHARE = 0.6;
/** What one request may answer. */
const GREATEST_PAGE = 1000;
/** What one transaction may hold; its text also stays well below 4 MiB. */
const GREATEST_TRANSACTION = 100;
const GREATEST_TRANSACTION_LENGTH = 1_000_000;
/** Reads are tried again at once, within the time limit; writes by whoever writes. */
const READ_RETRIES: RetrySettings = { maxRetries: 3, retryDelayInMs: 250, maxRetryDelayInMs: 2000 };
const WRITE_RETRIES: RetrySettings = { maxRetries: 0 };

export interface AzureAuditStoreOptions extends TableStorageSettings {
  /** Milliseconds since the epoch: which day is today. */
  readonly now: () => number;
  /** For one answer, or one append; 10,000 where absent. */
  readonly timeLimitMs?: number;
}

export class AzureAuditStore implements AuditStore {
  readonly #options: AzureAuditStoreOptions;
  readonly #timeLimitMs: number;
  #reader: Promise<TableClient> | null = null;
  #writer: Promise<TableClient> | null = null;

  constructor(options: AzureAuditStoreOptions) {
    this.#options = options;
    this.#timeLimitMs = options.timeLimitMs ?? TIME_LIMIT_MS;
  }

  async query(query: AuditQuery, visible?: (event: AuditEvent) => boolean): Promise<AuditPage> {
    return await this.#page(searchOfQuery(query, visible));
  }

  async orderEvents(orderId: string, query: OrderEventsQuery): Promise<AuditPage> {
    return await this.#page(searchOfOrder(orderId, query, this.#options.now()));
  }

  async append(events: readonly AuditEvent[]): Promise<void> {
    await this.#within(async (signal) => {
      this.#writer ??= connectTable(this.#options, WRITE_RETRIES);
      const client = await this.#writer;
      if (events.length === 0) return await client.createTable({ abortSignal: signal });
      const partitions = [...Map.groupBy(events.flatMap(rowsOf), ({ partitionKey }) => partitionKey).values()];
      const write = () => Promise.all(partitions.map((rows) => writeRows(client, rows, signal)));
      try {
        await write();
      } catch (error) {
        if (!isTableMissing(error)) throw error;
        await client.createTable({ abortSignal: signal });
        await write();
      }
    });
  }

  async #page(search: AuditSearch): Promise<AuditPage> {
    const place = search.cursor === undefined ? null : placeOf(search.cursor);
    const started = performance.now();
    const outOfTime = () => performance.now() - started > SEARCH_SHARE * this.#timeLimitMs;
    return await this.#within(async (signal) => {
      this.#reader ??= connectTable(this.#options, READ_RETRIES);
      const batches = readRanges(await this.#reader, rangesOf(search, place, this.#options.now()), search, signal);
      return await collectPage(search, batches, ({ id, time }) => `${time.slice(0, 10)}.${id}`, outOfTime);
    });
  }

  /** Throws AuditFailure. */
  async #within<Result>(work: (signal: AbortSignal) => Promise<Result>): Promise<Result> {
    const timeout = AbortSignal.timeout(this.#timeLimitMs);
    const expired = Promise.withResolvers<never>();
    const expire = () => expired.reject(timeout.reason);
    timeout.addEventListener("abort", expire);
    try {
      // A request that does not heed the signal is left behind.
      return await Promise.race([work(timeout), expired.promise]);
    } catch (error) {
      throw tableFailure(timeout.aborted ? timeout.reason : error, this.#options, this.#timeLimitMs);
    } finally {
      timeout.removeEventListener("abort", expire);
    }
  }
}

/** The index that names the fewest events, or the days; up to the end of next year, however far off `to` is. */
function rangesOf(search: AuditSearch, place: Place | null, now: number): KeyRange[] {
  const { orderId, moduleId, event, from } = search;
  if (place !== null && (place.day < from || place.day > search.to)) throw foreignCursor(search.cursor ?? "");
  const lastDay = `${new Date(now).getUTCFullYear() + 1}-12-31`;
  const to = search.to < lastDay ? search.to : lastDay;
  const subject = orderId ?? moduleId;
  if (subject !== undefined) return indexRanges("subject", subject, from, to, place);
  if (event !== undefined) return indexRanges("name", event, from, to, place);
  return dayRanges(from, to, place);
}

/** The first page is as large as suffices where every row matches; further ones are as large as they can be. */
async function* readRanges(
  client: TableClient,
  ranges: readonly KeyRange[],
  { limit, moduleType, matches }: AuditSearch,
  abortSignal: AbortSignal,
): AsyncGenerator<AuditEvent[], void, undefined> {
  let maxPageSize = Math.min(limit + 1, GREATEST_PAGE);
  for (const range of ranges) {
    const entities = client.listEntities({ queryOptions: { filter: filterOf(range, moduleType) }, abortSignal });
    let continuationToken: string | undefined;
    do {
      const { value: page } = await entities.byPage({ maxPageSize, continuationToken }).next();
      const events = (page ?? []).map(eventIn);
      yield events;
      continuationToken = page?.continuationToken;
      if (!events.every(matches)) maxPageSize = GREATEST_PAGE;
    } while (continuationToken !== undefined);
  }
}

/** Every value in it is made of characters that mean nothing in a filter: table-layout.ts. */
function filterOf(range: KeyRange, moduleType: string | undefined): string {
  const type = moduleType === undefined ? "" : ` and type eq '${keyPart(moduleType)}'`;
  if ("partition" in range) {
    return `PartitionKey eq '${range.partition}' and RowKey gt '${range.after}' and RowKey lt '${range.before}'${type}`;
  }
  return range.fromPartition === range.toPartition
    ? `PartitionKey eq '${range.fromPartition}'${type}`
    : `PartitionKey ge '${range.fromPartition}' and PartitionKey le '${range.toPartition}'${type}`;
}

function placeOf(cursor: string): Place {
  const [, day = "", id = ""] = /^(\d{4}-\d{2}-\d{2})\.([\d-]+)$/.exec(cursor) ?? [];
  if (Number.isNaN(Date.parse(day)) || !isAuditId(id)) throw foreignCursor(cursor);
  return { day, id };
}

/** In order, so that a failure leaves the oldest written. */
async function writeRows(client: TableClient, rows: readonly TableRow[], abortSignal: AbortSignal): Promise<void> {
  let actions: TransactionAction[] = [];
  let length = 0;
  for (const [index, row] of rows.entries()) {
    actions.push(["upsert", row, "Replace"]);
    length += Object.values(row).reduce((sum, text) => sum + text.length, 0);
    const isFull = actions.length === GREATEST_TRANSACTION || length >= GREATEST_TRANSACTION_LENGTH;
    if (!isFull && index < rows.length - 1) continue;
    await client.submitTransaction(actions, { abortSignal });
    [actions, length] = [[], 0];
  }
}
