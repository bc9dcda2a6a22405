/** Transitions of `screen.notices`, the lines that report something, and of the log that keeps them. */
import type { Millis } from '../../protocol/types.ts';
import type { AppState, Notice } from '../model/app-state.ts';
import { noticeNames } from '../model/screen-state.ts';
import type { Transition } from '../store.ts';
import { patchScreen } from './view.ts';

const mostLogged = 200;

/** A notice that says the same about the same thing as the last one replaces it. */
function withLogged(log: readonly Notice[], added: Notice): readonly Notice[] {
  const last = log.at(-1);
  const isAgain = last !== undefined && last.about === added.about && last.text === added.text;
  return [...(isAgain ? log.slice(0, -1) : log.slice(1 - mostLogged)), added];
}

/** Replaces an earlier notice about the same thing; the id grows, so that a repeated notice is new to the view. */
export const addNotice =
  (notice: Omit<Notice, 'id'>): Transition =>
  (state) => {
    const { notices, noticeLog } = state.screen;
    const held = notices.find((other) => other.about === notice.about);
    if (held !== undefined && held.text === notice.text && held.tone === notice.tone && held.until === notice.until)
      return state;
    const id = notices.reduce((highest, other) => Math.max(highest, other.id), 0) + 1;
    const others = notices.filter((other) => other !== held);
    const added = { ...notice, id };
    return patchScreen(state, { notices: [...others, added], noticeLog: withLogged(noticeLog, added) });
  };

/** Adds a sentence to a notice that is shown, there and in the log, and shows it until then. */
export const extendNotice =
  (notice: Notice, sentence: string, until: Millis): Transition =>
  (state) => {
    const { notices, noticeLog } = state.screen;
    const end = /[.!?…]$/.test(notice.text) ? '' : '.';
    const longer = { ...notice, text: `${notice.text}${end} ${sentence}`, until };
    const replaced = (all: readonly Notice[]) => all.map((one) => (one === notice ? longer : one));
    return patchScreen(state, { notices: replaced(notices), noticeLog: replaced(noticeLog) });
  };

/** Removes the notice about something that is resolved. */
export const dropNotice =
  (about: string): Transition =>
  (state) =>
    state.screen.notices.some((notice) => notice.about === about)
      ? patchScreen(state, { notices: state.screen.notices.filter((notice) => notice.about !== about) })
      : state;

/** Whether the newest notice stays until what it is about is resolved, or Esc is pressed. */
export const hasLastingNotice = ({ screen }: AppState): boolean => screen.notices.at(-1)?.until === null;

/**
 * Removes the reason why a key did nothing, and what it has covered. Shown again are only a notice that stays until it is resolved,
 * and the one about a message that Esc can still take back.
 */
export const endRefusal: Transition = (state) => {
  const { notices } = state.screen;
  const last = notices.findLastIndex(({ isRefusal }) => isRefusal === true);
  if (last < 0) return state;
  const isLeft = ({ until, about, isRefusal }: Notice): boolean =>
    (until === null || about === noticeNames.held) && isRefusal !== true;
  return patchScreen(state, { notices: notices.filter((notice, at) => at > last || isLeft(notice)) });
};

/** Whether the time of a notice is over; also where the clock was set back since, or it would stay for hours. */
const isOver = ({ at, until }: Notice, now: Millis): boolean => until !== null && (until <= now || at > now + 1_000);

/** Removes the notices whose time is over. */
export const expireNotices =
  (now: Millis): Transition =>
  (state) =>
    state.screen.notices.some((notice) => isOver(notice, now))
      ? patchScreen(state, { notices: state.screen.notices.filter((notice) => !isOver(notice, now)) })
      : state;
