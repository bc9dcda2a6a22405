/** Commands that jump to a message, and those that go back and forward through the jumps. */

import type { AppState } from '../state/model/app-state.ts';
import type { JumpPlace } from '../state/model/place.ts';
import { selectOpen, selectPlace } from '../state/select/selectors.ts';
import { returnTo, selectJumps, stepThroughJumps, stepToFirstJump } from '../state/view/jumps.ts';
import { pushOverlay } from '../state/view/overlays.ts';
import { setScroll } from '../state/view/thread-place.ts';
import type { Command } from './command.ts';
import type { CommandContext } from './context.ts';
import { goToNewest, jumpToMessage } from './jump-to.ts';
import { notify } from './notify.ts';
import { needsOpen } from './selection.ts';

const anywhere = { group: 'Anywhere', where: ['global'] } as const;

/** Goes back to a place where the user was; false when its conversation is gone. */
export function bringBack(context: CommandContext, place: JumpPlace): boolean {
  const { conversationId, top } = place;
  const { cache, view } = context.get();
  if (!cache.conversations.has(conversationId)) return false;
  if (top !== null) context.showMessage(conversationId, top);
  else if (view.openId !== conversationId) return openAt(context, place);
  else if (place.place.scroll.at === 'bottom') context.scrollThread('bottom');
  context.update(returnTo(place));
  // Asks for history where the place is near an end of what is loaded.
  context.scrollThread({ rows: 0 });
  return true;
}

/** At its end a conversation opens as by any other key: where unread begins, if that is out of sight there. */
function openAt(context: CommandContext, target: JumpPlace): true {
  const { conversationId, place } = target;
  context.update(setScroll(conversationId, place.scroll));
  context.openConversation(conversationId);
  const { scroll } = selectPlace(context.get(), conversationId);
  context.update(returnTo({ ...target, place: { ...place, scroll } }));
  return true;
}

function step(context: CommandContext, direction: 'back' | 'forward'): void {
  const target = selectJumps(context.get())[direction].at(-1);
  if (target === undefined) return;
  context.update(stepThroughJumps(direction));
  if (!bringBack(context, target)) notify(context, 'The conversation of that place is gone');
}

function toFirst(context: CommandContext): void {
  const [first] = selectJumps(context.get()).back;
  if (first === undefined) return;
  context.update(stepToFirstJump);
  if (!bringBack(context, first)) notify(context, 'The conversation of that place is gone');
}

function nothingBack(state: AppState): string | null {
  const { back, forward } = selectJumps(state);
  if (back.length > 0) return null;
  return forward.length === 0 ? 'No jump was made yet' : 'This is where you were before the first jump';
}

function nothingForward(state: AppState): string | null {
  const { back, forward } = selectJumps(state);
  if (forward.length > 0) return null;
  return back.length === 0 ? 'No jump was made yet' : 'This is the last place you jumped to';
}

function goToPinned(context: CommandContext): void {
  const conversation = selectOpen(context.get());
  const pinned = conversation?.pinnedMessageId ?? null;
  if (conversation !== null && pinned !== null)
    jumpToMessage(context, conversation.id, pinned, { words: 'the pinned message' });
}

export const jumpCommands: readonly Command[] = [
  {
    ...anywhere,
    id: 'jump.back',
    brief: 'jump back',
    title: 'Back to where you were before the last jump',
    keys: ['alt+<'],
    disabled: nothingBack,
    run: (context) => step(context, 'back'),
  },
  {
    ...anywhere,
    id: 'jump.first',
    title: 'Back to where you were before the first of the jumps',
    keys: ['alt+home'],
    disabled: nothingBack,
    run: toFirst,
  },
  {
    ...anywhere,
    id: 'jump.forward',
    brief: 'jump forward',
    title: 'Forward again through the jumps',
    keys: ['alt+>'],
    disabled: nothingForward,
    run: (context) => step(context, 'forward'),
  },
  {
    ...anywhere,
    id: 'thread.goToDate',
    title: 'Go to a date in this conversation',
    keys: ['alt+g'],
    disabled: needsOpen,
    run: (context) => {
      const { openId } = context.get().view;
      if (openId !== null) context.update(pushOverlay({ kind: 'go-to-date', conversationId: openId, typed: '' }));
    },
  },
  {
    ...anywhere,
    id: 'thread.newest',
    title: 'Go to the newest message',
    keys: [],
    disabled: needsOpen,
    run: goToNewest,
  },
  {
    group: 'Messages',
    where: ['messages'],
    id: 'thread.goToPinned',
    title: 'Go to the pinned message',
    keys: ['P'],
    disabled: (state) => (selectOpen(state)?.pinnedMessageId == null ? 'No message is pinned here' : null),
    run: goToPinned,
  },
];
