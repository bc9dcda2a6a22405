/** A notifier with a clock, the states that it is given, and what it has shown. */
import { type Notification, Notifier } from '../../src/notify/notifier.ts';
import type { AppState } from '../../src/state/model/app-state.ts';
import { defaultSettings, type NotifySettings } from '../../src/state/model/settings.ts';
import * as eg from '../support/builders/eg.ts';
import { fakeClock } from '../support/clocks/fake-clock.ts';

export const people = ['ann', 'bob', 'cyd', 'dee', 'eve'].map((id) => eg.contact({ id, username: id }));

export function stateWith(
  notify: Partial<NotifySettings> = {},
  conversations = people.map(({ id }) => conversation(id)),
): AppState {
  const state = eg.state({
    conversations,
    contacts: people,
    cache: { unread: new Map(conversations.map(({ id }) => [id, 1])) },
  });
  return { ...state, settings: { ...defaultSettings, notify: { ...defaultSettings.notify, ...notify } } };
}

export const conversation = (contactId: string, more: object = {}) =>
  eg.conversation({ id: `c-${contactId}`, contactId, ...more });

export const opened = (state: AppState, openId: string | null): AppState => ({
  ...state,
  view: { ...state.view, openId },
});
export const withUnread = (state: AppState, unread: Iterable<[string, number]>): AppState => ({
  ...state,
  cache: { ...state.cache, unread: new Map(unread) },
});

/** @param notified the messages of which a program on the account has notified */
export function stage(first: AppState = stateWith(), clock = fakeClock(), notified = new Set<string>()) {
  const shown: Notification[] = [];
  const times: number[] = [];
  const closed: string[] = [];
  let state = first;
  let isAttended = false;
  const claimed: string[] = [];
  let delayMs = 0;
  let isElsewhere = false;
  let said = 0;
  const notifier = new Notifier({
    get: () => state,
    clock,
    isAttended: () => isAttended,
    delayMs: () => delayMs,
    notifiedElsewhere: (ids) => new Set(ids.filter((id) => isElsewhere || notified.has(id))),
    claim: (ids) => {
      claimed.push(...ids.map((id) => id.replace(/ \d+$/, '')));
      for (const id of ids) notified.add(id);
      return new Set(ids);
    },
    show: (notification) => {
      shown.push(notification);
      times.push(clock.monotonic());
    },
    close: (id) => closed.push(id),
    idPrefix: 'n',
  });
  return {
    clock,
    shown,
    times,
    closed,
    claimed,
    notifier,
    attend: (is: boolean) => {
      isAttended = is;
    },
    elsewhere: (is: boolean) => {
      isElsewhere = is;
    },
    wait: (ms: number) => {
      delayMs = ms;
    },
    set(next: AppState) {
      state = next;
      notifier.onState();
    },
    say(who: string, text = 'Hello', ago = 0) {
      const contact = people.find(({ id }) => id === who) ?? null;
      const createdAt = clock.now() - ago;
      const id = `${text} ${++said}`;
      const message = eg.message({ id, conversationId: `c-${who}`, contact, text, createdAt });
      notifier.onIncoming({ conversationId: `c-${who}`, messages: [message] });
    },
    lines: () => shown.map(({ title, body }) => `${title}: ${body}`),
  };
}
