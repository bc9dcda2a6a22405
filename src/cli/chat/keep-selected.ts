/** Keeps the selected message in sight when the rows around it become more, or the room smaller. */
import type { MessageId } from '../../protocol/types.ts';
import type { AppState } from '../../state/model/app-state.ts';
import { selectConversation, selectPlace } from '../../state/select/selectors.ts';
import type { AppStore, Transition } from '../../state/store.ts';
import { setScroll } from '../../state/view/thread-place.ts';
import type { Panes } from '../../view/panes.ts';

/**
 * The next key acts on the selected message, which the user would not see otherwise. One that was out of sight already stays
 * there.
 * @param before the state before the change
 */
export const keepSelected =
  (panes: Panes, before: AppState): Transition =>
  (state) => {
    const { openId } = before.view;
    // A screen that is too small shows no thread.
    if (openId === null || before.screen.focus !== 'messages' || panes.layout(state).thread === null) return state;
    const { selectedId, scroll } = selectPlace(before, openId);
    if (selectedId === null || selectPlace(state, openId).selectedId !== selectedId) return state;
    const revealed = (of: AppState) => panes.revealPlace(of, panes.layout(of), selectedId);
    const isInSight = (of: AppState) => panes.messagesInSight(of, panes.layout(of)).includes(selectedId);
    const wasWhole = revealed(before) === scroll;
    return wasWhole || (isInSight(before) && !isInSight(state)) ? setScroll(openId, revealed(state))(state) : state;
  };

/** A notice of several rows, the report of a failed refresh and the pinned message take their rows from the thread. */
export function keepSelectedInSight(store: AppStore, panes: () => Panes): void {
  store.subscribe((state, previous) => {
    if (state.screen.focus === 'messages' && takesRows(state, previous))
      store.setState(keepSelected(panes(), previous));
  });
}

const takesRows = (state: AppState, previous: AppState): boolean =>
  state.screen.notices !== previous.screen.notices ||
  state.view.connection.failures !== previous.view.connection.failures ||
  pinnedOf(state) !== pinnedOf(previous);

function pinnedOf(state: AppState): MessageId | null {
  const { openId } = state.view;
  return openId === null ? null : (selectConversation(state, openId)?.pinnedMessageId ?? null);
}
