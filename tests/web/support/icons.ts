// The pictures of web/components/icon.tsx, told apart by the beginning and the end of their paths.

const NAMES: ReadonlyMap<string, string> = new Map([
  ["M3 8.5 3.2L13 5", "check"],
  ["M8 2.2  11.4v.6", "alert"],
  ["M8 14A 6M8 5v.5", "info"],
  ["M5 1.8 5zM5 8h6", "stop"],
  ["M5.5 3 0.5 3v10", "pause"],
  ["M4.5 2 2-8 5.2z", "play"],
  ["M8 14A l2.4 1.6", "clock"],
  ["M3.5 7  015 0v2", "lock"],
  ["M8 1.8 6 9.6 13", "snow"],
  ["M9 1.6 8 7H8.4z", "bolt"],
  ["M6.6 9 l1.5-1.5", "link"],
  ["M2.2 2 l1.5-1.5", "unlink"],
  ["M7 11. l3.4 3.4", "search"],
  ["M3.5 3 3.5l-9 9", "close"],
  ["M8 10.  4.3l1-1", "sun"],
  ["M13.4  0 107 7z", "moon"],
  ["M1.8 2 10.8v2.6", "screen"],
  ["M8 13V l4.2 4.2", "up"],
  ["M8 3v9 l4.2-4.2", "down"],
  ["M2 13. 2 11V5.5", "market"],
  ["M1.5 8 0 000 4z", "eye"],
  ["M1.5 9  3.5h2.2", "wave"],
  ["M6 7.6 .9 2.5 4", "people"],
  ["M6.2 2 2M5 10h6", "flask"],
  ["M2.4 2 2.4v11.2", "grid"],
  ["M5.5 4 4 12h.01", "list"],
  ["M5.5 5 3h-8v8h3", "copy"],
  ["M8 2.2 3.4h10.8", "save"],
  ["M2 5h2 000 4.6z", "camera"],
  ["M8 1.9  4.2-.6z", "star"],
  ["M4 11. 6 14h2.8", "bell"],
  ["M2.2 2 6 14h2.8", "muted"],
  ["M2.4 2 2.8v10.4", "columns"],
  ["M2 4.5 000 3.4z", "sliders"],
  ["M6.5 2 -2.8 2.8", "out"],
]);

/** The name of the picture with this path; `?` if it is none that is known. */
export function iconNamed(path: string): string {
  return NAMES.get(`${path.slice(0, 6)} ${path.slice(-8)}`) ?? "?";
}
