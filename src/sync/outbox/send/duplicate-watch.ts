/** Looks for a second copy of a message that was sent again in doubt, and asks which one to delete. */
import type { ConversationId, Message } from '../../../protocol/types.ts';
import { dropResent, findDuplicate, putResent, resentIn, watchedForMs } from '../../../state/local/duplicate-watch.ts';
import type { Resent } from '../../../state/model/app-state.ts';
import { dropNotice } from '../../../state/view/notices.ts';
import { knownNewest } from '../../merge/known-newest.ts';
import { notice } from '../../services/notices.ts';
import type { PageObserver } from '../../services/page-observer.ts';
import { type Services, stateOf, update } from '../../services/services.ts';

const quotedLength = 40;

/** Looks in every newest page for second copies. A process that does not send leaves that to the one that does. */
export const watchForDuplicates: PageObserver = (context, id) => ({
  after: (rows) => {
    if (context.isSender() && stateOf(context).local.resent.size > 0) findDuplicates(context, id, rows);
  },
});

function findDuplicates(context: Services, id: ConversationId, rows: readonly Message[]): void {
  for (const entry of resentIn(stateOf(context), id)) {
    const seen = findDuplicate(stateOf(context), entry, rows, context.outbox.claims(id));
    const duplicateId = entry.duplicateId ?? seen?.id ?? null;
    const isOver = context.clock.now() - entry.at > watchedForMs;
    // A copy that the user has deleted is missing from what is known by now.
    const isSolved = duplicateId !== null && !isHeld(knownNewest(context, id).messages, entry.found, duplicateId);
    if (isOver || isSolved) stopWatching(context, entry);
    else if (duplicateId !== null && entry.duplicateId === null) recordDuplicate(context, { ...entry, duplicateId });
  }
}

/** Asks again about the duplicates that were found in an earlier run. */
export function askAboutDuplicates(context: Services): void {
  for (const entry of stateOf(context).local.resent.values())
    if (entry.duplicateId !== null) askWhichToDelete(context, entry);
}

/** Without cached messages, there is no evidence that one of the copies is gone. */
const isHeld = (known: readonly Message[], ...ids: readonly string[]): boolean =>
  known.length === 0 || ids.every((id) => known.some((message) => message.id === id));

function recordDuplicate(context: Services, entry: Resent): void {
  update(context, putResent(entry));
  askWhichToDelete(context, entry);
}

function stopWatching(context: Services, entry: Resent): void {
  update(context, (state) => dropNotice(noticeKey(entry))(dropResent(entry.uuid)(state)));
}

function askWhichToDelete(context: Services, entry: Resent): void {
  const characters = [...entry.text.slice(0, 2 * quotedLength)];
  const quoted = characters.length > quotedLength ? `${characters.slice(0, quotedLength).join('')}…` : entry.text;
  const what =
    entry.text === '' ? 'A message with files only was sent twice' : `This message was sent twice: “${quoted}”`;
  const text = `${what}. Delete one of the two?`;
  update(context, notice(context, 'warning', noticeKey(entry), text, { isLasting: true }));
}

const noticeKey = ({ uuid }: Resent): string => `twice ${uuid}`;
