/** Hands the store, and what draws it, to the components. */
import { createContext, useContext, useSyncExternalStore } from 'react';
import type { CommandContext } from '../commands/context.ts';
import type { AppState } from '../state/model/app-state.ts';
import type { AppStore } from '../state/store.ts';
import type { Screen } from '../terminal/screen.ts';
import type { Hint } from '../view/hint-row.ts';
import type { Panes } from '../view/panes.ts';
import type { DrawnOverlays } from './drawn-overlays.ts';

export interface Ui {
  readonly store: AppStore;
  readonly context: CommandContext;
  /** Returns the present panes: a change of the theme makes new ones. */
  readonly panes: () => Panes;
  /** null where Ink writes by itself (component tests, screen readers): surfaces then draw their rows as Ink text. */
  readonly screen: Screen | null;
  readonly hintsOf: (state: AppState) => readonly Hint[];
  readonly drawnOverlays: DrawnOverlays;
}

const UiContext = createContext<Ui | null>(null);
export const UiProvider = UiContext.Provider;

export function useUi(): Ui {
  const ui = useContext(UiContext);
  if (ui === null) throw new Error('a component was drawn outside of the app');
  return ui;
}

/** @param selector returns the same object while nothing changes; otherwise React would render without end */
export function useApp<T>(selector: (state: AppState) => T): T {
  const { store } = useUi();
  return useSyncExternalStore(store.subscribe, () => selector(store.getState()));
}
