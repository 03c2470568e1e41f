// Finds contracts, entities, orders and users by an id, a name or a part of one, and commands by their words. The arrow keys
// choose, Enter opens. What is shown may be the answer to fewer letters: then Enter waits for the answer to all of them, and
// opens its first result. Opened as the palette, it lists commands first, and Enter does not wait for one.

import { signal, useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect, useId, useRef } from "preact/hooks";
import { Icon } from "../../components/icon.tsx";
import type { ErrorReport } from "../../contract/calls.ts";
import type { SearchAnswer, SearchResult } from "../../contract/search.ts";
import { RequestError, send } from "../live/server.ts";
import { type Command, commandsMatching } from "../palette/commands.ts";
import { addressOf, groupsOf, KIND_TITLES, stepFrom } from "./search-results.ts";
import "./search.css";

/** After the last letter. */
const WAIT_MS = 150;
const INPUT_ID = "search";
/** Commands beside the results of a search, and in the palette before anything is typed. */
const FEW_COMMANDS = 5;
const MANY_COMMANDS = 60;

/** Whether the search was opened as the palette. */
const isPalette = signal(false);

type Found =
  | { readonly kind: "nothing asked" }
  | { readonly kind: "asking" }
  /** `text`: what was asked. */
  | { readonly kind: "answer"; readonly text: string; readonly answer: SearchAnswer }
  | { readonly kind: "failed"; readonly report: ErrorReport };

export function Search() {
  const text = useSignal("");
  const isOpen = useSignal(false);
  const found = useFound(text.value);
  const groups = found.kind === "answer" ? groupsOf(found.answer.results) : [];
  const results = groups.flatMap(({ results }) => results);
  const commands = commandsFor(text.value);
  const items = isPalette.value ? [...commands, ...results] : [...results, ...commands];
  const place = useSignal(-1);
  const opensNext = useSignal(false);
  const listId = useId();
  useEffect(() => {
    place.value = items.length > 0 ? 0 : -1;
    if (opensNext.value && isOpen.value) openChosen();
  }, [found]);
  useEffect(() => {
    if (isPalette.value) place.value = commands.length > 0 ? 0 : -1;
  }, [text.value, isPalette.value]);
  const isShown = isOpen.value && (found.kind !== "nothing asked" || commands.length > 0);
  const close = () => {
    text.value = "";
    isOpen.value = false;
    isPalette.value = false;
  };
  const open = (item: Item | undefined) => {
    if (item === undefined) return;
    if ("run" in item) {
      close();
      document.getElementById(INPUT_ID)?.blur();
      return item.run();
    }
    const target = addressOf(item);
    if (target === null) return;
    location.hash = target;
    close();
  };
  const openChosen = () => {
    const chosen = items[place.value];
    const isCurrent = found.kind === "answer" && found.text === text.value.trim() ||
      isPalette.value && chosen !== undefined && "run" in chosen;
    opensNext.value = !isCurrent;
    if (isCurrent) open(chosen);
  };
  const onKey = (event: KeyboardEvent) => {
    if (event.key === "ArrowDown") place.value = stepFrom(place.value, 1, items.length);
    else if (event.key === "ArrowUp") place.value = stepFrom(place.value, -1, items.length);
    else if (event.key === "Enter") openChosen();
    else if (event.key === "Escape") leave();
    else return;
    event.preventDefault();
  };
  const leave = () => {
    if (text.value === "") document.getElementById(INPUT_ID)?.blur();
    close();
  };
  const option = (item: Item, key: string, content: ComponentChildren) => {
    const index = items.indexOf(item);
    return (
      <Option
        key={key}
        id={`${listId}-${index}`}
        isChosen={index === place.value}
        isUnavailable={!("run" in item) && addressOf(item) === null}
        open={() => open(item)}
      >
        {content}
      </Option>
    );
  };
  const commandGroup = commands.length > 0 && (
    <Group title="Commands">{commands.map((command) => option(command, command.title, commandWords(command)))}</Group>
  );
  return (
    <div
      class="search"
      role="search"
      onFocusOut={(event) => {
        isOpen.value = staysIn(event);
        if (!isOpen.value) isPalette.value = false;
      }}
    >
      <Icon name="search" />
      <input
        id={INPUT_ID}
        type="text"
        role="combobox"
        aria-label="Search contracts, entities, orders, users"
        aria-expanded={isShown}
        aria-controls={listId}
        aria-autocomplete="list"
        aria-activedescendant={isShown && place.value >= 0 ? `${listId}-${place.value}` : undefined}
        aria-keyshortcuts="/ Control+K"
        placeholder="Search  /"
        autoComplete="off"
        spellcheck={false}
        maxLength={200}
        value={text.value}
        onFocus={() => void (isOpen.value = true)}
        onInput={({ currentTarget }) => {
          text.value = currentTarget.value;
          opensNext.value = false;
          isOpen.value = true;
        }}
        onKeyDown={onKey}
      />
      {isShown && (
        <div class="search-list">
          <div id={listId} role="listbox" aria-label="Results">
            {isPalette.value && commandGroup}
            {groups.map(({ kind, results: ofKind }) => (
              <Group key={kind} title={KIND_TITLES[kind]}>
                {ofKind.map((result) => option(result, result.id, resultWords(result)))}
              </Group>
            ))}
            {!isPalette.value && commandGroup}
          </div>
          <Note found={found} />
        </div>
      )}
    </div>
  );
}

