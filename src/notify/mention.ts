/** Determines whether a message names the user. */
import type { AppState } from '../state/model/app-state.ts';
import { fold } from '../text/search/find.ts';
import { holdsKeyword } from './policy.ts';

const searchedUnits = 10_000;

/** Whether the text has `@username`, in any case and with any accents, and not as the beginning of a longer name. */
export function namesUser({ local: { me } }: AppState, text: string): boolean {
  if (me?.username === null || me?.username === undefined || me.username === '' || me.isDisputed === true) return false;
  const name = `@${fold(me.username)}`;
  const within = fold(text.slice(0, searchedUnits));
  for (let at = within.indexOf(name); at >= 0; at = within.indexOf(name, at + 1))
    if (!/^[\p{L}\p{N}_]|^[.-][\p{L}\p{N}]/u.test(within.slice(at + name.length))) return true;
  return false;
}

/** Whether the text names the user, or contains one of the keywords. */
export const isMention = (state: AppState, text: string): boolean =>
  namesUser(state, text) || holdsKeyword(state, [text]);
