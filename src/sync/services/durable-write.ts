/** Writes to outbox.db: ops, and the other records of this profile. Shows a notice when the disk refuses. */
import type { RecordChange } from '../../state/local/records.ts';
import type { Local } from '../../state/model/app-state.ts';
import { ImpossibleOpEvent } from '../../state/model/op-state.ts';
import { noticeNames } from '../../state/model/screen-state.ts';
import { dropNotice } from '../../state/view/notices.ts';
import { showNotice } from './notices.ts';
import { type Services, stateOf, update } from './services.ts';

/**
 * Returns whether the disk accepted it. If another process has settled the op, the disk is read again.
 *
 * @param about names the notice that says why the disk refused; null: no notice is shown
 * @param consequence begins the notice
 */
export function writeToDisk(
  context: Pick<Services, 'store' | 'clock' | 'reload'>,
  about: string | null,
  consequence: string,
  write: () => void,
): boolean {
  try {
    write();
    return true;
  } catch (error) {
    if ((error as { readonly kind?: unknown }).kind === 'gone') {
      context.reload();
      return false;
    }
    const mistake = error instanceof Error ? (error.cause ?? error) : error;
    if (mistake instanceof ImpossibleOpEvent) throw mistake;
    const cause = error instanceof Error ? error.message : String(error);
    if (about !== null) showNotice(context, 'error', about, `${consequence} ${cause}`);
    return false;
  }
}

/** What the disk refused is written again after this time. */
export const refusedPauseMs = 5_000;

export type LocalServices = Pick<Services, 'store' | 'outbox' | 'clock' | 'reload' | 'keyOf'>;

/** The local state as it is on disk. It is mutable, and shared by those that write parts of it. */
export interface SavedLocal {
  local: Local;
}

/** As `writeToDisk`, for what is read or written of the local state: one notice is about all of it. */
export function accessLocal(context: LocalServices, access: () => void): boolean {
  // That nothing was sent must stay in sight; it names the same cause as a draft that is refused a moment later.
  const isCovered = stateOf(context).screen.notices.some(({ about }) => about === noticeNames.notSent);
  return writeToDisk(context, isCovered ? null : noticeNames.local, 'Not saved on this machine:', access);
}

/** Returns whether the disk accepted it. A notice is shown as long as the disk refuses. */
export function save(context: LocalServices, write: () => void): boolean {
  const isDone = accessLocal(context, write);
  if (isDone) update(context, dropNotice(noticeNames.local));
  return isDone;
}

/** Returns true when the disk accepted them, or there are none. */
export const saveRecords = (context: LocalServices, changes: readonly RecordChange[]): boolean =>
  changes.length === 0 || save(context, () => context.outbox.saveRecords(changes));
