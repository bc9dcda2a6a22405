/** The prompt for a new token: the server has refused the old one, it is of another account, or there is none. */
import { tokenProblem } from '../protocol/token.ts';
import { countAllUnsent, hasNoData } from '../state/local/unsent-text.ts';
import type { Overlay } from '../state/model/app-state.ts';
import { popOverlay, replaceOverlay } from '../state/view/overlays.ts';
import type { CommandContext } from './context.ts';
import { notify } from './notify.ts';

export const tokenPrompt = {
  accept(context: CommandContext, { typed }: Extract<Overlay, { kind: 'token' }>): void {
    const token = typed.trim();
    if (token === '') return;
    const problem = tokenProblem(token);
    if (problem !== null) {
      notify(context, problem, { tone: 'warning' });
      return;
    }
    const state = context.get();
    if (hasNoData(state)) {
      context.update(popOverlay);
      context.signIn(token);
      return;
    }
    // The service does not say who owns a token, so the user is asked before the data of two accounts can be mixed.
    const question = {
      kind: 'same-account',
      token,
      unsent: countAllUnsent(state.local),
      openedAt: context.now(),
    } as const;
    context.update(replaceOverlay(question));
  },
};
