import { describe, expect, test } from 'vitest';
import type { Conversation } from '../../src/protocol/types.ts';
import type { AppState } from '../../src/state/model/app-state.ts';
import { typeText } from '../../src/state/search/edit-field.ts';
import { openNamePrompt } from '../../src/state/search/name-prompt.ts';
import { selectConversation, selectListOrder, selectUnread } from '../../src/state/select/selectors.ts';
import { initialState } from '../../src/state/store.ts';
import { setListView } from '../../src/state/view/list-place.ts';
import { setFocus } from '../../src/state/view/view.ts';
import * as eg from '../support/builders/eg.ts';
import { chat, world } from './world.ts';

const unread = (counts: Record<string, number>) => (state: AppState) => ({
  ...state,
  cache: { ...state.cache, unread: new Map(Object.entries(counts)) },
});
const marked = (fields: Partial<Conversation>) => (state: AppState) => {
  const conversations = new Map(state.cache.conversations);
  for (const id of ['crew', 'with bob']) conversations.set(id, { ...conversations.get(id)!, ...fields });
  return { ...state, cache: { ...state.cache, conversations } };
};
const mute = (id: string) => (state: AppState) => {
  const conversation = state.cache.conversations.get(id)!;
  const conversations = new Map(state.cache.conversations).set(id, { ...conversation, isMuted: true });
  return { ...state, cache: { ...state.cache, conversations } };
};

test('/read-all marks all conversations as read, and z undoes that one by one', () => {
  const here = world(chat());
  here.update(unread({ crew: 2, 'with bob': 1 }));
  const counts = () => ['crew', 'with bob'].map((id) => selectUnread(here.state(), id));
  here.type('/read-all');
  here.press('enter');
  expect(counts()).toEqual([0, 0]);
  expect(here.notice()).toContain('Marked 2 conversations read here');
  here.update(setFocus('list'));
  here.press('z', 'z');
  expect(counts()).toEqual([2, 1]);
});

test('/read-all says how many conversations z undoes, if that is not all of them', () => {
  const ids = Array.from({ length: 25 }, (_, n) => `c${n}`);
  const conversations = ids.map((id) => eg.conversation({ id, groupId: id, lastActiveAt: eg.now }));
  const here = world(eg.state({ conversations, ...eg.shown({ focus: 'list' }) }));
  here.update(unread(Object.fromEntries(ids.map((id) => [id, 1]))));
  here.run('list.readAll');
  expect(here.notice()).toBe('Marked 25 conversations read here; z undoes the last 20 one after the other');
  here.press(...ids.map(() => 'z'));
  expect(ids.filter((id) => selectUnread(here.state(), id) > 0)).toHaveLength(20);
});

describe('going from conversation to conversation', () => {
  test('Ctrl-PgDn and Ctrl-PgUp go to the next and the previous one, as in browsers', () => {
    const { press, calls } = world(chat());
    press('ctrl+pagedown', 'ctrl+pageup');
    expect(calls).toEqual(['open "crew"', 'open "with ann"']);
  });

  test('j and Enter open the next one and go to its composer', () => {
    const { press, state, calls } = world(chat({ focus: 'list' }));
    press('j', 'enter');
    expect(calls).toEqual(['open "crew"']);
    expect(state()).toMatchObject({ view: { openId: 'crew', previousId: 'with ann' }, screen: { focus: 'composer' } });
  });

  test('Alt-arrows, Alt-digits and Alt-/ work from the composer and keep the focus there', () => {
    const { press, calls, state, notice } = world(chat());
    press('alt+down', 'alt+down', 'alt+down');
    expect(calls).toEqual(['open "crew"', 'open "with bob"']);
    expect(notice()).toBe('This is the last conversation of the list');
    press('alt+up');
    expect(notice()).toBeUndefined();
    press('alt+1', 'alt+9');
    expect(notice()).toBe('The list has no conversation 9');
    press('alt+/');
    expect(notice()).toBeUndefined();
    expect(calls.slice(2)).toEqual(['open "crew"', 'open "with ann"', 'open "crew"']);
    expect(state().screen.focus).toBe('composer');
  });

  test('Alt-/ without a previous conversation says so', () => {
    const { press, notice, calls } = world(chat());
    press('alt+/');
    expect([calls, notice()]).toEqual([[], 'No other conversation has been open yet']);
  });

  test('Alt-a goes through the unread conversations in a circle, muted ones last', () => {
    const { press, calls, update, notice } = world(chat({ openId: 'crew' }));
    update(unread({ 'with ann': 1, 'with bob': 2 }));
    press('alt+a', 'alt+shift+down');
    expect(calls).toEqual(['open "with bob"', 'open "with ann"']);
    press('alt+shift+up');
    expect(calls.at(-1)).toBe('open "with bob"');
    update(mute('with ann'));
    update(unread({ 'with ann': 1 }));
    press('alt+a');
    expect(calls.at(-1)).toBe('open "with ann"');
    update(unread({}));
    press('alt+a');
    expect(notice()).toBe('Nothing else is unread in this list: back to where you were');
  });

  test('a muted conversation is skipped while another one is unread', () => {
    const { press, calls, update } = world(chat({ openId: 'with ann' }));
    update(mute('crew'));
    update(unread({ crew: 1, 'with bob': 1 }));
    press('alt+a');
    expect(calls).toEqual(['open "with bob"']);
  });

  test('with nothing open, going backwards begins at the end', () => {
    const { press, calls, update } = world(chat({ openId: null, focus: 'list' }));
    update(unread({ 'with ann': 1, 'with bob': 2 }));
    press('alt+shift+up');
    expect(calls).toEqual(['open "with bob"']);
  });
});

