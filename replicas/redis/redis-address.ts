// What can be said about the address of Redis: how it is shown, and what of it is secret.

/** The address without user and password, for reports and logs. */
export function shownAddress(url: string): string {
  const shown = new URL(url);
  shown.username = "";
  shown.password = "";
  shown.search = "";
  shown.hash = "";
  return shown.href;
}

/** The password as it is written in the URL, and as Redis gets it. */
export function addressSecrets(url: string): readonly string[] {
  const { password } = new URL(url);
  return password === "" ? [] : [...new Set([password, decoded(password)])];
}

/** User and password for AUTH; null without a password. */
export function credentials(url: string): { readonly user: string; readonly password: string } | null {
  const { username, password } = new URL(url);
  return password === "" ? null : { user: decoded(username) || "default", password: decoded(password) };
}

/** A percent sign that begins no escape stays as it is. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
