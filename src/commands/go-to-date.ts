/** The prompt for the day to go to in the open conversation. */
import type { Overlay } from '../state/model/app-state.ts';
import { typedDay } from '../state/view/jumps.ts';
import { dropNotice } from '../state/view/notices.ts';
import { popOverlay } from '../state/view/overlays.ts';
import type { CommandContext } from './context.ts';
import { jumpTo } from './jump-to.ts';
import { notify } from './notify.ts';

export const datePrompt = {
  /** The prompt stays open while what is typed is no date. */
  accept(context: CommandContext, { conversationId, typed }: Extract<Overlay, { kind: 'go-to-date' }>): void {
    const day = typedDay(typed, context.now());
    if (day === null) {
      const problem = 'This is not a date. Try 3 nov, monday, 2 weeks ago or 2026-11-03';
      notify(context, problem, { about: 'date', isRefusal: true });
      return;
    }
    context.update(popOverlay);
    context.update(dropNotice('date'));
    const { at, words } = day;
    const missing = `There is no message on or after ${words}`;
    jumpTo(context, { conversationId, aim: { kind: 'date', at }, words, missing });
  },
};
