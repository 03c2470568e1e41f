// The types of a pack: a file in the folder MKT_PLUGIN_DIR, whose default export is a PackFactory. Put this file beside yours:
// nothing needs to be installed. `mkt pack-types` prints it for the version that you run.
//
//   import type { Mkt } from "./mkt-pack.d.ts";
//   export default (mkt: Mkt) => mkt.definePack({ name: "hello", description: "...", tools: [mkt.defineTool({ ... })] });
//
// Prices are integer cents/MWh and may be negative, quantities MW, times ISO texts of market time unless a comment says
// otherwise.

/** The default export of a pack's file. It has 10 s. An error that it throws is shown as the reason why there is no pack. */
export type PackFactory = (mkt: Mkt) => Pack | Promise<Pack>;

/** What the factory is called with. */
export interface Mkt {
  /** Schemas of parameters, results and variables. */
  readonly z: Zod;
  definePack(pack: PackDeclaration): Pack;
  /** The types of the handler follow from the two schemas. */
  defineTool<Input, Output>(tool: ToolDeclaration<Input, Output>): Tool;
  /** The parameters that `read` gets follow from the URI. */
  defineResource<const Uri extends string>(resource: ResourceDeclaration<Uri>): Resource;
  /** What `messages` gets follows from the arguments. */
  definePrompt<const Arguments extends PromptArguments = Record<never, never>>(
    prompt: PromptDeclaration<Arguments>,
  ): Prompt;
  /** The parameters that the handler gets follow from the path. */
  defineRoute<const Path extends string>(route: RouteDeclaration<Path>): Route;
  /**
   * The values of the pack's own configuration variables, from the environment. Call it once, in the factory. A name has upper
   * case letters, digits and underscores and begins with a prefix of yours, such as ACME_; not with MKT_ or MCP_. Each schema
   * reads the text of its variable and has a description; `mkt packs` shows both. A variable that is not set needs a schema
   * with `default` or `optional`. Throws with all faults.
   */
  variables<Variables extends Shape>(variables: Variables): {
    readonly [Name in keyof Variables]: Variables[Name]["_output"];
  };
  /** Marks the schema of a variable: its value is shown nowhere, and replaced in the logs. */
  secret<Each extends Schema<unknown>>(schema: Each): Each;
  /**
   * The answer of a route with these events (text/event-stream). The next event is only asked for once the client reads on. A
   * source that waits should end when `context.signal` aborts.
   */
  eventStream(events: AsyncIterable<ServerSentEvent>): Response;
  readonly ToolError: ToolErrorConstructor;
  readonly RawResult: RawResultConstructor;
  /** The `output` of a tool that gives content (RawResult), such as an image. */
  readonly CONTENT: ObjectSchema<unknown, Record<string, unknown>>;
  readonly InputRequired: InputRequiredConstructor;
  /** The annotations of a tool that only reads a market that others use, too. */
  readonly READ_ONLY: ToolAnnotations;
  /** Filters over the properties of a module, as the tools take them. Throws ToolError `invalid_filter`. */
  compileFilters(
    type: ModuleType,
    filters: Readonly<Record<string, unknown>>,
    context: { readonly snapshot: Pick<Snapshot, "get" | "first">; readonly now: number },
  ): Pick<SnapshotQuery, "equals" | "where">;
}

/** At least one tool, resource, prompt or route. */
export interface PackDeclaration {
  /** Lower case letters, digits and dashes; what MKT_PACKS names. */
  readonly name: string;
  readonly description: string;
  readonly tools?: readonly Tool[];
  readonly resources?: readonly Resource[];
  readonly prompts?: readonly Prompt[];
  /** Over HTTP only. */
  readonly routes?: readonly Route[];
  /** Why the pack is not offered here, or null. */
  readonly unavailable?: () => string | null;
}

export interface Pack extends PackDeclaration {
  readonly tools: readonly Tool[];
  readonly resources: readonly Resource[];
  readonly prompts: readonly Prompt[];
  readonly routes: readonly Route[];
}

// Tools

export interface ToolDeclaration<Input, Output> {
  /** Lower case letters, digits and underscores; unique among all tools. */
  readonly name: string;
  readonly title: string;
  /** For the model: what the tool gives, with units. */
  readonly description: string;
  /** A `z.strictObject`: a call with another parameter is refused. Describe every parameter, with its unit and default. */
  readonly input: ObjectSchema<Input, unknown>;
  /** The JSON Schema that tools/list shows instead of the one that is made of `input`, which still decides what is valid. */
  readonly publishedInput?: Readonly<Record<string, unknown>>;
  /**
   * A `z.looseObject`. Declare every field, because some clients drop the others. In TypeScript the handler writes a value of an
   * enumeration with `as const`.
   */
  readonly output: ObjectSchema<unknown, Output>;
  /** In read-only mode and while frozen, only tools with `readOnlyHint` are called. */
  readonly annotations: ToolAnnotations;
  readonly requires?: Requirements;
  /**
   * Under MKT_CONFIRM=elicit: the question that a person must agree to before the handler runs. Null: this call changes
   * nothing.
   */
  readonly question?: (input: Input, context: Context) => string | null;
  /** Throws `mkt.ToolError`. Any other error is logged, and the caller gets the code `internal`. */
  readonly handler: (
    input: Input,
    context: Context,
  ) => NoInfer<Output> | RawResult | InputRequired | Promise<NoInfer<Output> | RawResult | InputRequired>;
  /**
   * The URI of a resource of this pack with a page in which chat hosts show the result (MCP Apps): `ui://acme/spread.html`, with
   * the mimeType `text/html;profile=mcp-app`.
   */
  readonly view?: string;
  /** The handler uses `context.client`: it asks the client for input, or logs to it. */
  readonly usesClient?: boolean;
  /** The result of a failed call. Absent: `{ error: { code, message, hint } }`. */
  readonly onFailure?: (error: ToolError, input: Record<string, unknown>, context: Context) => NoInfer<Output>;
}

export interface Tool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly annotations: ToolAnnotations;
}

/** All four must be true of the tool. */
export interface ToolAnnotations {
  /** Changes nothing in the market or the server. */
  readonly readOnlyHint: boolean;
  /** May cancel, remove or stop something. */
  readonly destructiveHint: boolean;
  /** A repeat with the same arguments has no further effect. */
  readonly idempotentHint: boolean;
  /** Reaches a market that others use, too. */
  readonly openWorldHint: boolean;
}

/** What is checked before a handler runs. */
export interface Requirements {
  /**
   * `session`: the process has connected to the market, so the acting user is known.
   * `read`: the same, for what comes from the connection. While a lost one is being restored, the result is marked `stale`.
   * `write`: the connection is up now.
   */
  readonly connection?: "session" | "read" | "write";
  /** Permissions that the acting user must hold. */
  readonly permissions?: readonly Permission[];
  /** What a user without the permission can do instead: one sentence, appended to the hint. */
  readonly withoutPermission?: string;
}

/** An error that the caller must know about. */
export interface ToolError extends Error {
  readonly code: ErrorCode;
  /** What to do next; a full sentence. */
  readonly hint: string;
}

