// The audit trail in Azure Table storage.
//
// Reading: one key range after another, newest first, one page of rows in each request. A search that would take longer than
// `timeLimitMs` ends with a cursor. Writing: transactions of up to 100 rows of one partition. A row replaces the row with
// its key, so writing an event twice stores it once. Transactions of different partitions run in parallel, so for a moment
// an event may be found by one index and not yet by another.
//
// Limit: a partition accepts some 2,000 rows a second, and all events of a day go to one partition.

import type { TableClient, TransactionAction } from "@azure/data-tables";
import type { AuditEvent, AuditPage, AuditQuery, OrderEventsQuery } from "../../../protocol/index.ts";
import { isAuditId } from "../audit-id.ts";
import { type AuditSearch, collectPage, foreignCursor, searchOfOrder, searchOfQuery } from "../audit-search.ts";
import type { AuditStore } from "../audit-store.ts";
import { unlessAborted } from "../../unless-aborted.ts";
import type { AuditViewer } from "../audit-visibility.ts";
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
  type Position,
  rowsOf,
  type TableRow,
} from "./table-layout.ts";

const TIME_LIMIT_MS = 10_000;
/** The share of the time limit after which a search requests no further page. */
const SEARCH_SHARE = 0.6;
/** Rows in one response. */
const MAX_PAGE_SIZE = 1000;
/** Rows in one transaction. Its text must also stay well below 4 MiB. */
const MAX_TRANSACTION_ROWS = 100;
const MAX_TRANSACTION_LENGTH = 1_000_000;
/** Reads are retried within the time limit. The caller retries writes. */
const READ_RETRIES: RetrySettings = { maxRetries: 3, retryDelayInMs: 250, maxRetryDelayInMs: 2000 };
const WRITE_RETRIES: RetrySettings = { maxRetries: 0 };

interface AzureAuditStoreOptions extends TableStorageSettings {
  /** Milliseconds since the epoch; decides which day is today. */
  readonly now: () => number;
  /** For one page or one append; 10,000 if absent. */
  readonly timeLimitMs?: number;
}

export class AzureAuditStore implements AuditStore {
  readonly #timeLimitMs: number;
  #reader: Promise<TableClient> | null = null;
  #writer: Promise<TableClient> | null = null;

  constructor(private readonly options: AzureAuditStoreOptions) {
    this.#timeLimitMs = options.timeLimitMs ?? TIME_LIMIT_MS;
  }

  async query(query: AuditQuery, viewer?: AuditViewer, signal?: AbortSignal): Promise<AuditPage> {
    return await this.#page(searchOfQuery(query, viewer), signal);
  }

  async orderEvents(orderId: string, query: OrderEventsQuery, signal?: AbortSignal): Promise<AuditPage> {
    return await this.#page(searchOfOrder(orderId, query, this.options.now()), signal);
  }

  async append(events: readonly AuditEvent[]): Promise<void> {
    await this.#within(async (signal) => {
      this.#writer ??= connectTable(this.options, WRITE_RETRIES);
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

  async #page(search: AuditSearch, cancelled?: AbortSignal): Promise<AuditPage> {
    const position = search.cursor === undefined ? null : positionOf(search.cursor);
    const started = performance.now();
    const outOfTime = () => performance.now() - started > SEARCH_SHARE * this.#timeLimitMs;
    return await this.#within(async (signal) => {
      this.#reader ??= connectTable(this.options, READ_RETRIES);
      const batches = readRanges(await this.#reader, rangesOf(search, position, this.options.now()), search, signal);
      return await collectPage(search, batches, ({ id, time }) => `${time.slice(0, 10)}.${id}`, outOfTime);
    }, cancelled);
  }

  /** Runs `work` within the time limit. Throws AuditFailure, and the reason of `cancelled` if that aborts first. */
  async #within<Result>(work: (signal: AbortSignal) => Promise<Result>, cancelled?: AbortSignal): Promise<Result> {
    const timeout = AbortSignal.timeout(this.#timeLimitMs);
    const end = cancelled === undefined ? timeout : AbortSignal.any([cancelled, timeout]);
    try {
      // A request that ignores the signal is abandoned.
      return await unlessAborted(work(end), end);
    } catch (error) {
      cancelled?.throwIfAborted();
      throw tableFailure(timeout.aborted ? timeout.reason : error, this.options, this.#timeLimitMs);
    }
  }
}