describe('changing a conversation', () => {
  test('p and m change what is shown, also while an earlier change waits', () => {
    const { press, actions } = world(chat({ focus: 'list' }));
    press('p', 'p', 'm', 'm');
    expect(actions).toEqual([
      { kind: 'conversation.pin', conversationId: 'with ann', value: true },
      { kind: 'conversation.pin', conversationId: 'with ann', value: false },
      { kind: 'conversation.mute', conversationId: 'with ann', value: true },
    ]);
  });

  test('what p acted on stays selected where nothing was selected or open before, so that p again undoes it', () => {
    const here = world(chat({ focus: 'list' }));
    const pinned = () => selectListOrder(here.state()).filter((id) => selectConversation(here.state(), id)?.isPinned);
    here.update((state) => ({ ...state, view: { ...state.view, openId: null } }));
    here.update(marked({ isPinned: true }));
    const [first, second] = pinned();
    here.press('p');
    expect(pinned()).toEqual([second]);
    here.press('p');
    expect(pinned()).toEqual([first, second]);
  });

  test('x archives, goes to the neighbour and says where the conversation went; in the archive x brings it back', () => {
    const { press, actions, state, notice } = world(chat({ focus: 'list' }));
    press('x');
    expect(actions).toEqual([{ kind: 'conversation.archive', conversationId: 'with ann', at: eg.now }]);
    expect(selectListOrder(state())).toEqual(['crew', 'with bob']);
    expect([state().view.list.selectedId, notice()]).toEqual(['crew', expect.stringContaining('Archived')]);
    press('f', 'f', 'f', 'f', 'g', 'x');
    expect(actions.at(-1)).toEqual({ kind: 'conversation.archive', conversationId: 'with ann', at: null });
  });

  test.each([
    ['u', 'unread', unread({ crew: 2, 'with bob': 1 })],
    ['p', 'pinned', marked({ isPinned: true })],
    ['m', 'muted', marked({ isMuted: true })],
  ] as const)('%s in the view of %s ones goes to the neighbour, and z undoes it', (key, view, before) => {
    const here = world(chat({ focus: 'list', openId: null }));
    here.update((state) => setListView(view)(before(state)));
    const selected = () => here.state().view.list.selectedId;
    const [first, second] = selectListOrder(here.state());
    here.press('g', key);
    expect(selectListOrder(here.state())).not.toContain(first);
    expect([first, second, selected()]).toEqual(['crew', 'with bob', 'with bob']);
    here.press('z');
    expect(selected()).toBe('crew');
  });

  test('archiving the last row selects the one above', () => {
    const { press, state } = world(chat({ focus: 'list' }));
    press('G', 'x');
    expect(state().view.list.selectedId).toBe('crew');
  });

  test('u marks a conversation as unread and as read again, only here', () => {
    const { press, state, actions } = world(chat({ focus: 'list' }));
    press('u');
    expect(selectUnread(state(), 'with ann')).toBe(1);
    press('u');
    expect(selectUnread(state(), 'with ann')).toBe(0);
    expect(actions).toEqual([]);
  });

  test('u says why nothing can be unread if there are no messages', () => {
    const { press, notice } = world(chat({ focus: 'list', openId: 'crew' }));
    press('u');
    expect(notice()).toBe('Nothing here that could be unread');
  });

  test('d asks; yes deletes and closes what was open', () => {
    const { press, wait, actions, calls, state } = world(chat({ focus: 'list' }));
    press('d');
    wait(300);
    press('y');
    expect(actions).toEqual([{ kind: 'conversation.delete', conversationId: 'with ann' }]);
    expect([calls, state().view.openId]).toEqual([['close'], null]);
  });

  test('deleting a conversation that is not open closes nothing', () => {
    const { press, wait, calls, state } = world(chat({ focus: 'list' }));
    press('G', 'd');
    wait(300);
    press('y');
    expect([calls, state().view.openId]).toEqual([[], 'with ann']);
  });

  test('in an empty list the keys say what is missing', () => {
    const { press, notice } = world(eg.state());
    press('p');
    expect(notice()).toBe('The list is empty');
  });
});

