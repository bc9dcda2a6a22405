/** Overlays that look somebody or something up by its name: what is typed in them, and what was found by it. */

import { sameList } from '../collections/memo.ts';
import type { AppState, LookingUp } from '../model/app-state.ts';
import type { GoToRow, Looked } from '../model/search-result.ts';
import type { Transition } from '../store.ts';
import { pushOverlay, replaceOverlay, setQuery, topOverlay } from '../view/overlays.ts';
import type { Search } from './incremental-search.ts';
import { isSameRow, isSameSought, rowLimit, soughtIn, sourcesOf } from './switcher-row.ts';
import { beginLook, type Look, lookOn } from './switcher-search.ts';

export const startLookingUp =
  (kind: LookingUp['kind']): Transition =>
  (state) => {
    const looked = lookedOf(beginLook(state, soughtIn({ kind, query: '' })));
    return pushOverlay({ kind, query: '', selected: 0, isMoved: false, looked })(state);
  };

export function selectLookingUp(state: AppState): LookingUp | null {
  const top = topOverlay(state);
  return top?.kind === 'go-to' || top?.kind === 'new-conversation' ? top : null;
}

const lookedOf = ({ sources, rows, count, isDone }: Look): Looked => ({ sources, rows, count, isDone });

/** What is typed now in the field of any overlay; what can be found at once by name stands there at once. */
export const typeQuery =
  (query: string): Transition =>
  (state) => {
    const top = selectLookingUp(state);
    if (top === null) return setQuery(query)(state);
    if (top.query === query) return state;
    const looked = lookedOf(beginLook(state, soughtIn({ ...top, query }), top.looked.rows));
    return replaceOverlay({ ...top, query, selected: 0, isMoved: false, looked })(state);
  };

function isDue(state: AppState): boolean {
  const top = selectLookingUp(state);
  if (top === null || soughtIn(top).reach === 'commands') return false;
  const { isDone, sources } = top.looked;
  return !isDone || !sameList(Object.values(sources), Object.values(sourcesOf(state)));
}

/** A look that follows on a complete one, which is shown until this one is complete as well. */
interface LookUp extends Look {
  readonly isBehind?: boolean;
}

export const nameSearch: Search<LookUp> = {
  isDue,
  begin: (state) => {
    const top = selectLookingUp(state);
    if (top === null || !isDue(state)) return null;
    return { ...beginLook(state, soughtIn(top), top.looked.rows), isBehind: top.looked.isDone };
  },
  on: lookOn,
  isAsked,
  shown: ({ isBehind, rows }) => (isBehind === true ? null : rows),
  put,
};

function isAsked(state: AppState, { sought }: Look): boolean {
  const top = selectLookingUp(state);
  return top !== null && isSameSought(soughtIn(top), sought);
}

/** Ignored when something else is asked for meanwhile. A choice that was moved stays with its row. */
function put(look: Look): Transition {
  return (state) => {
    const top = selectLookingUp(state);
    if (top === null || !isAsked(state, look)) return state;
    const chosen = top.isMoved ? top.looked.rows[top.selected] : undefined;
    const looked = withChosen(lookedOf(look), chosen);
    return replaceOverlay({ ...top, looked, selected: followed(top, looked, chosen) })(state);
  };
}

function followed({ isMoved, selected, looked: before }: LookingUp, { rows }: Looked, chosen?: GoToRow): number {
  if (!isMoved) return 0;
  // What is offered behind the rows stays behind them.
  if (chosen === undefined) return Math.max(0, rows.length + selected - before.rows.length);
  return Math.max(
    0,
    rows.findIndex((row) => isSameRow(row, chosen)),
  );
}

/** Better ones may have driven it out of the rows. */
function withChosen(looked: Looked, chosen: GoToRow | undefined): Looked {
  const { rows } = looked;
  if (chosen === undefined || rows.length < rowLimit || rows.some((row) => isSameRow(row, chosen))) return looked;
  return { ...looked, rows: [...rows.slice(0, -1), chosen] };
}
