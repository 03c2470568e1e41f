// Which page an address means: `#/NAME/ARGUMENT`.

interface PageRoute {
  readonly name: string;
  /** Empty if nothing follows the name. */
  readonly argument: string;
}

/** What follows # in the address; anything may stand there. */
export function pageRoute(hash: string): PageRoute {
  const [, name = "", ...rest] = hash.split("/");
  return { name, argument: decoded(rest.join("/")) };
}

/** Text that is not well encoded stands for itself. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
