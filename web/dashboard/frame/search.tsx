export function Search() {
  return null;
}

export function focusSearch(): void {}
