/** Counts anew what is unread when it becomes known who the user is: until then the user's own messages count as well. */
import type { ConversationId } from '../../protocol/types.ts';
import { setUnread } from '../../state/cache/conversations.ts';
import { isOwn } from '../../state/local/identity.ts';
import { readLineAt, setReadLine } from '../../state/local/read-lines.ts';
import { countUnread } from '../../state/local/unread.ts';
import type { Transition } from '../../state/store.ts';
import { nextTurn } from '../services/clock.ts';
import { type Services, stateOf, update } from '../services/services.ts';
import { knownNewest } from './known-newest.ts';

/** The messages of each conversation are read from the disk: those of more in one turn of the event loop would delay a key. */
const conversationsInTurn = 10;

export async function recountUnread(context: Services): Promise<void> {
  const ids = [...stateOf(context).cache.unread.keys()];
  for (let at = 0; at < ids.length && !context.signal.aborted; at += conversationsInTurn) {
    if (at > 0) await nextTurn(context);
    const transitions = ids.slice(at, at + conversationsInTurn).map((id) => unreadOnceUserIsKnown(context, id));
    update(context, (state) => transitions.reduce((now, recount) => recount(now), state));
  }
}

/** The read line moves to after the newest own message, as in a conversation that is read first when the user is known. */
function unreadOnceUserIsKnown(context: Services, id: ConversationId): Transition {
  const { messages, isAll } = knownNewest(context, id);
  return (state) => {
    const held = state.local.readLines.get(id);
    const own = messages.findLast((message) => isOwn(message, state));
    const line = own === undefined || (own.createdAt ?? 0) <= (held?.at ?? 0) ? held : readLineAt(own);
    const readUntil = line?.at ?? Number.NEGATIVE_INFINITY;
    if (!isAll && !messages.some(({ createdAt }) => (createdAt ?? 0) <= readUntil)) return state;
    const count = countUnread(messages, line, state, context.backdated.get(id));
    return setUnread(id, count)(line === undefined ? state : setReadLine(id, line)(state));
  };
}
