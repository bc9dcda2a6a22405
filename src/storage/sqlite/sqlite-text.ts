/** Carries any string through an SQLite text column: NUL ends a text there, and a lone surrogate has no UTF-8. */

const mark = '\u0001';
const isOdd = (text: string): boolean => text.startsWith(mark) || text.includes('\0') || !text.isWellFormed();

export function toColumn(text: string): string {
  return isOdd(text) ? mark + JSON.stringify(text) : text;
}

/** A column that a failing disk has changed is taken as it stands: what was read of it must not stop a start. */
export function fromColumn(column: string): string {
  if (!column.startsWith(mark)) return column;
  try {
    const text: unknown = JSON.parse(column.slice(1));
    return typeof text === 'string' ? text : column;
  } catch {
    return column;
  }
}