export interface ToolErrorConstructor {
  new (code: ErrorCode, message: string, hint: string, options?: { readonly cause?: unknown }): ToolError;
}

/** A result with other content than one JSON value. */
export interface RawResult {
  readonly result: CallToolResult;
}

export interface RawResultConstructor {
  new (result: CallToolResult): RawResult;
}

/**
 * What a handler returns if it needs input of the client before it can give its result. The client repeats the same call with
 * its answers, and the handler runs again from its beginning: it first looks at `context.client.responses`, and does nothing
 * that it may not do twice before it has all of them.
 */
export interface InputRequired {
  readonly requests: InputRequests;
  readonly state: unknown;
}

export interface InputRequiredConstructor {
  /** `state`: what the handler wants to know again in the repeated call, as JSON. The client can read it, but not change it. */
  new (required: { readonly requests: InputRequests; readonly state?: unknown }): InputRequired;
}

/** Each under a name of the handler's choice; at least one. */
export type InputRequests = Record<string, InputRequest>;

/** A request of MCP to the client, with its params. */
export interface InputRequest {
  method: "elicitation/create" | "sampling/createMessage" | "roots/list";
  params?: Record<string, unknown>;
}

/** The result of a tool call in MCP. */
export interface CallToolResult {
  content: ContentBlock[];
  structuredContent?: unknown;
  isError?: boolean;
  [name: string]: unknown;
}

export type ContentBlock =
  | { type: "text"; text: string }
  /** `data` in base64. */
  | { type: "image" | "audio"; data: string; mimeType: string }
  | { type: "resource_link"; uri: string; name: string; title?: string; description?: string; mimeType?: string }
  /** `blob` in base64. */
  | {
    type: "resource";
    resource: { uri: string; mimeType?: string; text: string } | { uri: string; mimeType?: string; blob: string };
  };

// Resources

/** The names in `{...}` of a URI, or after `:` in a path, with their values, decoded. */
export type UriParameters<Uri extends string> = Uri extends `${string}{${infer Name}}${infer Rest}`
  ? { readonly [Each in Name]: string } & UriParameters<Rest>
  : unknown;

export interface ResourceDeclaration<Uri extends string> {
  /** Letters, digits, dots, dashes and underscores; unique among all resources. */
  readonly name: string;
  /**
   * `acme://zones`, or with parameters `acme://zones/{zone}`: each stands for one whole segment. The scheme is yours; `mkt://`
   * is for built-in packs.
   */
  readonly uri: Uri;
  readonly title: string;
  readonly description: string;
  /** `application/json` if absent. */
  readonly mimeType?: string;
  /** For clients that choose what to show. */
  readonly annotations?: ResourceAnnotations;
  /** `_meta` of the entry and of the content, for extensions of the protocol, such as `{ ui: { csp: {} } }` of a view. */
  readonly meta?: Readonly<Record<string, unknown>>;
  readonly requires?: Requirements;
  /** For how long a client may keep what it has read, in milliseconds. 0 if absent: it must ask again each time. */
  readonly cacheMs?: number;
  /** The completion of a parameter in the URI. One that is absent or null can't be completed. */
  readonly parameters?: { readonly [Name in keyof UriParameters<Uri>]?: Completion | null };
  /** For a URI with parameters: which resources are in resources/list. None if absent. */
  readonly list?: (context: Context) => readonly { readonly parameters: UriParameters<Uri>; readonly title: string }[];
  /**
   * Another value, by Object.is, whenever the content has changed, so clients can subscribe. It is called several times a
   * second, so it must be cheap: a module of the snapshot, of which a new state is a new object; `snapshot.revision`; the
   * sequence number of an event. Absent: nobody can subscribe.
   */
  readonly version?: (parameters: UriParameters<Uri>, context: Context) => unknown;
  /** An object is served as JSON, a string as text, bytes in base64. Throws `mkt.ToolError`; `not_found` if it isn't there. */
  readonly read: (parameters: UriParameters<Uri>, context: Context) => ResourceValue | Promise<ResourceValue>;
}

export type ResourceValue = Readonly<Record<string, unknown>> | string | Uint8Array;

/** For whom a resource is meant, and how important it is for them: from 0 to 1. */
export interface ResourceAnnotations {
  readonly audience: readonly ("user" | "assistant")[];
  readonly priority: number;
}

export interface Resource {
  readonly name: string;
  readonly uri: string;
  readonly title: string;
  readonly description: string;
}

/**
 * Gives the values that fit what was typed so far, best first; at most 100 are shown. `others` are the arguments that are
 * already known.
 */
export type Completion = (
  typed: string,
  context: Context,
  others: Readonly<Record<string, string>>,
) => readonly string[] | Promise<readonly string[]>;

// Prompts

export interface PromptArgument {
  readonly description: string;
  /** True if absent. */
  readonly required?: boolean;
  /** In characters; 200 if absent. A longer value is refused. */
  readonly maxLength?: number;
  readonly complete?: Completion;
}

export type PromptArguments = Readonly<Record<string, PromptArgument>>;

/** No value is empty or too long. Otherwise it may be any text. */
export type GivenArguments<Arguments extends PromptArguments> = {
  readonly [Name in keyof Arguments]: Arguments[Name] extends { readonly required: false } ? string | undefined
    : string;
};

export interface PromptDeclaration<Arguments extends PromptArguments> {
  /** Letters, digits, dashes and underscores; unique among all prompts. */
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly arguments?: Arguments & PromptArguments;
  readonly requires?: Requirements;
  /** The tools without which it can't work. The prompt is only offered if all of them are. */
  readonly uses?: readonly string[];
  /** Further tools that its messages name, each only if it is offered (`context.server.tools`). */
  readonly mayUse?: readonly string[];
  /** It uses `context.client`: it asks the client for input, or logs to it. */
  readonly usesClient?: boolean;
  /** A string is one message of the user. Throws `mkt.ToolError`. */
  readonly messages: (
    given: GivenArguments<Arguments>,
    context: Context,
  ) => PromptContent | Promise<PromptContent>;
}

export type PromptContent = string | readonly PromptMessage[] | InputRequired;

export interface PromptMessage {
  role: "user" | "assistant";
  content: ContentBlock;
}

export interface Prompt {
  readonly name: string;
  readonly title: string;
  readonly description: string;
}

// Routes

/** The names after `:` in a path, with their values, decoded; and `*`, the text that it stands for. */
export type PathParameters<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? { readonly [Each in Name]: string } & PathParameters<`/${Rest}`>
  : Path extends `${string}:${infer Name}` ? { readonly [Each in Name]: string }
  : Path extends `${string}*` ? { readonly "*": string }
  : unknown;

export type RouteDeclaration<Path extends string> = HandledRoute<Path> | PublicRoute;

