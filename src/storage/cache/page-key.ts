/** A place in the order of a conversation's messages. */
import type { MessageId } from '../../protocol/types.ts';
import type { SqlValue } from '../sqlite/driver.ts';
import { toColumn } from '../sqlite/sqlite-text.ts';
import { sortAt } from './rows.ts';

/** Exclusive start of a page. */
export interface PageKey {
  readonly createdAt: number | null;
  readonly rank: number;
  readonly id: MessageId;
}

/** In the order of `sort_at, rank, id`. */
export function keyColumns({ createdAt, rank, id }: PageKey): SqlValue[] {
  return [sortAt(createdAt), rank, toColumn(id)];
}
