/** "Sent twice, delete one?": looks for the second copy of a message that the user had sent again. Never deletes. */
import type { ConversationId, Message } from '../../../protocol/types.ts';
import { dropResent, findDuplicate, putResent, resentIn, watchedForMs } from '../../../state/local/duplicate-watch.ts';
import type { Resent } from '../../../state/model/app-state.ts';
import { dropNotice } from '../../../state/view/connection.ts';
import { notice, type Services, stateOf, update, writeToDisk } from '../../services/services.ts';

const quotedLength = 40;

/**
 * `rows`: what an answer showed of the conversation; `known`: what is held of it now, in which a copy that the user has
 * deleted is missing.
 */
export function findDuplicates(
  context: Services,
  id: ConversationId,
  rows: readonly Message[],
  known: readonly Message[],
): void {
  for (const entry of resentIn(stateOf(context), id)) {
    const twin = entry.twin ?? findDuplicate(stateOf(context), entry, rows, context.outbox.claims(id))?.id ?? null;
    const isOver = context.clock.now() - entry.at > watchedForMs;
    const isSolved = twin !== null && known.length > 0 && !isHeld(known, entry.found, twin);
    if (isOver || isSolved) forget(context, entry);
    else if (twin !== null && entry.twin === null) found(context, { ...entry, twin });
  }
}

/** Those found in an earlier run are asked about again. */
export function askAboutDuplicates(context: Services): void {
  for (const entry of stateOf(context).local.resent) if (entry.twin !== null) ask(context, entry);
}

const isHeld = (known: readonly Message[], ...ids: readonly string[]): boolean =>
  ids.every((id) => known.some((message) => message.id === id));

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
