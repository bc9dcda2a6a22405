/** "Sent twice, delete one?": looks for the second copy of a message that the user had sent again. Never deletes. */
import type { ConversationId, Message } from '../../../protocol/types.ts';
import { dropResent, findDuplicate, putResent, resentIn, watchedForMs } from '../../../state/local/duplicate-watch.ts';
import type { Resent } from '../../../state/model/app-state.ts';
import { dropNotice } from '../../../state/view/connection.ts';
import { knownNewest } from '../../merge/known-tail.ts';
import type { PageObserver } from '../../services/page-observer.ts';
import { notice, type Services, stateOf, update, writeToDisk } from '../../services/services.ts';

const quotedLength = 40;

/** Looks in every newest page for second copies. A process that does not send leaves that to the one that does. */
export const watchForDuplicates: PageObserver = (context, id) => ({
  after: (rows) => {
    if (context.isSender()) findDuplicates(context, id, rows);
  },
});

function findDuplicates(context: Services, id: ConversationId, rows: readonly Message[]): void {
  for (const entry of resentIn(stateOf(context), id)) {
    const twin = entry.twin ?? findDuplicate(stateOf(context), entry, rows, context.outbox.claims(id))?.id ?? null;
    const isOver = context.clock.now() - entry.at > watchedForMs;
    // A copy that the user has deleted is missing from what is known by now.
    const isSolved = twin !== null && !isHeld(knownNewest(context, id).messages, entry.found, twin);
    if (isOver || isSolved) forget(context, entry);
    else if (twin !== null && entry.twin === null) found(context, { ...entry, twin });
  }
}

/** Those found in an earlier run are asked about again. */
export function askAboutDuplicates(context: Services): void {
  for (const entry of stateOf(context).local.resent) if (entry.twin !== null) ask(context, entry);
}

/** Where nothing is known, nothing says that one of them is gone. */
const isHeld = (known: readonly Message[], ...ids: readonly string[]): boolean =>
  known.length === 0 || ids.every((id) => known.some((message) => message.id === id));

function found(context: Services, entry: Resent): void {
  const isSaved = writeToDisk(context, aboutTwin(entry), 'The outbox could not be written.', () =>
    context.outbox.saveResent(entry.uuid, entry),
  );
  if (!isSaved) return;
  update(context, putResent(entry));
  ask(context, entry);
}

function forget(context: Services, entry: Resent): void {
  const isSaved = writeToDisk(context, aboutTwin(entry), 'The outbox could not be written.', () =>
    context.outbox.saveResent(entry.uuid, null),
  );
  if (isSaved) update(context, (state) => dropNotice(aboutTwin(entry))(dropResent(entry.uuid)(state)));
}

function ask(context: Services, entry: Resent): void {
  const characters = [...entry.text.slice(0, 2 * quotedLength)];
  const quoted = characters.length > quotedLength ? `${characters.slice(0, quotedLength).join('')}…` : entry.text;
  const text = `This message was sent twice: “${quoted}”. Delete one of the two?`;
  update(context, notice(context, 'warning', aboutTwin(entry), text, { isLasting: true }));
}

const aboutTwin = ({ uuid }: Resent): string => `twice ${uuid}`;
