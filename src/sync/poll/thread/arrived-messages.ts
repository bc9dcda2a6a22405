/** Decides what of the messages that a poll brings is seen at once and counts as read, and where the "new" line stands. */
import type { ConversationId, MessageId } from '../../../protocol/types.ts';
import { markReadAtOnce, noteArrivedBelow, noteArrivedUnseen, placeNewLine } from '../../../state/local/read-lines.ts';
import { isUnreadIncomplete } from '../../../state/local/unread.ts';
import type { AppState } from '../../../state/model/app-state.ts';
import { selectIsThreadShown } from '../../../state/select/pane-columns.ts';
import { selectUnread } from '../../../state/select/selectors.ts';
import type { Transition } from '../../../state/store.ts';
import { type Services, stateOf } from '../../services/services.ts';
import { goToUnread } from './opening-window.ts';

/** How the user sees the conversation that is read. */
export interface Viewing {
  /** The terminal has the focus. */
  readonly isFocused: boolean;
  /** It is the first reading since the conversation was opened: what it brings came before that. */
  readonly isOpening: boolean;
}

interface Arrival {
  /** No message of the conversation was known before. */
  readonly isFirst: boolean;
  /** The page has messages that were not known. */
  readonly hasFresh: boolean;
}

/** To be called before the page enters the state. Returns the transition to apply after it, in the same update. */
export function noteArrived(
  context: Services,
  id: ConversationId,
  { isFocused, isOpening }: Viewing,
  { isFirst, hasFresh }: Arrival,
): Transition {
  const before = stateOf(context);
  // Another process may have brought to the disk what this one has not shown yet.
  const shownNewest = newestShown(before, id);
  const wasRead = selectUnread(before, id) === 0;
  // What is unread before messages arrive in sight was marked so by the user, and stays.
  const isMarkedUnread = !wasRead && before.view.arrivedUnseen !== id;
  return (state) => {
    const lined = isFirst || isOpening ? placeNewLine(id)(state) : state;
    const hasArrived = hasFresh || newestShown(lined, id) !== shownNewest;
    const isSeen = isFocused && selectIsThreadShown(lined);
    const below = hasArrived && wasRead && !isOpening ? noteArrivedBelow(id)(lined) : lined;
    const noted = !isSeen && hasArrived ? noteArrivedUnseen(id)(below) : below;
    const placed = isOpening || noted !== below ? goToUnread(context, id)(noted) : noted;
    const isWhole = isOpening ? !isUnreadIncomplete(placed, id) : hasArrived && !isMarkedUnread;
    return isSeen && isWhole ? markReadAtOnce(id)(placed) : placed;
  };
}

const newestShown = ({ cache }: AppState, id: ConversationId): MessageId | undefined =>
  cache.threads.get(id)?.messages.at(-1)?.id;
