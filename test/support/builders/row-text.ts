/** A row as tests compare it. */
import type { Row } from '../../../src/text/layout/row.ts';
import type { SafeText } from '../../../src/text/safe-text.ts';

/** The row's characters, without its styles. */
export function rowToText(row: Row): SafeText {
  return row.map((item) => item.text).join('') as SafeText;
}
