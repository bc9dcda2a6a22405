/** Stops everything when the answer to a message says that the token is another account's than the one that was used here. */
import { ApiError, otherAccountCode } from '../../api/errors.ts';
import type { Contact, ConversationId } from '../../protocol/types.ts';
import { clearDispute, markDisputed, setIdentity } from '../../state/local/identity.ts';
import { dropNotice } from '../../state/view/connection.ts';
import { showRefusedToken } from './connection-status.ts';
import { notify } from './notices.ts';
import { type Services, stateOf, update } from './services.ts';

const aboutOtherAccount = 'other account';

/** Who a sent message is told to be by: the token's user, who was not known, is the same as before, or is another one. */
export function noteSender(context: Services, conversationId: ConversationId, { id, username }: Contact): void {
  const { cache, local } = stateOf(context);
  // Some servers answer with the one who was written to, which says nothing of who wrote.
  const isPartner = cache.conversations.get(conversationId)?.contactId === id;
  if (local.me?.isTold === true && local.me.contactId !== id && !isPartner) {
    update(context, markDisputed);
    stopForOtherAccount(context);
  } else update(context, setIdentity({ contactId: id, username, ...(isPartner ? {} : { isTold: true }) }));
}

/** Also for a start after one that has found it out. */
export function stopForOtherAccount(context: Services): void {
  const { me } = stateOf(context).local;
  if (me?.isDisputed !== true) return;
  const who = me.username === null ? '' : ` than ${me.username}'s`;
  const message = `the token is for another account${who}; nothing more is asked or sent with it. Ctrl-T takes another token`;
  const error = new ApiError({
    kind: 'unauthorized',
    code: otherAccountCode,
    message,
    status: 0,
    outcome: 'not-applied',
    requestId: null,
    retryAfterMs: null,
  });
  context.gate.bar(error);
  showRefusedToken(context, error);
  notify(context, 'error', aboutOtherAccount, `${message.slice(0, 1).toUpperCase()}${message.slice(1)}.`);
}

/** The user says of a new token that it is for this account. */
export function endDispute(context: Services): void {
  update(context, clearDispute);
  update(context, dropNotice(aboutOtherAccount));
}