/** For the key `/`. */
export function focusSearch(): void {
  const input = document.getElementById(INPUT_ID);
  if (input instanceof HTMLInputElement) input.select();
}

/** For Ctrl+K. */
export function openPalette(): void {
  isPalette.value = true;
  focusSearch();
}

type Item = SearchResult | Command;

/** In a search, commands come once something is typed. */
function commandsFor(text: string): readonly Command[] {
  if (isPalette.value) return commandsMatching(text, MANY_COMMANDS);
  return text.trim() === "" ? [] : commandsMatching(text, FEW_COMMANDS);
}

function Group({ title, children }: { readonly title: string; readonly children: ComponentChildren }) {
  return (
    <div role="group" aria-label={title}>
      <div class="search-kind" aria-hidden="true">{title}</div>
      {children}
    </div>
  );
}

interface OptionProps {
  readonly id: string;
  readonly isChosen: boolean;
  readonly isUnavailable: boolean;
  readonly open: () => void;
  readonly children: ComponentChildren;
}

function Option({ id, isChosen, isUnavailable, open, children }: OptionProps) {
  const row = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (isChosen) row.current?.scrollIntoView({ block: "nearest" });
  }, [isChosen]);
  return (
    <div
      ref={row}
      id={id}
      role="option"
      class="search-option"
      aria-selected={isChosen}
      aria-disabled={isUnavailable || undefined}
      // The input keeps the focus.
      onMouseDown={(event) => event.preventDefault()}
      onClick={open}
    >
      {children}
    </div>
  );
}

function resultWords(result: SearchResult) {
  return (
    <>
      <b class="name">{result.id}</b>
      <span class="name">{result.title === result.id ? "" : result.title}</span>
      <span class="name search-detail">{detailOf(result)}</span>
    </>
  );
}

function commandWords({ title, keys }: Command) {
  return (
    <>
      <span class="name">{title}</span>
      {keys !== undefined && <span class="search-detail">{keys}</span>}
    </>
  );
}

/** The name of a contract says the same as its title. */
function detailOf({ kind, detail }: SearchResult): string {
  return kind === "contract" && detail !== "expired" ? "" : detail;
}

function Note({ found }: { readonly found: Found }) {
  const note = noteOf(found);
  return <div class="search-note" role="status">{note === null ? "" : <bdi>{note}</bdi>}</div>;
}

function noteOf(found: Found): string | null {
  switch (found.kind) {
    case "nothing asked":
      return null;
    case "asking":
      return "Searching…";
    case "failed":
      return `${found.report.message} ${found.report.hint ?? ""}`;
    case "answer":
      if (found.answer.results.length === 0) {
        return `Nothing that the acting user may see matches “${found.answer.text}”.`;
      }
      return found.answer.hasMore ? "There is more: type more letters." : null;
  }
}

/** Asks the server when nobody has typed for WAIT_MS. An answer to older text is dropped. */
function useFound(text: string): Found {
  const found = useSignal<Found>({ kind: "nothing asked" });
  useEffect(() => {
    const wanted = text.trim();
    if (wanted === "") return void (found.value = { kind: "nothing asked" });
    const abort = new AbortController();
    const ask = async () => {
      if (found.value.kind !== "answer") found.value = { kind: "asking" };
      const next = await searchFor(wanted, abort.signal);
      if (!abort.signal.aborted) found.value = next;
    };
    const timer = setTimeout(() => void ask(), WAIT_MS);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [text]);
  return found.value;
}

async function searchFor(text: string, signal: AbortSignal): Promise<Found> {
  try {
    const answer = await send("GET", `/dashboard/search?text=${encodeURIComponent(text)}`, undefined, signal);
    return { kind: "answer", text, answer: answer as SearchAnswer };
  } catch (error) {
    if (error instanceof RequestError) return { kind: "failed", report: error.report };
    return { kind: "failed", report: { code: "no_answer", message: "The server can't be reached." } };
  }
}

function staysIn({ currentTarget, relatedTarget }: FocusEvent): boolean {
  return currentTarget instanceof Element && relatedTarget instanceof Node && currentTarget.contains(relatedTarget);
}
