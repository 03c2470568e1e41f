// What follows # in the address: `#/PAGE/ARGUMENT?name=value&...`. Parameters say what of the page is shown, such as a filter.
// So an address that is kept or shared shows the same again.

interface AddressParts {
  /** `#/market`, `#/contract/N-6`. */
  readonly place: string;
  /** Without the `?`; may be empty. */
  readonly query: string;
}

/** An argument has no `?`, because addresses are made with encodeURIComponent. */
export function addressParts(hash: string): AddressParts {
  const at = hash.indexOf("?");
  return at === -1 ? { place: hash, query: "" } : { place: hash.slice(0, at), query: hash.slice(at + 1) };
}

export function withQuery(place: string, query: string): string {
  return query === "" ? place : `${place}?${query}`;
}

/** Whose parameters they are: `market`. All pages `#/contract/...` share theirs, which are not those of `#/contract`. */
export function pageOf(hash: string): string {
  const [, name = "", ...rest] = addressParts(hash).place.split("/");
  return rest.join("/") === "" ? name : `${name}/`;
}

/** With some parameters changed; null or an empty text removes one. Sorted by name, so equal states are equal texts. */
export function changedQuery(query: string, changes: Readonly<Record<string, string | null>>): string {
  const parameters = new URLSearchParams(query);
  for (const [name, value] of Object.entries(changes)) {
    if (value === null || value === "") parameters.delete(name);
    else parameters.set(name, value);
  }
  parameters.sort();
  return String(parameters);
}
