// Texts that the browser keeps, if it allows that.

/** Null without it, or if the browser allows no storage. */
export function stored(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

/** Lasts for this page alone if the browser allows no storage. */
export function store(key: string, value: string): void {
  try {
    localStorage.setItem(key, value);
  } catch {
    // A SecurityError or a full storage: the choice is a convenience, and holds until the page is left.
    return;
  }
}
