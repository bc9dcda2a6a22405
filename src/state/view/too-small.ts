/** The smallest screen that the chat is drawn on. On a smaller one only a note is shown, and nothing is done unseen. */
import type { AppState, Size } from '../model/app-state.ts';

export const smallest: Size = { columns: 40, rows: 10 };

export const isTooSmall = ({ columns, rows }: Size): boolean => columns < smallest.columns || rows < smallest.rows;

export const selectIsTooSmall = ({ screen }: AppState): boolean => isTooSmall(screen.size);