describe('a view that does not have the selected conversation', () => {
  test('selects its first one, and nothing that is not shown is ever changed', () => {
    const { press, state, actions, notice, update } = world(chat({ focus: 'list' }));
    update(unread({ crew: 1, 'with ann': 1 }));
    press('G', 'f');
    expect(state().view.list).toMatchObject({ view: 'unread', selectedId: 'with ann' });
    press('f');
    expect(state().view.list).toMatchObject({ view: 'pinned', selectedId: null });
    press('x', 'd', 'm', 'p');
    expect([actions, state().screen.overlays, notice()]).toEqual([[], [], 'The list is empty']);
  });
});

describe('the filter', () => {
  test('takes all characters, selects the first match, Enter opens it and ends the filter', () => {
    const { press, type, state, calls } = world(chat({ focus: 'list' }));
    press('/');
    type('bxk');
    press('backspace', 'ctrl+h');
    expect(state().view.list).toMatchObject({ filter: 'b', selectedId: 'with bob' });
    press('enter');
    expect(calls).toEqual(['open "with bob"']);
    expect(state()).toMatchObject({ view: { list: { filter: '' } }, screen: { focus: 'composer' } });
  });

  test('Enter without a match opens nothing', () => {
    const { press, type, calls, notice } = world(chat({ focus: 'list' }));
    press('/');
    type('zzz');
    press('enter');
    expect([calls, notice()]).toEqual([[], 'No conversation matches']);
  });

  test('Tab keeps the filter, and the keys of the list work again', () => {
    const { press, type, state, actions } = world(chat({ focus: 'list' }));
    press('/');
    type('bob');
    press('tab', 'p');
    expect(state()).toMatchObject({ view: { list: { filter: 'bob' } }, screen: { focus: 'list' } });
    expect(actions).toEqual([{ kind: 'conversation.pin', conversationId: 'with bob', value: true }]);
  });

  test('arrows move among the matches', () => {
    const { press, state } = world(chat({ focus: 'list' }));
    press('/', 'down');
    expect(state().view.list.selectedId).toBe('crew');
    press('up');
    expect(state().view.list.selectedId).toBe('with ann');
  });
});

