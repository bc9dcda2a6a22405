/** Records that the open conversation was read, once the user has scrolled to its end. */
import type { AppState } from '../../state/model/app-state.ts';
import { selectPlace, selectUnread } from '../../state/select/selectors.ts';
import type { AppStore } from '../../state/store.ts';
import type { Engine } from '../../sync/engine/engine.ts';
import type { Panes } from '../../view/panes.ts';

interface ReadingPorts {
  readonly store: AppStore;
  readonly engine: Pick<Engine, 'markReadToEnd'>;
  readonly panes: () => Pick<Panes, 'layout' | 'scroll'>;
}

/**
 * To be called when the thread was scrolled, or has more room. A thread that was at its end before has nothing new in sight;
 * there the user may have marked it as unread.
 *
 * @param before the state before the thread was scrolled or resized
 */
export function markReadIfAtEnd({ store, engine, panes: panesOf }: ReadingPorts, before: AppState): void {
  const state = store.getState();
  const { openId } = state.view;
  if (openId === null || selectUnread(state, openId) === 0) return;
  if (selectPlace(before, openId).scroll.at === 'bottom') return;
  const panes = panesOf();
  const layout = panes.layout(state);
  if (layout.thread !== null && panes.scroll(state, layout, 'release').at === 'bottom') engine.markReadToEnd(openId);
}
