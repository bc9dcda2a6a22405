/**
 * Commits several transactions at once. A commit waits for the disk, and the transactions that are asked for meanwhile
 * share the next one. Each is in a savepoint, so one that fails takes nothing from the others.
 */
import type { Database } from './driver.ts';
import { asFailure } from './queries.ts';

export interface Member {
  /** Runs the statements. Where it rejects, they are taken back, and the rejection is the answer. */
  run(): Promise<void>;
  committed(): void;
  failed(error: unknown): void;
}

/** Never rejects: each member is given its result after the commit. */
export async function commitTogether(database: Database, members: readonly Member[]): Promise<void> {
  const done: Member[] = [];
  try {
    // IMMEDIATE: the write lock comes first, so that a command line beside the server waits instead of failing midway.
    database.exec('BEGIN IMMEDIATE');
  } catch (error) {
    for (const member of members) member.failed(asFailure(error));
    return;
  }
  try {
    for (const member of members) if (await ranIn(database, member)) done.push(member);
    database.exec('COMMIT');
  } catch (error) {
    rollBack(database);
    for (const member of members) member.failed(asFailure(error));
    return;
  }
  for (const member of done) member.committed();
}

/** Resolves to false when the member failed by itself. Rejects when SQLite has rolled back all of them. */
async function ranIn(database: Database, member: Member): Promise<boolean> {
  database.exec('SAVEPOINT member');
  try {
    await member.run();
    database.exec('RELEASE member');
    return true;
  } catch (error) {
    try {
      database.exec('ROLLBACK TO member; RELEASE member');
    } catch {
      // There is no savepoint any more, as after an error of the disk.
      throw error;
    }
    member.failed(error);
    return false;
  }
}

/** Rolls back. On a full disk SQLite has done so already; the error of that is ignored in favour of the first one. */
export function rollBack(database: Database): void {
  try {
    database.exec('ROLLBACK');
  } catch {
    // SQLite has rolled back already.
  }
}
