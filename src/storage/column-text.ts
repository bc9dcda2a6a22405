/** Carries any string through an SQLite text column: NUL ends a text there, and a lone surrogate has no UTF-8. */

const mark = '\u0001';
const isOdd = (text: string): boolean => text.startsWith(mark) || text.includes('\0') || !text.isWellFormed();

export function toColumn(text: string): string {
  return isOdd(text) ? mark + JSON.stringify(text) : text;
}

export function fromColumn(column: string): string {
  return column.startsWith(mark) ? (JSON.parse(column.slice(1)) as string) : column;
}
