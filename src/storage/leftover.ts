/** What a crash in the middle of a salvage has left: a new file that was not put in its place (R-STORE-2). */
import { copyFileSync, existsSync, readdirSync, renameSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { damageOf } from './damage.ts';
import { openToRead } from './driver.ts';
import { toStorageError } from './errors.ts';
import { refuseNewer, schemaVersion } from './migrate.ts';
import { outboxMigrations } from './outbox-schema.ts';
import { finishSalvage, type Salvaged, salvageCopy } from './salvage.ts';

/**
 *     left over, whole ──► the outbox is not, or has lost its log to the exchange ──► put in its place
 *          │                                   └─ the outbox is whole ──► set aside
 *          └ damaged ──► set aside; made anew from the copy of the original, where nothing was written since
 *
 * What was made anew is returned. Nothing is deleted. Throws `StorageError` `newer` for a file of a later msg-tui.
 */
export function settleLeftover(path: string, now: number): Salvaged | null {
  const left = `${path}.salvaged`;
  if (!existsSync(left)) return null;
  const aside = path.replace(/\.db$/, `.corrupt-${now}.salvaged`);
  const copy = newestCopy(path);
  const isSince = copy !== null && Math.max(changedAt(path), changedAt(`${path}-wal`)) > changedAt(copy);
  if (isWhole(left)) {
    const hasLostLog = copy !== null && existsSync(`${copy}-wal`) && !existsSync(`${path}-wal`) && !isSince;
    if (hasLostLog || !isWhole(path)) finishSalvage(path);
    else renameSync(left, aside);
    return null;
  }
  if (copy !== null && !isSince) {
    // It goes when the new one takes its name: a crash before that leaves all as it was.
    copyFileSync(left, aside);
    return salvageCopy(copy, path);
  }
  // The outbox itself has no less than its copy: it is opened, and salvaged where it has to be.
  renameSync(left, aside);
  return null;
}

/** The original as it was found by the last salvage. */
function newestCopy(path: string): string | null {
  const name = basename(path, '.db');
  const times = readdirSync(dirname(path)).flatMap((entry) => {
    const [, time] = entry.startsWith(`${name}.`) ? (/\.corrupt-(\d+)\.db$/.exec(entry) ?? []) : [];
    return time === undefined ? [] : [Number(time)];
  });
  return times.length === 0 ? null : join(dirname(path), `${name}.corrupt-${Math.max(...times)}.db`);
}

const changedAt = (path: string): number => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;

/** Made by this program or an earlier one, as far as reading it shows; an empty file is not. */
function isWhole(path: string): boolean {
  if (!existsSync(path)) return false;
  try {
    const database = openToRead(path, { isAtRest: false });
    try {
      refuseNewer(database, outboxMigrations);
      return schemaVersion(database) > 0 && damageOf(database, outboxMigrations) === null;
    } finally {
      database.close();
    }
  } catch (error) {
    const problem = toStorageError(error, 'The outbox cannot be opened');
    if (problem.kind === 'corrupt') return false;
    throw problem;
  }
}
