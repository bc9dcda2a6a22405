/** Goes to the messages that failed or are unsure, one after the other, in whichever conversation they are. */
import { conversationOf } from '../state/cache/conversations.ts';
import { memoLast } from '../state/collections/memo.ts';
import type { AppState, Op } from '../state/model/app-state.ts';
import { selectSelectedItem, selectThreadItems } from '../state/select/selectors.ts';
import { setFocus } from '../state/view/view.ts';
import type { Command } from './command.ts';
import type { CommandContext } from './context.ts';
import { notify } from './notify.ts';
import { select } from './selection.ts';

const isTrouble = (op: Op): boolean => (op.state === 'failed' || op.state === 'unsure') && conversationOf(op) !== null;

const troubles = memoLast((outbox: readonly Op[]): readonly Op[] => outbox.filter(isTrouble));

/** No thread shows the first message of a conversation that could not be started. */
const hasUnshown = ({ local }: AppState): boolean =>
  local.outbox.some((op) => op.state === 'failed' && conversationOf(op) === null);

function noneReason(state: AppState): string {
  if (hasUnshown(state))
    return 'A conversation could not be started; its first message is kept: see msg-tui outbox list';
  return `No ${troubles(state.local.outbox).length === 0 ? '' : 'other '}message has failed or is unsure`;
}

/**
 * The next failed or unsure op after the selected one, in the order of the outbox; after the last one, the first. The
 * selection is kept while the keyboard is elsewhere: the selected op comes first then, as its keys do not work there.
 */
export function nextTrouble(state: AppState): Op | null {
  const all = troubles(state.local.outbox);
  const current = selectSelectedItem(state)?.op?.uuid;
  const at = all.findIndex(({ uuid }) => uuid === current);
  if (at !== -1 && state.screen.focus !== 'messages') return all[at] ?? null;
  const next = all[(at + 1) % all.length];
  return next === undefined || next.uuid === current ? null : next;
}

function goToTrouble(context: CommandContext): void {
  const op = nextTrouble(context.get());
  const id = op === null ? null : conversationOf(op);
  if (op === null || id === null) return;
  if (!context.get().cache.conversations.has(id)) {
    notify(context, 'Its conversation is gone from the server');
    return;
  }
  if (context.get().view.openId !== id) context.openConversation(id);
  const find = () => selectThreadItems(context.get(), id).find((item) => item.op?.uuid === op.uuid);
  // Messages that were not sent are shown at the newest end.
  if (find()?.kind !== 'message') context.scrollThread('bottom');
  const item = find();
  if (item === undefined) {
    notify(context, 'The message is further back than what is loaded; scroll up to it');
    return;
  }
  context.update(setFocus('messages'));
  select(context, id, item.id);
}

export const troubleCommands: readonly Command[] = [
  {
    id: 'message.nextTrouble',
    title: 'Go to the next message that failed or is unsure',
    group: 'Anywhere',
    where: ['global'],
    keys: ['!', 'alt+!'],
    hint: 'next failed',
    isRemedy: true,
    disabled: (state) => (nextTrouble(state) === null ? noneReason(state) : null),
    run: goToTrouble,
  },
];
