/** Counts the texts that quitting would lose: those not sent, where nothing is kept on disk. */
import type { AppState } from '../model/app-state.ts';

export function countLostOnQuit({ view, local }: AppState): number {
  if (view.isVolatile !== true) return 0;
  const drafts = [...local.drafts.values()].filter(({ text }) => text !== '');
  const texts = local.outbox.filter(({ action }) => action.kind === 'message.send' || action.kind === 'message.edit');
  return drafts.length + texts.length;
}

export const lostOnQuitText = (count: number): string =>
  count === 1 ? 'One text was not sent.' : `${count} texts were not sent.`;
