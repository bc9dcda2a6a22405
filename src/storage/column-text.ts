/** Carries any string through an SQLite text column: NUL ends a text there, and a lone surrogate has no UTF-8. */

const mark = '\u0001';
const odd = /^\u0001|\0|\p{Surrogate}/u;

export function toColumn(text: string): string {
  return odd.test(text) ? mark + JSON.stringify(text) : text;
}

export function fromColumn(column: string): string {
  return column.startsWith(mark) ? (JSON.parse(column.slice(1)) as string) : column;
}
