/** Stops everything when the answer to a sent message shows that the token is another account's. */
import { ApiError, otherAccountCode } from '../../api/errors.ts';
import type { Contact, ConversationId } from '../../protocol/types.ts';
import { clearDispute, markDisputed, setIdentity } from '../../state/local/identity.ts';
import { dropNotice } from '../../state/view/notices.ts';
import { showRefusedToken } from './connection-status.ts';
import { keyAdvice, showNotice } from './notices.ts';
import { type Services, stateOf, update } from './services.ts';

const aboutOtherAccount = 'other account';

/** Takes note of the sender that the answer to a sent message names, who is the token's user. */
export function noteSender(context: Services, conversationId: ConversationId, { id, username }: Contact): void {
  const { cache, local } = stateOf(context);
  // Some servers name the recipient instead, which says nothing about the sender.
  const isPartner = cache.conversations.get(conversationId)?.contactId === id;
  if (isPartner && local.me !== null) return;
  if (local.me?.isConfirmed === true && local.me.contactId !== id) {
    update(context, markDisputed);
    stopForOtherAccount(context);
  } else update(context, setIdentity({ contactId: id, username, ...(isPartner ? {} : { isConfirmed: true }) }));
}

/** Does nothing unless another account was found, in this run or an earlier one. */
export function stopForOtherAccount(context: Services): void {
  const { me } = stateOf(context).local;
  if (me?.isDisputed !== true) return;
  const who = me.username === null ? '' : ` than ${me.username}'s`;
  const message = `the token is for another account${who}; nothing more is asked or sent with it${keyAdvice(context, 'server.signIn', 'takes another token')}`;
  const error = new ApiError({ kind: 'unauthorized', code: otherAccountCode, message, outcome: 'not-applied' });
  context.circuitBreaker.bar(error);
  showRefusedToken(context, error);
  showNotice(context, 'error', aboutOtherAccount, `${message.slice(0, 1).toUpperCase()}${message.slice(1)}.`);
}

/** The user has entered a new token for this account. */
export function endDispute(context: Services): void {
  update(context, clearDispute);
  update(context, dropNotice(aboutOtherAccount));
}