export interface HandledRoute<Path extends string> {
  readonly method: "GET" | "POST" | "PUT" | "DELETE";
  /**
   * Absolute; `:name` stands for one segment, and `*` at the end for the rest. Not what mkt serves itself. Of several routes of
   * the pack that match, the most specific one answers.
   */
  readonly path: Path;
  readonly description: string;
  readonly requires?: Requirements;
  /**
   * Changes nothing in the market or the server; must be true for GET. Other routes answer 403 in read-only mode and while
   * frozen.
   */
  readonly readOnlyHint: boolean;
  /**
   * A `mkt.ToolError` is answered as JSON, with a fitting status. A body that is a stream is sent as it comes. Until its end
   * `context.signal` aborts when the client is gone or too slow, and when the process shuts down.
   */
  readonly handler: (request: RouteRequest<PathParameters<Path>>, context: Context) => Response | Promise<Response>;
  readonly publicFile?: never;
}

/** A file that is the same for everybody and is served without a token, such as a web page. */
export interface PublicRoute {
  readonly method: "GET";
  readonly path: string;
  readonly description: string;
  readonly publicFile: PublicFile;
}

export interface PublicFile {
  /** Sent compressed if that makes it shorter, and with an ETag. */
  readonly content: string | Uint8Array;
  /** Such as `text/html; charset=utf-8`. */
  readonly contentType: string;
  /** `no-store` if absent. */
  readonly cacheControl?: string;
  /** The scripts and styles of the page. If absent, only files of this server: `default-src 'self'`. */
  readonly contentSecurityPolicy?: string;
}

export interface RouteRequest<Parameters> {
  readonly url: URL;
  /** Without Authorization, Cookie and X-Mkt-Request. */
  readonly headers: Headers;
  /** The values of `:name`, decoded, so they may contain any character; and the rest for `*`, which never leaves its folder. */
  readonly parameters: Parameters;
  /** The body, at most MAX_BODY_SIZE bytes; empty without one. */
  bytes(): Uint8Array;
  /** The body as text. Throws ToolError `invalid_input` if it is not UTF-8. */
  text(): string;
  /** The body as JSON. Throws ToolError `invalid_input` if it is no JSON, or nested deeper than 32 levels. */
  json(): unknown;
}

export interface ServerSentEvent {
  /** `message` for the page if absent. */
  readonly event?: string;
  /** What the page gets back as the header Last-Event-ID when it connects again. */
  readonly id?: string;
  /** Sent as JSON. */
  readonly data: object;
}

export interface Route {
  readonly method: "GET" | "POST" | "PUT" | "DELETE";
  readonly path: string;
  readonly description: string;
}

// The context: what every handler gets

export interface Context {
  /** The market as it is now. It is filled once the process has connected. */
  readonly snapshot: Snapshot;
  /** What has happened since. */
  readonly events: Events;
  /** The market over HTTP; needs no connection. */
  readonly backend: Backend;
  /** The connection to the market. */
  readonly pubsub: PubSub;
  /** The audit trail; throws `not_configured` if there is none. */
  readonly audit: Audit;
  /** The simulator; throws `not_configured` if there is none. */
  readonly simulator: Simulator;
  /** Real time in milliseconds since the epoch. `pubsub.marketTime()` is that of the market. */
  readonly now: () => number;
  /** One JSON line on stderr. `{name}` in the message stands for a property. */
  readonly log: Log;
  /** The name of the client's token, `stdio`, or `shell`; null over HTTP without a token. */
  readonly caller?: string | null;
  /** The client that made the call; for tools and prompts with `usesClient`. */
  readonly client: Client;
  readonly server: ServerFacts;
  /** Aborts when the client cancels the call or disconnects. */
  readonly signal: AbortSignal;
  /** Reports progress to a client that asked for it; does nothing otherwise. `done` must rise. Never throws. */
  readonly progress: (progress: { done: number; total?: number; message?: string }) => Promise<void>;
  /**
   * Waits at most `seconds`, 30 at most, for the next matching event; the call then reads `events`. False: it did not wait,
   * because the server is too busy, ends, or has lost the connection. While it waits, the call does not count as running.
   * Throws if the client cancels the call.
   */
  readonly waitForEvent: (filter: EventFilter, seconds: number) => Promise<boolean>;
}

export interface ServerFacts {
  readonly name: string;
  readonly version: string;
  /** The names of the tools that are offered. */
  readonly tools: ReadonlySet<string>;
}

export interface Client {
  /** What the client can do, such as `elicitation`. Empty if it can't be asked anything. */
  readonly capabilities: Readonly<Record<string, unknown>>;
  /**
   * The answers of the client, by the names of the requests; empty in a first call. An answer may be missing or of another form.
   * A handler that must know that it has asked gives a `state`.
   */
  readonly responses: Readonly<Record<string, unknown>>;
  /** The `state` of the InputRequired that the client answers; undefined if there was none. */
  readonly state: unknown;
  /** Sends a log message to the client during the call, if the client wants messages of this level. Never throws. */
  log(
    level: "debug" | "info" | "notice" | "warning" | "error" | "critical" | "alert" | "emergency",
    data: unknown,
  ): Promise<void>;
}

export interface Log {
  debug(message: string, properties?: Record<string, unknown>): void;
  info(message: string, properties?: Record<string, unknown>): void;
  warn(message: string, properties?: Record<string, unknown>): void;
  error(message: string, properties?: Record<string, unknown>): void;
}

export type ModuleType = keyof Modules;

export interface Snapshot {
  get<Type extends ModuleType>(type: Type, id: string): Modules[Type] | undefined;
  /** ORDER, FILL and TRADE newest first, other types in the order first seen. */
  find<Type extends ModuleType>(type: Type, query: SnapshotQuery): ModulePage<Type>;
  /** The first module of a type, in the order they were first seen. */
  first<Type extends ModuleType>(type: Type): Modules[Type] | undefined;
  count(type: ModuleType): number;
  /** Another number after each change of a module of this type. It never comes again. */
  revision(type: ModuleType): number;
  /** The same for the modules with this value of a property. It may also change without them. */
  revisionOf<Type extends ModuleType>(type: Type, property: string & keyof Modules[Type], value: string): number;
  /** ISO market time at which the state is known to have held; null if empty. */
  readonly asOf: string | null;
}

export interface SnapshotQuery {
  /** Required values by property; undefined means any. */
  readonly equals?: Readonly<Record<string, unknown>>;
  /** A further condition on the modules that match `equals`. */
  readonly where?: (module: { id: string } & Record<string, unknown>) => boolean;
  /** `next` of the previous page. */
  readonly after?: ModulePosition | undefined;
  /** The maximum number of modules returned. */
  readonly limit: number;
}

export interface ModulePosition {
  readonly rank: number | null;
  readonly id: string;
}

export interface ModulePage<Type extends ModuleType> {
  /** All matches, returned or not. */
  readonly total: number;
  readonly modules: readonly Modules[Type][];
  /** Null if no more follow. */
  readonly next: ModulePosition | null;
}

export interface Events {
  read(query: EventQuery): EventPage;
  /** The newest sequence number; 0 before the first connect. */
  readonly latestSequence: number;
}

/** Which events: those that match every property given. */
export interface EventFilter {
  readonly category?: EventCategory | undefined;
  /** Such as `new.order`. An empty list is no filter. */
  readonly types?: readonly string[] | undefined;
  readonly productCode?: string | undefined;
  readonly contractId?: string | undefined;
  readonly entityId?: string | undefined;
  readonly orderId?: string | undefined;
}

