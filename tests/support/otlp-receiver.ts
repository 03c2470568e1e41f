// A receiver of OTLP over HTTP for tests, on loopback: reads the protobuf messages of traces and metrics as far as tests look
// at them (opentelemetry-proto, trace.proto and metrics.proto).

import { gunzipSync } from "bun";
import { until } from "./until.ts";

export interface ReceivedSpan {
  readonly service: string;
  readonly traceId: string;
  readonly spanId: string;
  /** Empty at the root. */
  readonly parentId: string;
  readonly state: string;
  readonly name: string;
  /** 1 internal, 2 server, 3 client. */
  readonly kind: number;
  readonly attributes: Readonly<Record<string, unknown>>;
  /** 2: error. */
  readonly status: { readonly code: number };
  /** Nanoseconds since the epoch. */
  readonly start: bigint;
  readonly end: bigint;
}

interface ReceivedMetric {
  readonly service: string;
  readonly name: string;
  readonly type: "gauge" | "sum" | "histogram";
  /** Those of a histogram are not read. */
  readonly points: readonly { readonly attributes: Readonly<Record<string, unknown>>; readonly value: number }[];
}

/** The fields of a protobuf message, by number. */
type Fields = ReadonlyMap<number, readonly (bigint | Uint8Array)[]>;

const [VARINT, FIXED64, BYTES, FIXED32] = [0, 1, 2, 5];

export class OtlpReceiver implements Disposable {
  readonly spans: ReceivedSpan[] = [];
  readonly requests: { readonly headers: Headers }[] = [];
  /** The newest value of each metric, by service and name. */
  readonly metrics = new Map<string, ReceivedMetric>();
  /** What a request is answered with. */
  answer: () => Response | Promise<Response> = () =>
    new Response(null, { headers: { "Content-Type": "application/x-protobuf" } });
  readonly #server = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: (request) => this.#receive(request) });

  get url(): string {
    return `http://127.0.0.1:${this.#server.port}`;
  }

  /** The spans of a trace, once there are `count` of them. */
  async trace(traceId: string, count: number): Promise<ReceivedSpan[]> {
    const spans = () => this.spans.filter((span) => span.traceId === traceId);
    await until(() => spans().map(({ service, name }) => `${service} ${name}`), (all) => all.length >= count);
    return spans();
  }

  [Symbol.dispose](): void {
    void this.#server.stop(true);
  }

  async #receive(request: Request): Promise<Response> {
    const sent = new Uint8Array(await request.arrayBuffer());
    const { pathname: path } = new URL(request.url);
    const bytes = request.headers.get("Content-Encoding") === "gzip" ? gunzipSync(sent) : sent;
    this.requests.push({ headers: request.headers });
    if (path === "/v1/traces") this.spans.push(...spansOf(bytes));
    else if (path === "/v1/metrics") {
      for (const metric of metricsOf(bytes)) this.metrics.set(`${metric.service} ${metric.name}`, metric);
    }
    return await this.answer();
  }
}

function spansOf(bytes: Uint8Array): ReceivedSpan[] {
  return messages(fieldsOf(bytes), 1).flatMap((resourceSpans) => {
    const service = serviceOf(resourceSpans);
    return messages(resourceSpans, 2).flatMap((scope) => messages(scope, 2)).map((span) => spanOf(span, service));
  });
}

function spanOf(span: Fields, service: string): ReceivedSpan {
  const [status] = messages(span, 15);
  return {
    service,
    traceId: hex(span, 1),
    spanId: hex(span, 2),
    state: text(span, 3),
    parentId: hex(span, 4),
    name: text(span, 5),
    kind: number(span, 6),
    start: integer(span, 7),
    end: integer(span, 8),
    attributes: attributesOf(span, 9),
    status: { code: status === undefined ? 0 : number(status, 3) },
  };
}

function metricsOf(bytes: Uint8Array): ReceivedMetric[] {
  return messages(fieldsOf(bytes), 1).flatMap((resourceMetrics) => {
    const service = serviceOf(resourceMetrics);
    const metrics = messages(resourceMetrics, 2).flatMap((scope) => messages(scope, 2));
    return metrics.map((metric) => metricOf(metric, service));
  });
}

const TYPES = [[5, "gauge"], [7, "sum"], [9, "histogram"]] as const;

function metricOf(metric: Fields, service: string): ReceivedMetric {
  const found = TYPES.find(([field]) => metric.has(field));
  if (found === undefined) throw new Error(`the metric ${text(metric, 1)} has no data`);
  const [field, type] = found;
  const [data = new Map() as Fields] = messages(metric, field);
  const points = type === "histogram" ? [] : messages(data, 1).map((point) => ({
    attributes: attributesOf(point, 7),
    value: point.has(6) ? number(point, 6) : double(integer(point, 4)),
  }));
  return { service, name: text(metric, 1), type, points };
}

function serviceOf(resource: Fields): string {
  const [described = new Map() as Fields] = messages(resource, 1);
  return String(attributesOf(described, 1)["service.name"]);
}

function attributesOf(fields: Fields, field: number): Record<string, unknown> {
  return Object.fromEntries(messages(fields, field).map((pair) => [text(pair, 1), valueOf(messages(pair, 2)[0])]));
}

function valueOf(value: Fields | undefined): unknown {
  if (value === undefined) return undefined;
  if (value.has(1)) return text(value, 1);
  if (value.has(2)) return number(value, 2) === 1;
  return value.has(4) ? double(integer(value, 4)) : number(value, 3);
}

function messages(fields: Fields, field: number): Fields[] {
  return (fields.get(field) ?? []).map((value) => fieldsOf(value as Uint8Array));
}

function bytesOf(fields: Fields, field: number): Uint8Array {
  return (fields.get(field)?.at(-1) ?? new Uint8Array()) as Uint8Array;
}

function text(fields: Fields, field: number): string {
  return new TextDecoder().decode(bytesOf(fields, field));
}

function hex(fields: Fields, field: number): string {
  return bytesOf(fields, field).toHex();
}

function integer(fields: Fields, field: number): bigint {
  return (fields.get(field)?.at(-1) ?? 0n) as bigint;
}

function number(fields: Fields, field: number): number {
  return Number(integer(fields, field));
}

function double(bits: bigint): number {
  return new Float64Array(new BigUint64Array([bits]).buffer)[0] ?? NaN;
}

function fieldsOf(bytes: Uint8Array): Fields {
  const fields = new Map<number, (bigint | Uint8Array)[]>();
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let at = 0;
  const varint = () => {
    let value = 0n;
    for (let shift = 0n;; shift += 7n) {
      const byte = view.getUint8(at++);
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
  };
  const fixed = (size: number) => {
    const value = size === 8 ? view.getBigUint64(at, true) : BigInt(view.getUint32(at, true));
    at += size;
    return value;
  };
  const value = (type: number) => {
    if (type === VARINT) return varint();
    if (type === FIXED64 || type === FIXED32) return fixed(type === FIXED64 ? 8 : 4);
    if (type !== BYTES) throw new Error(`a field has the unknown wire type ${type}`);
    const length = Number(varint());
    at += length;
    return bytes.subarray(at - length, at);
  };
  while (at < bytes.length) {
    const tag = Number(varint());
    const values = fields.get(tag >> 3) ?? [];
    values.push(value(tag & 7));
    fields.set(tag >> 3, values);
  }
  return fields;
}
