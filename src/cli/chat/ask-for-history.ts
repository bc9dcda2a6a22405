/** Asks for more history once the open conversation is scrolled near an end of what is loaded. */
import type { ConversationId } from '../../protocol/types.ts';
import type { AppStore } from '../../state/store.ts';
import type { Engine } from '../../sync/engine/engine.ts';
import type { Panes } from '../../view/panes.ts';

interface HistoryPorts {
  readonly store: AppStore;
  readonly engine: Pick<Engine, 'needOlder' | 'needNewer'>;
  readonly panes: () => Pick<Panes, 'layout' | 'needsHistory'>;
}

/** Asks for history after the frame is drawn, so that a key never waits for the disk or for rows out of sight. */
export function askForHistory({ store, engine, panes: panesOf }: HistoryPorts, id: ConversationId): void {
  setImmediate(() => {
    const state = store.getState();
    if (state.view.openId !== id) return;
    const panes = panesOf();
    const needs = panes.needsHistory(state, panes.layout(state));
    if (needs.older) engine.needOlder(id);
    if (needs.newer) engine.needNewer(id);
  });
}