export interface EventQuery extends EventFilter {
  /** Selects the oldest `limit` events after this sequence number; if absent, the newest `limit`. */
  readonly since?: number | undefined;
  readonly limit: number;
}

export interface EventPage {
  /** Ascending by sequence. */
  readonly events: readonly MarketEvent[];
  /** The answer is complete up to this sequence number. Continue with it as `since`. */
  readonly latestSequence: number;
  /** More matching events follow the last one returned; false without `since`. */
  readonly hasMore: boolean;
  /** Matching events after `since` that are lost; null if unknown. */
  readonly missed: number | null;
  readonly epoch: number | null;
}

export interface MarketEvent {
  readonly sequence: number;
  readonly category: EventCategory;
  readonly type: string;
  readonly time: string;
  readonly data: Readonly<Record<string, unknown>>;
  /** The book after a change.book; null for other events, and if it is unknown. */
  readonly book: Modules["ENGINE"] | null;
}

/** Each call throws ToolError `backend_unavailable`, `backend_error` or `forbidden`. */
export interface Backend {
  entities(signal?: AbortSignal): Promise<readonly Modules["ENTITY"][]>;
  users(signal?: AbortSignal): Promise<readonly Modules["USER"][]>;
  /** Null if the backend does not offer them. Throws `not_found`. */
  positions(entityId: string, signal?: AbortSignal): Promise<EntityPositions | null>;
  /** Why an order does not trade with orders that it crosses; null if the backend does not offer this. Throws `not_found`. */
  orderBlocks(orderId: string, signal?: AbortSignal): Promise<OrderBlocks | null>;
}

export interface PubSub {
  readonly status: "disconnected" | "connecting" | "connected" | "reconnecting";
  /** The acting user; null when disconnected. */
  readonly session: Session | null;
  /** Milliseconds of market time since the epoch. */
  marketTime(): number;
  /** Sends one request and waits for its confirmation, at most MKT_CONFIRM_TIMEOUT_MS. Never throws. */
  request<Name extends keyof Actions>(
    action: Name,
    payload: Actions[Name]["payload"],
    options?: RequestOptions,
  ): Promise<RequestOutcome<Actions[Name]["result"]>>;
}

export interface Session {
  readonly userId: string;
  readonly entityId: string | null;
  /** Permissions, and what another engine may name besides. */
  readonly capabilities: readonly string[];
  readonly engineId: string;
  readonly epoch: number;
}

export interface RequestOptions {
  /** A repeat with the same id gets the first answer and changes nothing. A new id if absent. */
  readonly operationId?: string;
}

export type RequestOutcome<Result> =
  | { readonly kind: "ok"; readonly operationId: string; readonly result: Result }
  /** `rejected`: the engine refused it, and nothing changed. `error`: the engine failed on it. */
  | {
    readonly kind: "rejected" | "error";
    readonly operationId: string;
    readonly code: string;
    readonly message: string;
  }
  /** Whether it took effect is unknown. It can't take effect after `validUntil`, an ISO time. */
  | { readonly kind: "timeout"; readonly operationId: string; readonly waitedMs: number; readonly validUntil: string }
  /** It was never sent. */
  | { readonly kind: "not_connected"; readonly operationId: string };

export interface Audit {
  /** The audit events of whole UTC days that the acting user may read, newest first. */
  query(query: AuditQuery): Promise<AuditPage>;
  /** The history of one order, newest first. */
  orderEvents(orderId: string, query: OrderEventsQuery): Promise<AuditPage>;
}

export interface Simulator {
  status(signal?: AbortSignal): Promise<SimulationStatus>;
  /** `hours` of history at each node, 0 to 168. */
  spot(hours: number, signal?: AbortSignal): Promise<SpotPrices>;
}

// Schemas: the usual parts of zod 4. The value that mkt gives has all of zod.

export interface Schema<Output, Input = unknown> {
  readonly _output: Output;
  readonly _input: Input;
  /** The text of the schema; write it last. */
  readonly description?: string | undefined;
  describe(text: string): this;
  optional(): Schema<Output | undefined, Input | undefined>;
  nullable(): Schema<Output | null, Input | null>;
  default(value: Output): Schema<Output, Input | undefined>;
  refine(test: (value: Output) => unknown, message?: string): this;
  transform<Next>(change: (value: Output) => Next): Schema<Next, Input>;
  /** `x-mcp-header` names the HTTP header in which clients repeat the argument. Write it last. */
  meta(notes: { readonly "x-mcp-header": string; readonly description?: string }): this;
  /** Throws if the value does not fit. */
  parse(value: unknown): Output;
  /** `data` is undefined if the value does not fit. */
  safeParse(value: unknown): { readonly data?: Output | undefined };
}

/** What a schema makes of a value that fits. */
export type Parsed<Each> = Each extends Schema<infer Output> ? Output : never;

export interface StringSchema extends Schema<string, string> {
  min(length: number): this;
  max(length: number): this;
  regex(pattern: RegExp, message?: string): this;
}

export interface NumberSchema<Input = number> extends Schema<number, Input> {
  min(least: number): this;
  max(most: number): this;
  positive(): this;
}

export interface ArraySchema<Output, Input> extends Schema<Output[], Input[]> {
  min(length: number): this;
  max(length: number): this;
}

export interface ObjectSchema<Output, Input> extends Schema<Output, Input> {
  readonly shape: object;
}

export type Shape = Readonly<Record<string, Schema<unknown>>>;

type Flat<Each> = { [Name in keyof Each]: Each[Name] };
type MayLack<Value> = unknown extends Value ? false : undefined extends Value ? true : false;

/** The object that a shape makes; a property that may be undefined may be absent. */
export type OutputOf<Each extends Shape> = Flat<
  & {
    -readonly [Name in keyof Each as MayLack<Each[Name]["_output"]> extends true ? never : Name]: Each[Name]["_output"];
  }
  & {
    -readonly [Name in keyof Each as MayLack<Each[Name]["_output"]> extends true ? Name : never]?:
      Each[Name]["_output"];
  }
>;

/** The object that a shape reads. */
export type InputOf<Each extends Shape> = Flat<
  & {
    -readonly [Name in keyof Each as MayLack<Each[Name]["_input"]> extends true ? never : Name]: Each[Name]["_input"];
  }
  & {
    -readonly [Name in keyof Each as MayLack<Each[Name]["_input"]> extends true ? Name : never]?: Each[Name]["_input"];
  }
>;

