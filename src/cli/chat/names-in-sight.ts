/**
 * Asks for the newest messages of conversations that the list shows and of which none is known. The service gives a name
 * together with messages only, and in a long list those of most conversations are not read at the start.
 */
import type { ConversationId } from '../../protocol/types.ts';
import { isUnknown } from '../../state/local/unread.ts';
import type { AppState } from '../../state/model/app-state.ts';
import type { AppStore } from '../../state/store.ts';
import type { Engine } from '../../sync/engine/engine.ts';
import type { Panes } from '../../view/panes.ts';

interface NamePorts {
  readonly store: Pick<AppStore, 'getState' | 'subscribe'>;
  readonly engine: Pick<Engine, 'needFirstPages'>;
  readonly panes: () => Pick<Panes, 'layout' | 'conversationsInSight'>;
  readonly now: () => number;
  readonly after: (delayMs: number, callback: () => void) => void;
}

/** The list must rest this long: what is scrolled past is not asked for. */
const restMs = 300;
/** A page that was asked for and has not come is asked for again after this time, when the list has changed. */
const againAfterMs = 60_000;

export function followNamesInSight({ store, engine, panes, now, after }: NamePorts): void {
  const askedAt = new Map<ConversationId, number>();
  let changes = 0;
  const ask = (): void => {
    const state = store.getState();
    const shown = panes().conversationsInSight(state, panes().layout(state));
    const isWanted = (id: ConversationId): boolean =>
      isUnknown(state, id) && now() - (askedAt.get(id) ?? Number.NEGATIVE_INFINITY) > againAfterMs;
    const ids = shown.filter(isWanted);
    for (const id of ids) askedAt.set(id, now());
    if (ids.length > 0) engine.needFirstPages(ids);
  };
  const schedule = (): void => {
    const scheduled = ++changes;
    after(restMs, () => void (scheduled === changes && ask()));
  };
  store.subscribe((state, previous) => {
    if (showsOthers(state, previous)) schedule();
  });
  schedule();
}

const showsOthers = ({ view, cache, screen }: AppState, previous: AppState): boolean =>
  view.list !== previous.view.list ||
  cache.conversations !== previous.cache.conversations ||
  // On a narrow screen the list is shown only while it has the focus.
  screen.focus !== previous.screen.focus ||
  screen.size !== previous.screen.size;
