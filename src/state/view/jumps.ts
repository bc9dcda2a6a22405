/** Transitions of the history of jumps, and of a search for a message far back; the day that was typed as its aim. */
import type { Millis } from '../../protocol/types.ts';
import { dateLabel, dayKey } from '../../text/time.ts';
import { parseTypedDate } from '../../text/typed-date.ts';
import type { AppState } from '../model/app-state.ts';
import type { JumpPlace, Jumps, Seeking } from '../model/place.ts';
import { selectPlace } from '../select/selectors.ts';
import type { Transition } from '../store.ts';
import { addNotice, dropNotice } from './notices.ts';
import { setPlace } from './thread-place.ts';
import { patchView, setFocus } from './view.ts';

/** The most places that are kept in each direction. */
const mostJumps = 50;

export const noJumps: Jumps = { back: [], forward: [] };

export const selectJumps = ({ view }: AppState): Jumps => view.jumps ?? noJumps;

/** Where the user is; null where no conversation is open. */
export function placeNow(state: AppState): JumpPlace | null {
  const { openId } = state.view;
  if (openId === null) return null;
  const place = selectPlace(state, openId);
  const topId = place.scroll.at === 'bottom' ? null : place.scroll.messageId;
  const found = state.cache.threads.get(openId)?.messages.find(({ id }) => id === topId);
  const top = found === undefined ? null : { createdAt: found.createdAt, rank: found.rank, id: found.id };
  return { conversationId: openId, place, top, focus: state.screen.focus };
}

/** To be applied before a jump: `jump.back` returns to where the user is now. */
export const rememberPlace: Transition = (state) => {
  const here = placeNow(state);
  if (here === null) return state;
  const { back } = selectJumps(state);
  const last = back.at(-1);
  const isSame = last?.conversationId === here.conversationId && last.place === here.place;
  return patchView(state, { jumps: { back: isSame ? back : pushed(back, here), forward: [] } });
};

const pushed = (places: readonly JumpPlace[], place: JumpPlace): readonly JumpPlace[] =>
  [...places, place].slice(-mostJumps);

/** Takes the nearest place off, and puts the one where the user is on the other side. */
export const stepThroughJumps =
  (direction: 'back' | 'forward'): Transition =>
  (state) => {
    const here = placeNow(state);
    const jumps = selectJumps(state);
    const other = direction === 'back' ? 'forward' : 'back';
    const left = here === null ? jumps[other] : pushed(jumps[other], here);
    const rest = jumps[direction].slice(0, -1);
    return patchView(state, {
      jumps: direction === 'back' ? { back: rest, forward: left } : { back: left, forward: rest },
    });
  };

/** Takes all places off; those that were jumped over come back by going forward. */
export const stepToFirstJump: Transition = (state) => {
  const here = placeNow(state);
  const { back, forward } = selectJumps(state);
  const left = [...forward, ...(here === null ? [] : [here]), ...back.slice(1).toReversed()];
  return patchView(state, { jumps: { back: [], forward: left.slice(-mostJumps) } });
};

/** Restores scroll position, selection and focus. To be applied once its conversation is open and its messages are loaded. */
export const returnTo =
  ({ conversationId, place, focus }: JumpPlace): Transition =>
  (state) =>
    setFocus(focus)(setPlace(state, conversationId, place));

const about = 'seeking';

export const setSeeking =
  (seeking: Seeking): Transition =>
  (state) =>
    patchView(state, { seeking });

/** Says how far the history has been fetched. */
export const showSeeking =
  ({ words }: Seeking, oldest: Millis | null, now: Millis): Transition =>
  (state) => {
    const reached = oldest === null ? '' : `, now at ${dateLabel(oldest, now)}`;
    const text = `Fetching back to ${words}${reached}… Esc stops`;
    return addNotice({ tone: 'info', text, at: now, until: null, about })(state);
  };

/** The moment at which a day begins that was typed, and its date in words; null for what is no date. */
export function typedDay(typed: string, now: Millis): { readonly at: Millis; readonly words: string } | null {
  const at = parseTypedDate(typed, now);
  return at === null ? null : { at, words: dateLabel(at, now) };
}

export const isSameDay = (a: Millis, b: Millis | null): boolean => dayKey(a) === dayKey(b);

/** Ends the search; the fetching ends too, as it checks whether its search is still the one in the state. */
export const stopSeeking: Transition = (state) =>
  state.view.seeking ? patchView(dropNotice(about)(state), { seeking: null }) : state;