export interface Zod {
  string(): StringSchema;
  number(): NumberSchema;
  /** A whole number. */
  int(): NumberSchema;
  boolean(): Schema<boolean, boolean>;
  /** For variables: true, 1, yes and on, or false, 0, no and off. */
  stringbool(): Schema<boolean, string>;
  url(): StringSchema;
  literal<const Value extends string | number | boolean | null>(value: Value): Schema<Value, Value>;
  enum<const Name extends string>(names: readonly Name[]): Schema<Name, Name>;
  array<Output, Input>(element: Schema<Output, Input>): ArraySchema<Output, Input>;
  record<Output, Input>(
    key: StringSchema,
    value: Schema<Output, Input>,
  ): Schema<Record<string, Output>, Record<string, Input>>;
  union<Output, Input>(options: readonly Schema<Output, Input>[]): Schema<Output, Input>;
  unknown(): Schema<unknown, unknown>;
  null(): Schema<null, null>;
  /** Refuses other properties, by name. */
  strictObject<Each extends Shape>(shape: Each): ObjectSchema<OutputOf<Each>, InputOf<Each>>;
  /** Keeps other properties. */
  looseObject<Each extends Shape>(
    shape: Each,
  ): ObjectSchema<OutputOf<Each> & Record<string, unknown>, InputOf<Each> & Record<string, unknown>>;
  readonly iso: {
    /** ISO 8601, in UTC. */
    datetime(): StringSchema;
    date(): StringSchema;
  };
  /** For variables, whose values are texts. */
  readonly coerce: {
    number(): NumberSchema<unknown>;
    string(): Schema<string, unknown>;
  };
}

// The rest is written by scripts/pack-types.ts from the declarations of the protocol.

export type Permission =
  | "Market.View"
  | "Market.Operate"
  | "Order.Submit"
  | "Credit.View"
  | "Credit.Manage"
  | "Spot.Publish"
  | "Scope.Global";

export type EventCategory =
  | "order"
  | "fill"
  | "pricing"
  | "market"
  | "credit"
  | "system"
  | "other";

export type ErrorCode =
  | "not_connected"
  | "already_connected"
  | "forbidden"
  | "not_found"
  | "invalid_input"
  | "invalid_filter"
  | "not_configured"
  | "backend_unavailable"
  | "rejected"
  | "backend_error"
  | "timeout"
  | "read_only"
  | "limit_exceeded"
  | "rate_limited"
  | "frozen"
  | "shutting_down"
  | "internal";

/** The data of each type of module. */
export interface Modules {
  readonly MARKET: {
    /** Id of the module */
    readonly id: string;
    /** Name of the market */
    readonly name: string;
    /** Short code */
    readonly code: string;
    /** IANA time zone of the session schedule */
    readonly timezone: string;
    /** Price nodes at which its contracts deliver */
    readonly nodes: readonly string[];
    /** Session status; halted overrides the schedule */
    readonly status: "preopen" | "open" | "closed" | "halted";
    /** Whether an operator has halted it */
    readonly halted: boolean;
    /** Reason given with the halt */
    readonly haltReason: string | null;
    /** Start of preopen of the current or next session; null if it always trades */
    readonly preopen: string | null;
    /** Start of trading of the current or next session; null if it always trades */
    readonly open: string | null;
    /** End of the current or next session; null if it always trades */
    readonly close: string | null;
    /** Market time when this state was sent */
    readonly currentTime: string;
  };
  readonly PRODUCT: {
    /** Id of the module */
    readonly id: string;
    /** Market that lists it */
    readonly marketId: string;
    /** Name */
    readonly name: string;
    /** Product code */
    readonly code: string;
    /** Kind of delivery: hour, base, peak, weekend, week, month, quarter, year */
    readonly type: string;
    /** Price node of delivery */
    readonly node: string;
    /** ISO 4217 code */
    readonly currency: string;
    /** Lot, tick and price range of its contracts */
    readonly contractSpecification: {
      /** MW */
      readonly lot: number;
      /** cents/MWh */
      readonly tick: number;
      /** cents/MWh */
      readonly minimumPrice: number;
      /** cents/MWh */
      readonly maximumPrice: number;
    };
  };
  readonly CONTRACT: {
    /** Id of the module */
    readonly id: string;
    /** Product it belongs to */
    readonly productId: string;
    /** Code of that product */
    readonly productCode: string;
    /** Market that lists it */
    readonly marketId: string;
    /** Engine that matches it */
    readonly engineId: string;
    /** Name */
    readonly name: string;
    /** Contract code */
    readonly code: string;
    /** Price node of delivery */
    readonly node: string;
    /** Start of delivery */
    readonly deliveryStart: string;
    /** End of delivery */
    readonly deliveryEnd: string;
    /** Hours of delivery between start and end, hours */
    readonly hours: number;
    /** Quantities are multiples of it, MW */
    readonly lot: number;
    /** Prices are multiples of it, cents/MWh */
    readonly tick: number;
    /** Lowest price an order may have, cents/MWh */
    readonly minimumPrice: number;
    /** Highest price an order may have, cents/MWh */
    readonly maximumPrice: number;
    /** expired once delivery has started */
    readonly status: "listed" | "expired";
  };
  readonly ENGINE: {
    /** Id of the module */
    readonly id: string;
    /** Contract it matches */
    readonly contractId: string;
    /** Code of the contract's product */
    readonly productCode: string;
    /** Market it belongs to */
    readonly marketId: string;
    /** Ten best bid levels, best first */
    readonly bids: readonly {
      /** cents/MWh */
      readonly price: number;
      /** Open quantity at this price, MW */
      readonly volume: number;
      /** Orders at this price */
      readonly orderCount: number;
    }[];
    /** Ten best ask levels, best first */
    readonly asks: readonly {
      /** cents/MWh */
      readonly price: number;
      /** Open quantity at this price, MW */
      readonly volume: number;
      /** Orders at this price */
      readonly orderCount: number;
    }[];
    /** Best bid price, cents/MWh */
    readonly bestBid: number | null;
    /** Best ask price, cents/MWh */
    readonly bestAsk: number | null;
    /** Price of the last trade, cents/MWh */
    readonly lastPrice: number | null;
    /** Orders in the book: working and partial */
    readonly totalWorkingOrders: number;
    /** Orders waiting for release */
    readonly heldOrders: number;
    /** Traded since the market began, MW */
    readonly tradedQuantity: number;
    /** When the book last changed */
    readonly lastUpdate: string;
  };
  readonly QUEUE: {
    /** Id of the module */
    readonly id: string;
    /** Engine whose held orders wait here */
    readonly engineId: string;
    /** Contract of that engine */
    readonly contractId: string;
    /** Number of held orders */
    readonly length: number;
    /** The first hundred held orders, in the order in which they will be released */
    readonly orderIds: readonly string[];
    /** When the queue last changed */
    readonly lastUpdate: string;
  };
  readonly ORDER: {
    /** Id of the module */
    readonly id: string;
    /** The submitter's own id; the operationId if none was given */
    readonly clientOrderId: string;
    /** Engine that holds it */
    readonly engineId: string;
    /** Contract it is for */
    readonly contractId: string;
    /** Code of the contract's product */
    readonly productCode: string;
    /** Market it is in */
    readonly marketId: string;
    /** Entity it belongs to */
    readonly entityId: string;
    /** User who submitted it */
    readonly userId: string;
    /** 0 buy, 1 sell */
    readonly side: 0 | 1;
    /** day expires at the close; gtc stays until cancelled */
    readonly timeInForce: "day" | "gtc";
    /** When the engine accepted it */
    readonly createdAt: string;
    /** Limit price, cents/MWh */
    readonly price: number;
    /** Ordered quantity, MW */
    readonly quantity: number;
    /** Filled so far, MW */
    readonly filledQuantity: number;
    /** Still open; 0 once filled or cancelled, MW */
    readonly remainingQuantity: number;
    /** Volume-weighted fill price, cents/MWh */
    readonly averagePrice: number | null;
    /** Order status */
    readonly status: "working" | "partial" | "filled" | "cancelled" | "held";
    /** Why it is filled or cancelled; null while it is open */
    readonly closeReason: "filled" | "cancelled" | "expired" | "flushed" | "disconnected" | "limit_exceeded" | null;
    /** When it last changed */
    readonly updatedAt: string;
  };
  readonly FILL: {
    /** Id of the module */
    readonly id: string;
    /** Order that was filled */
    readonly orderId: string;
    /** Trade it is one side of */
    readonly tradeId: string;
    /** Engine that matched it */
    readonly engineId: string;
    /** Contract traded */
    readonly contractId: string;
    /** Code of the contract's product */
    readonly productCode: string;
    /** Market it is in */
    readonly marketId: string;
    /** Entity that was filled */
    readonly entityId: string;
    /** User of the order */
    readonly userId: string;
    /** Entity on the other side */
    readonly counterpartyId: string;
    /** 0 bought, 1 sold */
    readonly side: 0 | 1;
    /** Trade price, cents/MWh */
    readonly price: number;
    /** Filled quantity, MW */
    readonly quantity: number;
    /** |price| x MWh, dollars */
    readonly notional: number;
    /** Whether the order rested in the book or crossed it */
    readonly liquidity: "resting" | "aggressor";
    /** When it was matched */
    readonly time: string;
  };
  readonly TRADE: {
    /** Id of the module */
    readonly id: string;
    /** Engine that matched it */
    readonly engineId: string;
    /** Contract traded */
    readonly contractId: string;
    /** Code of the contract's product */
    readonly productCode: string;
    /** Market it is in */
    readonly marketId: string;
    /** Buy order */
    readonly buyOrderId: string;
    /** Sell order */
    readonly sellOrderId: string;
    /** Buying entity */
    readonly buyEntityId: string;
    /** Selling entity */
    readonly sellEntityId: string;
    /** Side of the order that crossed the book */
    readonly aggressorSide: 0 | 1;
    /** Trade price, that of the resting order, cents/MWh */
    readonly price: number;
    /** Traded quantity, MW */
    readonly quantity: number;
    /** quantity x hours of delivery, MWh */
    readonly energy: number;
    /** |price| x energy, dollars */
    readonly notional: number;
    /** When it was matched */
    readonly time: string;
  };
  readonly ENTITY: {
    /** Id of the module */
    readonly id: string;
    /** Name of the trading entity */
    readonly name: string;
    /** Short code */
    readonly code: string;
    /** Users of the entity */
    readonly userIds: readonly string[];
    /** ok: its limits leave a lot of a listed contract for some counterparty; exhausted: limits, but none does; none: no limit */
    readonly creditStatus: "ok" | "exhausted" | "none";
  };
  readonly USER: {
    /** Id of the module */
    readonly id: string;
    /** Name */
    readonly name: string;
    /** Entity the user trades for; null for a user who may not trade */
    readonly entityId: string | null;
    /** Permissions held */
    readonly permissions: readonly string[];
    /** Whether a connection of the user is open */
    readonly connected: boolean;
  };
  readonly CREDIT: {
    /** Id of the module */
    readonly id: string;
    /** Entity that grants the credit */
    readonly entityId: string;
    /** Entity it is granted to */
    readonly counterpartyId: string;
    /** Limits, with used and available credit */
    readonly limits: readonly ({
      /** What is limited */
      readonly limitType: "notional" | "mw" | "mwh";
      /** All open trades, or those of one contract */
      readonly scope: "total" | "per_contract";
      /** The contract, if scope is per_contract */
      readonly contractId: string | null;
      /** Dollars for notional, MW for mw, MWh for mwh */
      readonly limit: number;
      /** Percent of face value that counts as used, for notional limits */
      readonly marginPercent: number;
      /** Used by open trades, in the unit of limit */
      readonly used: number;
      /** limit - used; negative if the limit was lowered below used */
      readonly available: number;
    })[];
    /** Gross notional of open trades at face value, dollars */
    readonly usedNotional: number;
    /** Gross quantity of open trades, MW */
    readonly usedMw: number;
    /** Gross energy of open trades, MWh */
    readonly usedMwh: number;
    /** Status that the entity has set for the counterparty */
    readonly documentation: "docs_in_place" | "no_docs" | "pending";
    /** Status that the counterparty has set in return */
    readonly counterpartyDocumentation: "docs_in_place" | "no_docs" | "pending";
    /** Whether documents and limits of both let the two trade at least one lot of a listed contract */
    readonly tradable: boolean;
    /** Notes given with the documentation status */
    readonly notes: string | null;
    /** When it last changed */
    readonly updatedAt: string;
  };
}

