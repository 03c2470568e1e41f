// Where a key leads in the map: to the next cell in its direction that has a contract.

export interface Place {
  readonly row: number;
  readonly column: number;
}

/** `has` says whether a cell has a contract. Null: the key means nothing, or there is none in its direction. */
export function placeAfter(
  { row, column }: Place,
  key: string,
  isWhole: boolean,
  { rows, columns }: { readonly rows: number; readonly columns: number },
  has: (place: Place) => boolean,
): Place | null {
  const inRow = (from: number, step: number) => first(from, step, columns, (at) => ({ row, column: at }), has);
  const inColumn = (from: number, step: number) => first(from, step, rows, (at) => ({ row: at, column }), has);
  switch (key) {
    case "ArrowRight":
      return inRow(column + 1, 1);
    case "ArrowLeft":
      return inRow(column - 1, -1);
    case "ArrowDown":
      return inColumn(row + 1, 1);
    case "ArrowUp":
      return inColumn(row - 1, -1);
    case "Home":
      return isWhole ? anywhere(rows, columns, 1, has) : inRow(0, 1);
    case "End":
      return isWhole ? anywhere(rows, columns, -1, has) : inRow(columns - 1, -1);
    default:
      return null;
  }
}

/** The first cell with a contract; null: there is none. */
export function firstPlace(rows: number, columns: number, has: (place: Place) => boolean): Place | null {
  return anywhere(rows, columns, 1, has);
}

function anywhere(rows: number, columns: number, step: 1 | -1, has: (place: Place) => boolean): Place | null {
  const place = (at: number) => ({ row: Math.floor(at / columns), column: at % columns });
  return first(step === 1 ? 0 : rows * columns - 1, step, rows * columns, place, has);
}

function first(
  from: number,
  step: number,
  count: number,
  placeOf: (at: number) => Place,
  has: (place: Place) => boolean,
): Place | null {
  for (let at = from; at >= 0 && at < count; at += step) if (has(placeOf(at))) return placeOf(at);
  return null;
}
