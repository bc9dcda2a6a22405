/** The position of a message in the order of its conversation, at which pages begin. */
import type { MessageId } from '../../protocol/types.ts';
import type { SqlValue } from '../sqlite/driver.ts';
import { toColumn } from '../sqlite/sqlite-text.ts';
import { sortAt } from './rows.ts';

/** The start of a page, exclusive. */
export interface PageKey {
  readonly createdAt: number | null;
  readonly rank: number;
  readonly id: MessageId;
}

/** The values for the columns `sort_at, rank, id`. */
export function keyColumns({ createdAt, rank, id }: PageKey): SqlValue[] {
  return [sortAt(createdAt), rank, toColumn(id)];
}
