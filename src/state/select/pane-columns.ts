/**
 * Divides the columns of the screen between the list and the panes beside it, and determines whether the screen is large
 * enough for them.
 */
import type { AppState, Size } from '../model/app-state.ts';
import { defaultSettings } from '../model/settings.ts';

/** On a narrower screen one pane shows at a time. */
export const twoPaneColumns = 80;

/**
 * The columns of the list pane with its left border, and of the panes beside it; 0: one pane is shown at a time.
 * @param wanted the width that the user has given to the list
 * @param textWidth the most columns of a line of text: those beyond go to the list, for its previews
 */
export function paneColumns(
  columns: number,
  wanted: number | null,
  textWidth = defaultSettings.textWidth,
): { readonly list: number; readonly main: number } {
  if (columns < twoPaneColumns) return { list: 0, main: columns };
  if (wanted !== null) {
    const list = Math.min(wanted, columns - leastForThread);
    return { list, main: columns - list };
  }
  const narrow = Math.min(40, 30 + Math.floor((columns - twoPaneColumns) / 10));
  const list = Math.max(narrow, Math.min(widestList, columns - textWidth - aroundText));
  return { list, main: columns - list };
}

/** Borders and margin of the thread. */
const aroundText = 10;
const widestList = 64;
const leastForThread = 40;

/** The columns of the list and of the panes beside it on the screen as it is. */
export const selectPaneColumns = ({ screen, local, settings }: AppState): ReturnType<typeof paneColumns> =>
  paneColumns(screen.size.columns, local.listWidth, settings.textWidth);

/** Columns of the composer's text: what its cursor moves up and down in. */
export const selectComposerColumns = (state: AppState): number =>
  Math.max(1, Math.min(state.settings.textWidth, selectPaneColumns(state).main - 3));

/** The smallest screen that the chat is drawn on. On a smaller one only a note is shown, and nothing is done unseen. */
export const smallest: Size = { columns: 40, rows: 10 };

export const isTooSmall = ({ columns, rows }: Size): boolean => columns < smallest.columns || rows < smallest.rows;

export const selectIsTooSmall = ({ screen }: AppState): boolean => isTooSmall(screen.size);

/** Whether the open thread is on the screen; it may be below an overlay. A narrow screen shows the list or the thread. */
export const selectIsThreadShown = ({ screen, view }: AppState): boolean =>
  view.openId !== null &&
  !isTooSmall(screen.size) &&
  (screen.size.columns >= twoPaneColumns || screen.focus !== 'list');