/** Key ranges of the most selective index, or of the days. `to` is capped at the end of next year. */
function rangesOf(search: AuditSearch, position: Position | null, now: number): KeyRange[] {
  const { orderId, moduleId, event, from } = search;
  if (position !== null && (position.day < from || position.day > search.to)) throw foreignCursor(search.cursor ?? "");
  const lastDay = `${new Date(now).getUTCFullYear() + 1}-12-31`;
  const to = search.to < lastDay ? search.to : lastDay;
  const subject = orderId ?? moduleId;
  if (subject !== undefined) return indexRanges("subject", subject, from, to, position);
  if (event !== undefined) return indexRanges("name", event, from, to, position);
  return dayRanges(from, to, position);
}

/** The first page is just large enough if every row matches. After a non-matching row, pages have the maximum size. */
async function* readRanges(
  client: TableClient,
  ranges: readonly KeyRange[],
  { limit, moduleType, matches }: AuditSearch,
  abortSignal: AbortSignal,
): AsyncGenerator<AuditEvent[], void, undefined> {
  let maxPageSize = Math.min(limit + 1, MAX_PAGE_SIZE);
  for (const range of ranges) {
    const entities = client.listEntities({ queryOptions: { filter: filterOf(range, moduleType) }, abortSignal });
    let continuationToken: string | undefined;
    do {
      const { value: page } = await entities.byPage({ maxPageSize, continuationToken }).next();
      const events = (page ?? []).map(eventIn);
      yield events;
      continuationToken = page?.continuationToken;
      if (!events.every(matches)) maxPageSize = MAX_PAGE_SIZE;
    } while (continuationToken !== undefined);
  }
}

/** Values need no escaping, because they consist of characters without meaning in a filter (table-layout.ts). */
function filterOf(range: KeyRange, moduleType: string | undefined): string {
  const type = moduleType === undefined ? "" : ` and type eq '${keyPart(moduleType)}'`;
  if ("partition" in range) {
    return `PartitionKey eq '${range.partition}' and RowKey gt '${range.after}' and RowKey lt '${range.before}'${type}`;
  }
  return range.fromPartition === range.toPartition
    ? `PartitionKey eq '${range.fromPartition}'${type}`
    : `PartitionKey ge '${range.fromPartition}' and PartitionKey le '${range.toPartition}'${type}`;
}

function positionOf(cursor: string): Position {
  const [, day = "", id = ""] = /^(\d{4}-\d{2}-\d{2})\.([\d-]+)$/.exec(cursor) ?? [];
  if (Number.isNaN(Date.parse(day)) || !isAuditId(id)) throw foreignCursor(cursor);
  return { day, id };
}

/** Writes in order, so that a failure loses only the newest rows. */
async function writeRows(client: TableClient, rows: readonly TableRow[], abortSignal: AbortSignal): Promise<void> {
  let actions: TransactionAction[] = [];
  let length = 0;
  for (const [index, row] of rows.entries()) {
    actions.push(["upsert", row, "Replace"]);
    length += Object.values(row).reduce((sum, text) => sum + text.length, 0);
    const isFull = actions.length === MAX_TRANSACTION_ROWS || length >= MAX_TRANSACTION_LENGTH;
    if (!isFull && index < rows.length - 1) continue;
    await client.submitTransaction(actions, { abortSignal });
    [actions, length] = [[], 0];
  }
}