/** What each action of a request takes and gives. */
export interface Actions {
  readonly "order.submit": {
    readonly payload: {
      readonly contractId: string;
      /** 0 buy, 1 sell */
      readonly side: 0 | 1;
      /** cents/MWh */
      readonly price: number;
      /** MW, a multiple of the contract's lot */
      readonly quantity: number;
      readonly timeInForce?: "day" | "gtc";
      /** The operationId if absent */
      readonly clientOrderId?: string;
      readonly bounds?: {
        /** MW ordered */
        readonly maxQuantity?: number;
        /** Dollars: the order's trades at their prices plus its remaining quantity at its limit price; kept with the order */
        readonly maxNotional?: number;
        /** Open orders of the order's user */
        readonly maxOpenOrders?: number;
        /** Dollars: open orders of the order's user, at their limit prices */
        readonly maxOpenNotional?: number;
        /** MW: net position of the order's user in the contract if all open orders of the order's side were filled */
        readonly maxNetPosition?: number;
      };
    };
    readonly result: {
      readonly order: Modules["ORDER"];
    };
  };
  readonly "order.modify": {
    readonly payload: {
      readonly orderId: string;
      readonly price?: number;
      readonly quantity?: number;
      readonly bounds?: {
        /** MW ordered */
        readonly maxQuantity?: number;
        /** Dollars: the order's trades at their prices plus its remaining quantity at its limit price; kept with the order */
        readonly maxNotional?: number;
        /** Open orders of the order's user */
        readonly maxOpenOrders?: number;
        /** Dollars: open orders of the order's user, at their limit prices */
        readonly maxOpenNotional?: number;
        /** MW: net position of the order's user in the contract if all open orders of the order's side were filled */
        readonly maxNetPosition?: number;
      };
    };
    readonly result: {
      readonly order: Modules["ORDER"];
    };
  };
  readonly "order.cancel": {
    readonly payload: {
      readonly orderId: string;
    };
    readonly result: {
      readonly order: Modules["ORDER"];
    };
  };
  readonly "market.halt": {
    readonly payload: {
      /** The first market if absent */
      readonly marketId?: string;
      readonly reason?: string;
    };
    readonly result: {
      readonly marketId: string;
      readonly marketStatus: "preopen" | "open" | "closed" | "halted";
    };
  };
  readonly "market.resume": {
    readonly payload: {
      /** The first market if absent */
      readonly marketId?: string;
      readonly reason?: string;
    };
    readonly result: {
      readonly marketId: string;
      readonly marketStatus: "preopen" | "open" | "closed" | "halted";
    };
  };
  readonly "credit.setLimit": {
    readonly payload: {
      /** Entity that grants the credit; must be the user's own */
      readonly entityId: string;
      readonly counterpartyId: string;
      readonly limitType: "notional" | "mw" | "mwh";
      readonly scope: "total" | "per_contract";
      /** Required if scope is per_contract */
      readonly contractId?: string;
      /** Dollars, MW or MWh, depending on limitType */
      readonly limit: number;
      /** 0 to 100 */
      readonly marginPercent?: number;
    };
    readonly result: {
      readonly credit: Modules["CREDIT"];
    };
  };
  readonly "credit.setDocumentation": {
    readonly payload: {
      readonly entityId: string;
      readonly counterpartyId: string;
      readonly status: "docs_in_place" | "no_docs" | "pending";
      readonly notes?: string;
    };
    readonly result: {
      readonly credit: Modules["CREDIT"];
    };
  };
  readonly "engine.flush": {
    readonly payload: {
      readonly engineId: string;
      /** Count only, cancel nothing */
      readonly preview?: boolean;
    };
    readonly result: {
      readonly engineId: string;
      readonly contractId: string;
      readonly ordersAffected: number;
    };
  };
  readonly "market.flush": {
    readonly payload: {
      /** Count only, cancel nothing */
      readonly preview?: boolean;
    };
    readonly result: {
      readonly ordersAffected: number;
    };
  };
  readonly "dev.reset": {
    readonly payload: {
      /** The engine's own STRESS_TEST_SECRET */
      readonly secret: string;
      /** Dollars, notional, for every ordered pair of entities */
      readonly creditLimit: number;
      readonly skipCredit?: boolean;
      readonly skipDocs?: boolean;
    };
    readonly result: {
      /** entities, pairs, creditUpdates, docsUpdates */
      readonly summary: {
        readonly entities: number;
        /** Ordered pairs of entities */
        readonly pairs: number;
        readonly creditUpdates: number;
        readonly docsUpdates: number;
      };
      readonly errors: readonly string[];
    };
  };
  readonly "clock.set": {
    readonly payload: {
      /** Speed of market time relative to real time, 0.1 to 1000 */
      readonly speed: number;
    };
    readonly result: {
      readonly clock: {
        /** real: market time is real time; fast: it passes `speed` times as fast; lockstep: it stands still between two clock.advance */
        readonly mode: "real" | "fast" | "lockstep";
        /** Speed of market time relative to real time; 0 in lockstep */
        readonly speed: number;
      };
      /** Market time after the command */
      readonly marketTime: string;
    };
  };
  readonly "clock.advance": {
    readonly payload: {
      /** Market time to move to, at most 31 days ahead */
      readonly to: string;
    };
    readonly result: {
      readonly clock: {
        /** real: market time is real time; fast: it passes `speed` times as fast; lockstep: it stands still between two clock.advance */
        readonly mode: "real" | "fast" | "lockstep";
        /** Speed of market time relative to real time; 0 in lockstep */
        readonly speed: number;
      };
      /** Market time after the command */
      readonly marketTime: string;
    };
  };
  readonly "spot.publish": {
    readonly payload: {
      /** 1 to 1000 of node, price, regime, time */
      readonly prices: ({
        readonly node: string;
        /** cents/MWh */
        readonly price: number;
        readonly regime: "base" | "spike" | "drop";
        /** Market time of the price */
        readonly time: string;
      })[];
    };
    readonly result: {
      readonly published: number;
    };
  };
}

