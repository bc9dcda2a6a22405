/** Replies with a quote, and goes from a reply to the message that it quotes. */

import { quoteInto, updateDraft } from '../state/composer/drafts.ts';
import { parseQuote } from '../state/composer/quote.ts';
import type { AppState } from '../state/model/app-state.ts';
import { publicName, selectQuoted } from '../state/select/quoted.ts';
import { selectSelectedItem } from '../state/select/selectors.ts';
import { textOf } from '../state/select/thread-items.ts';
import { setFocus } from '../state/view/view.ts';
import type { Command } from './command.ts';
import type { CommandContext } from './context.ts';
import { jumpTo, jumpToMessage } from './jump-to.ts';
import { noMessageSelected } from './selection.ts';

export function reply(context: CommandContext): void {
  const state = context.get();
  const item = selectSelectedItem(state);
  const { openId } = state.view;
  if (item?.kind !== 'message' || openId === null) return;
  const author = publicName(state, item.message);
  context.update((now) =>
    setFocus('composer')(updateDraft(openId, (draft) => quoteInto(draft, item.message.text, author))(now)),
  );
}

function quoteReason(state: AppState): string | null {
  const item = selectSelectedItem(state);
  if (item === null) return noMessageSelected;
  return parseQuote(textOf(item)) === null ? 'This message quotes no other one' : null;
}

/** Goes to the quoted message; one that is not held is read from the cache. */
function goToQuoted(context: CommandContext): void {
  const state = context.get();
  const item = selectSelectedItem(state);
  const { openId } = state.view;
  const quote = item === null ? null : parseQuote(textOf(item));
  if (item === null || openId === null || quote === null) return;
  const held = selectQuoted(state, openId, item);
  if (held !== null) {
    jumpToMessage(context, openId, held.messageId, { words: 'the quoted message' });
    return;
  }
  const { message } = item;
  const before = message === null ? null : { createdAt: message.createdAt, rank: message.rank, id: message.id };
  jumpTo(context, {
    conversationId: openId,
    aim: { kind: 'quoted', quote, before },
    words: 'the quoted message',
    missing: 'The quoted message is not kept here, or was changed since',
  });
}

export const goToQuotedRow: Command = {
  group: 'Messages',
  where: ['messages'],
  id: 'message.goToQuoted',
  brief: 'quoted',
  title: 'Go to the quoted message',
  keys: ['Q'],
  disabled: quoteReason,
  run: goToQuoted,
};