describe('a new conversation', () => {
  const asked = (state: AppState, query: string) => world(typeText(query)(openNamePrompt('new-conversation')(state)));
  const open = (query: string) => asked(chat(), query);

  test('with a known person opens the conversation that exists', () => {
    const { press, actions, calls } = open('bob');
    press('enter');
    expect([actions, calls]).toEqual([[], ['open "with bob"']]);
  });

  test('with a known contact or an id is created on the server; for an id of both kinds the user chooses', () => {
    const known = asked(eg.state({ contacts: [eg.contact({ id: 'c9', username: 'Cyd' })] }), 'cy');
    known.press('enter');
    expect(known.actions).toEqual([{ kind: 'conversation.create', contactId: 'c9', groupId: null }]);
    const typed = open('x77');
    typed.press('down', 'down', 'enter');
    expect(typed.actions).toEqual([{ kind: 'conversation.create', contactId: null, groupId: 'x77' }]);
    expect(typed.state().screen.overlays).toEqual([]);
  });

  test('Ctrl-N asks for a person or group; text goes into its field', () => {
    const { press, state, draft } = world(chat());
    press('ctrl+n', 'a');
    expect(state().screen.overlays).toMatchObject([{ kind: 'new-conversation', typed: 'a', selected: 0 }]);
    expect(draft().text).toBe('');
  });

  test('is not offered with the user', () => {
    const { press, actions, state } = open('me');
    press('enter');
    expect(actions).toEqual([{ kind: 'conversation.create', contactId: 'me', groupId: null }]);
    expect(state().screen.overlays).toEqual([]);
  });
});

describe("a name of the user's own", () => {
  test('is given to the contact, and an empty one restores the old name', () => {
    const { press, update, state } = world(chat({ focus: 'list' }));
    press('n');
    expect(state().screen.overlays).toEqual([{ kind: 'own-name', of: { kind: 'contact', id: 'ann' }, typed: '' }]);
    update(typeText(' Bobby '));
    press('enter');
    expect([state().local.names.get('contact ann'), state().screen.overlays]).toEqual(['Bobby', []]);
    press('n');
    update(typeText(''));
    press('enter');
    expect(state().local.names.size).toBe(0);
  });
});

describe('in every pane', () => {
  test('redraw, suspend and quit work, also under overlays; F5 works outside of them', () => {
    const { press, calls } = world(chat({ overlays: [{ kind: 'help', typed: '', selected: 0 }] }));
    press('ctrl+l', 'ctrl+z', 'f5', 'ctrl+q');
    expect(calls).toEqual(['redraw', 'suspend', 'quit']);
    const free = world(chat());
    free.press('f5');
    expect(free.calls).toEqual(['poll']);
  });

  test('a new token can be given once the old one was refused', () => {
    const { press, state, notice, update, calls } = world(chat());
    press('ctrl+t');
    expect([state().screen.overlays, notice()]).toEqual([[], 'The server has not refused the token']);
    update((now) => ({ ...now, view: { ...now.view, connection: { ...eg.online, status: 'unauthorized' } } }));
    press('ctrl+t', 'enter');
    expect(calls).toEqual([]);
    update(typeText('  short '));
    press('enter');
    expect([calls, notice()]).toEqual([[], 'the token is shorter than 8 characters']);
    update(typeText('  new-token '));
    press('enter');
    expect(calls).toEqual([]);
    expect(state().screen.overlays).toMatchObject([{ kind: 'same-account', token: 'new-token', unsent: 0 }]);
    press('y');
    expect([calls, state().screen.overlays]).toEqual([['signIn "new-token"'], []]);
  });

  test('a new token is not accepted if the user says that it is for another account', () => {
    const { press, state, notice, update, calls, type } = world(chat());
    type('unsent');
    update((now) => ({ ...now, view: { ...now.view, connection: { ...eg.online, status: 'unauthorized' } } }));
    press('ctrl+t');
    update(typeText('token-of-another'));
    press('enter');
    expect(state().screen.overlays).toMatchObject([{ kind: 'same-account', unsent: 1 }]);
    press('n');
    expect([calls, state().screen.overlays]).toEqual([[], []]);
    expect(notice()).toContain('The token was not used');
  });

  test('a new token for a profile without data is accepted without a question', () => {
    const { press, update, calls } = world(initialState());
    update((now) => ({ ...now, view: { ...now.view, connection: { ...eg.online, status: 'unauthorized' } } }));
    press('ctrl+t');
    update(typeText('new-token'));
    press('enter');
    expect(calls).toEqual(['signIn "new-token"']);
  });

  test('? opens the help outside of the composer, F1 everywhere', () => {
    const list = world(chat({ focus: 'list' }));
    list.press('?');
    expect(list.state().screen.overlays).toEqual([{ kind: 'help', typed: '', selected: 0 }]);
    const composer = world(chat());
    composer.press('?', 'f1');
    expect([composer.draft().text, composer.state().screen.overlays.length]).toEqual(['?', 1]);
  });
});
