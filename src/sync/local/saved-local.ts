/** What the disk holds of this profile's own data, as far as this process knows, and the one way to write it. */
import type { RecordChange } from '../../state/local/records.ts';
import type { Local } from '../../state/model/app-state.ts';
import { dropNotice } from '../../state/view/connection.ts';
import { writeToDisk } from '../services/durable-write.ts';
import { type Services, update } from '../services/services.ts';

export type LocalServices = Pick<Services, 'store' | 'outbox' | 'clock' | 'reload'>;

/** Mutable, shared by those that write parts of it. */
export interface SavedLocal {
  local: Local;
}

/** True when the disk took it. A notice stands as long as the disk refuses. */
export function save(context: LocalServices, write: () => void): boolean {
  const isDone = writeToDisk(context, 'local', 'Not saved on this machine:', write);
  if (isDone) update(context, dropNotice('local'));
  return isDone;
}

/** True when the disk took them, or there are none. */
export const saveRecords = (context: LocalServices, changes: readonly RecordChange[]): boolean =>
  changes.length === 0 || save(context, () => context.outbox.saveRecords(changes));