export interface EntityPositions {
  readonly entityId: string;
  readonly asOf: string;
  /** Contracts of the market that the entity traded, earliest delivery first */
  readonly positions: readonly ({
    readonly contractId: string;
    readonly node?: string;
    readonly deliveryStart: string;
    readonly deliveryEnd: string;
    /** IANA name: of the contract's market */
    readonly timezone?: string;
    /** MW */
    readonly netQuantity: number;
    /** MWh */
    readonly netEnergy: number;
    /** MW */
    readonly boughtQuantity: number;
    /** MW */
    readonly soldQuantity: number;
    /** cents/MWh */
    readonly averagePrice: number | null;
    /** dollars */
    readonly cash: number;
    /** cents/MWh */
    readonly mark: number;
    readonly markSource: "book" | "trade" | "spot";
    /** dollars */
    readonly realisedProfit: number;
    /** dollars */
    readonly unrealisedProfit: number;
    /** dollars */
    readonly profit: number;
    /** dollars */
    readonly creditUsed: number | null;
  })[];
  readonly totals: {
    /** MW */
    readonly netQuantity: number | null;
    /** MWh */
    readonly netEnergy: number;
    /** dollars */
    readonly cash: number;
    /** dollars */
    readonly realisedProfit: number;
    /** dollars */
    readonly unrealisedProfit: number;
    /** dollars */
    readonly profit: number;
    /** dollars */
    readonly creditUsed: number | null;
    readonly settled: {
      readonly contracts: number;
      /** dollars */
      readonly profit: number;
    };
  };
}

export interface OrderBlocks {
  readonly orderId: string;
  readonly contractId: string;
  readonly marketStatus: "preopen" | "open" | "closed" | "halted";
  /** Market status first, then by the best price of each counterparty */
  readonly blockedBy: readonly ({
    /** Owner of the crossed orders; null for a market status, or if not visible */
    readonly counterpartyId: string | null;
    /** Another engine may have more reasons */
    readonly reason: string;
    /** MW of the crossed orders that this reason keeps from trading */
    readonly quantity: number;
    readonly contractId: string;
    /** Best price of these orders, cents/MWh */
    readonly price: number;
    /** Status that keeps the two from trading */
    readonly documentation?: "docs_in_place" | "no_docs" | "pending";
    readonly limitType?: "notional" | "mw" | "mwh";
    readonly scope?: "total" | "per_contract";
    /** In unit, as used, available and needed */
    readonly limit?: number;
    readonly used?: number;
    readonly available?: number;
    /** What a trade of one lot would use of the limit */
    readonly needed?: number;
    /** dollars, MW or MWh */
    readonly unit?: string;
  })[];
  /** Counterparties that blockedBy leaves out */
  readonly moreCounterparties: number;
  /** False if the order may cross more orders than were examined */
  readonly complete: boolean;
}

export interface AuditEvent {
  /** Grows with time; unique in the store */
  readonly id: string;
  readonly time: string;
  /** For example orderQueued, orderCancelled, marketHalted */
  readonly event: string;
  readonly moduleType: string;
  readonly moduleId: string;
  /** User who caused it; null for the schedule */
  readonly userId: string | null;
  readonly entityId: string | null;
  /** Order it is about, if any; refused:USERID:CLIENTORDERID for a refused order */
  readonly orderId: string | null;
  readonly details: Readonly<Record<string, unknown>>;
}

export interface AuditPage {
  /** Newest first */
  readonly events: readonly AuditEvent[];
  readonly hasMore: boolean;
  /** Gets the next page; null at the end */
  readonly cursor: string | null;
  readonly range: {
    readonly from: string;
    readonly to: string;
  };
}

export interface AuditQuery {
  readonly moduleType?: string;
  readonly moduleId?: string;
  readonly event?: string;
  /** Text in the details and ids, ignoring case */
  readonly search?: string;
  /** First UTC day */
  readonly from: string;
  /** Last UTC day, included */
  readonly to: string;
  readonly limit: number;
  readonly cursor?: string;
}

export interface OrderEventsQuery {
  /** One UTC day; if absent the last seven, today included */
  readonly date?: string;
  readonly limit: number;
  readonly cursor?: string;
}

export interface SimulationStatus {
  /** State of the simulation */
  readonly status: "stopped" | "starting" | "running" | "stopping";
  /** Preset of the run; null before the first */
  readonly preset: string | null;
  /** Seed of the run; null before the first, and without Market.Operate: it tells the future of the run */
  readonly seed: number | null;
  /** Speed of market time relative to real time; after a run, as it was in the run; 0 in lockstep */
  readonly speed: number | null;
  /** Market time */
  readonly marketTime?: string | null;
  /** Market time at which the run began; null before the first */
  readonly startedAt: string | null;
  /** Market time of the run, or at its end; null before the first */
  readonly simulatedTime: string | null;
  /** Why the run failed or ended by itself; null if it did not */
  readonly failure: string | null;
  /** Why no persona can trade while the simulation runs: no contract is listed, or no market is open; null if they can */
  readonly nothingToTrade?: string | null;
  /** Personas of the run; after its end, as they were at the end */
  readonly personas: readonly ({
    /** Persona id, unique in the run */
    readonly id: string;
    /** How it trades */
    readonly strategy: string;
    /** User it acts as */
    readonly userId: string;
    /** Entity it trades for */
    readonly entityId: string;
    /** paused: the market takes no orders, for example because it is halted */
    readonly state: "connecting" | "trading" | "paused" | "disconnected";
    /** Why its strategy, from a file, was stopped; absent if it was not */
    readonly fault?: string;
    /** Whether it has its connection to the engine now */
    readonly connected: boolean;
    /** Its open orders */
    readonly workingOrders: number;
    /** Orders that the engine accepted in this run */
    readonly orders: number;
    /** Order changes that the engine accepted in this run */
    readonly changes: number;
    /** Orders it cancelled in this run */
    readonly cancels: number;
    /** Orders, changes and cancels that the engine refused in this run */
    readonly rejected: number;
    /** Its fills in this run */
    readonly trades: number;
    /** Quantity bought and sold in this run, MW */
    readonly volumeMw: number;
    /** Bought less sold over all contracts, MW */
    readonly netPositionMw: number;
    /** Contracts in which its position is not 0 */
    readonly positions: readonly {
      /** Contract */
      readonly contractId: string;
      /** Bought less sold, MW */
      readonly netPositionMw: number;
    }[];
    /** Received for what it sold less paid for what it bought, dollars */
    readonly cash: number;
    /** Cash plus the value of its positions, dollars; `marks` of the simulation says what values them */
    readonly profitAndLoss: number;
    /** The same as profitAndLoss, dollars; of all personas it sums to 0 */
    readonly tradingResult?: number;
    /** Earned by its generating unit or its customers' load at spot prices, dollars; null if it has neither */
    readonly physicalResult?: number | null;
    /** Distance of its fills from the limit prices of its assignments, dollars; null without assignments */
    readonly surplus?: number | null;
    /** Loss that stops it, dollars; null: none */
    readonly lossLimit?: number | null;
    /** Until when losses stop it; null if they do not */
    readonly stoppedUntil?: string | null;
    /** How often losses have stopped it in this run */
    readonly stoppedForLosses?: number;
  })[];
  /** Sums of the run */
  readonly totals: {
    /** Personas of the run */
    readonly personas: number;
    /** Personas that are connected now */
    readonly connected: number;
    /** Open orders of all personas */
    readonly workingOrders: number;
    /** Orders that the engine accepted */
    readonly orders: number;
    /** Orders they cancelled */
    readonly cancels: number;
    /** Orders, changes and cancels that the engine refused */
    readonly rejected: number;
    /** Trades of at least one persona */
    readonly trades: number;
    /** Quantity of these trades, MW */
    readonly volumeMw: number;
    /** Sum of the personas' physical results, dollars; null if nobody has a unit or a load */
    readonly physicalResult?: number | null;
    /** Sum of the personas' surpluses, dollars; null if nobody trades by assignments */
    readonly surplus?: number | null;
    /** How often losses have stopped a persona */
    readonly stoppedForLosses?: number;
  };
  /** Quality of the market */
  readonly metrics: {
    /** Root mean square distance of trade prices from fair value, percent of fair value; null without trades */
    readonly smithsAlpha: number | null;
    /** Realised surplus, percent of the greatest possible; null if limit prices are unknown */
    readonly allocativeEfficiency: number | null;
    /** Share of book samples with both bids and asks, percent; null without samples */
    readonly twoSidedBooks: number | null;
    /** Mean spread of books with both sides, percent of fair value */
    readonly meanSpread: number | null;
  };
  /** For each metric and total that is null, why */
  readonly reasons?: Readonly<Record<string, string>>;
  /** Looks at the books of open contracts, one each every five simulated minutes, on which the metrics of books rest */
  readonly bookSamples?: {
    /** Number of looks */
    readonly count: number;
    /** Simulated time of the last look; null if there was none */
    readonly until: string | null;
  };
  /** Number of contracts with a position, by what profit and loss values them */
  readonly marks?: {
    /** By the middle of the book */
    readonly book: number;
    /** By the last trade, because the book has no two sides */
    readonly lastTrade: number;
    /** By the forecast, because there is no trade either */
    readonly forecast: number;
    /** By spot prices of the past and expected ones, because delivery has begun */
    readonly delivery: number;
  };
}

export interface SpotPrices {
  /** State of the simulation; prices move only while it runs */
  readonly status: "stopped" | "starting" | "running" | "stopping";
  /** The two price nodes */
  readonly nodes: readonly ({
    /** Price node */
    readonly node: string;
    /** Spot price, cents/MWh; may be negative */
    readonly price: number;
    /** Regime of the price */
    readonly regime: "base" | "spike" | "drop";
    /** Market time of the price */
    readonly time: string;
    /** Hourly, oldest first */
    readonly history: readonly ({
      /** Market time of the price */
      readonly time: string;
      /** Spot price, cents/MWh; may be negative */
      readonly price: number;
      /** Regime in that hour */
      readonly regime: "base" | "spike" | "drop";
    })[];
  })[];
  /** Whether the line between the nodes is full, so their prices differ */
  readonly congested: boolean;
  /** Market events that affect prices now */
  readonly events: readonly ({
    /** Event id, unique in the run */
    readonly id: string;
    /** What happened */
    readonly type: string;
    /** Price node it affects; null for both */
    readonly node: string | null;
    /** Strength; 1 is a typical event of its type */
    readonly size: number;
    /** Market time at which it began */
    readonly startedAt: string;
    /** Market time at which it ends */
    readonly endsAt: string;
    /** Remaining share of its effect, which decays */
    readonly remaining: number;
  })[];
}
