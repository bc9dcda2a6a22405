/** Sentences typed where letters are commands: nothing is done, and the words are in the composer. */
import { describe, expect, test } from 'vitest';
import type { Conversation } from '../../src/protocol/types.ts';
import { insert } from '../../src/state/composer/draft-edit.ts';
import { draftOf, updateDraft } from '../../src/state/composer/drafts.ts';
import type { AppState } from '../../src/state/model/app-state.ts';
import { selectConversation, selectThreadItems } from '../../src/state/select/selectors.ts';
import { selectInList } from '../../src/state/view/list-place.ts';
import { hasTextField } from '../../src/state/view/overlays.ts';
import * as eg from '../support/builders/eg.ts';
import { isFullRun } from '../support/campaigns/partition.ts';
import { chat, type World, world } from './world.ts';

const sentences = [
  'Friday',
  'did you see the ferry',
  'ok great',
  'another',
  'xylophone 1 2 3',
  'really? 5 of them',
  'Did you mean me',
  'Right, RSVP',
  'Quite right',
  'Perhaps so',
  'yes please',
  'no way',
  'very well',
  'enough now',
  'v. good',
  'victory 2 go',
  'we should go',
  'what time',
  'yesterday 1 2',
  'y2 is a name',
  ' and so on',
  'just a moment',
  'kind of',
  'good. Going',
  'good morning',
  'mmh 12:30',
  'upper deck',
  'fine, zoo at nine',
  'danke, das wäre schön',
  'Über die Brücke',
  'peut-être demain',
  'à bientôt',
  'mañana por la tarde',
  '¿dónde estás?',
  '明日行きます',
  'مرحبا بك',
  'привет',
  '+1 from me',
  'if it rains',
  'ijs vandaag',
  'is she in?',
  'a1 paper',
  '!important one',
  ': or not',
  '"quoted"',
] as const;

const paces = [80, 120, 200, 330] as const;

/** Ann's conversation is open with a message selected, and something was written before. */
const written = 'So: ';
const onMessage = (id: string): AppState => {
  const places = new Map([['with ann', { scroll: { at: 'bottom' } as const, selectedId: id }]]);
  return insertInto('with ann')(chat({ focus: 'messages', places }));
};
const insertInto = (id: string) => updateDraft(id, (draft) => insert(draft, written));

const onList = (): AppState => insertInto('with ann')(selectInList('with bob')(chat({ focus: 'list' })));

/** A question or picker that was opened a while ago, over the list or a message. */
const over = (from: () => AppState, open: (typing: World) => void) => (): World => {
  const typing = world(from());
  open(typing);
  typing.wait(2_000);
  expect(typing.state().screen.overlays).toHaveLength(1);
  return typing;
};

const places: Readonly<Record<string, () => World>> = {
  'the list': () => world(onList()),
  'an own message': () => world(onMessage('m2')),
  'a message of another': () => world(onMessage('m3')),
  'no message': () => world(insertInto('with ann')(chat({ focus: 'messages' }))),
  'the question about a conversation': over(onList, ({ press }) => press('d')),
  'the question about a message': over(
    () => onMessage('m2'),
    ({ press }) => press('d'),
  ),
  'the menu of a message': over(
    () => onMessage('m2'),
    ({ press }) => press('enter'),
  ),
  'the question about a link': over(
    () => onMessage('m3'),
    ({ press, update }) => {
      update(withLink);
      press('o');
    },
  ),
  'a message that waits': () => world(withWaiting(onMessage('op:op'), 'queued')),
  'a message that failed': () => world(withWaiting(onMessage('op:op'), 'failed')),
  'the question about an unsure message': over(
    () => withWaiting(onMessage('op:op'), 'unsure'),
    ({ press }) => press('R'),
  ),
};

/** What no sentence may change. */
const keptOf = (state: AppState) => ({
  outbox: state.local.outbox,
  names: [...state.local.names],
  mutedUntil: [...state.local.mutedUntil],
  readLines: [...state.local.readLines],
  unread: [...state.cache.unread],
  shown: [...state.cache.conversations.keys()].map((id) => selectConversation(state, id)),
  messages: selectThreadItems(state, 'with ann').map((item) => [item.id, item.message?.text, item.reactions]),
  open: state.view.openId,
  view: state.view.list.view,
  filter: state.view.list.filter,
  editing: draftOf(state, 'with ann').editing,
});

/** From the field that the first letter opened, or from the quote or edit that it put into the composer. */
function takeAsText(typing: World, sentence: string): void {
  if (hasTextField(typing.state())) typing.press('escape');
  else if (typing.draft().text !== written + sentence) typing.press('enter', 'escape');
}

describe.each(Object.entries(places))('a sentence that is typed over %s', (_, begin) => {
  test.each(sentences.map((sentence, index) => [sentence, index] as const))('%s', (sentence, index) => {
    // Two of the four paces in `npm test`, the other two for the next sentence; all of them in the full run.
    const isTyped = (_: number, at: number): boolean => isFullRun || at % 2 === index % 2;
    for (const pace of paces.filter(isTyped)) {
      const typing = begin();
      const { calls } = typing;
      const before = keptOf(typing.state());
      const said = [...calls];
      typing.type(sentence, pace);
      typing.wait(1_000);
      takeAsText(typing, sentence);
      expect({ pace, ...keptOf(typing.state()) }).toEqual({ pace, ...before });
      expect([pace, typing.draft().text, typing.state().screen.focus]).toEqual([pace, written + sentence, 'composer']);
      expect(typing.state().screen.overlays).toEqual([]);
      const isHarmless = (call: string): boolean => /^(reveal|scroll|find|show|poll|peek|open) ?/.test(call);
      expect(calls.slice(said.length).filter((call) => !isHarmless(call))).toEqual([]);
    }
  });
});

describe('after the clock was set back', () => {
  const anHour = 3_600_000;

  test('letters typed slowly are still commands', () => {
    const w = world(onList());
    w.press('x');
    w.wait(-anHour);
    w.press('p', 'm');
    expect([w.draft().text, w.state().screen.overlays.at(-1)?.kind]).toEqual([written, 'menu']);
  });

  test('a question accepts its answer', () => {
    const w = over(onList, ({ press }) => press('d'))();
    w.wait(-anHour);
    w.press('enter');
    expect([w.state().screen.overlays, w.actions.at(-1)?.kind]).toEqual([[], 'conversation.delete']);
  });
});

describe('a sentence with Enter at its end', () => {
  test.each(Object.entries(places))('over %s is not sent, and a second Enter sends it', (_, begin) => {
    const typing = begin();
    const before = keptOf(typing.state());
    typing.type('ok great', 120);
    typing.press('enter');
    expect(keptOf(typing.state())).toEqual(before);
    expect(typing.draft().text).toBe(`${written}ok great`);
    expect(typing.notice()).toBe('This was begun outside the composer. Enter again sends it to ann');
    typing.press('enter');
    expect(typing.actions.at(-1)).toMatchObject({ kind: 'message.send', text: `${written}ok great` });
  });

  test.each<[string, (typing: World) => void]>([
    ['a rest', ({ wait }) => wait(5_000)],
    ['slow letters', ({ press }) => press('s', 'o')],
    ['a corrected letter', ({ press }) => press('backspace', 't')],
  ])('it asks after %s, too', (_, go) => {
    const typing = world(onList());
    typing.type('ok great', 120);
    go(typing);
    typing.press('enter');
    expect(typing.notice()).toBe('This was begun outside the composer. Enter again sends it to ann');
    typing.press('enter');
    expect(typing.actions.map(({ kind }) => kind)).toEqual(['message.send']);
  });

  test.each([
    ['Ctrl-C', ({ press }: World) => press('ctrl+c')],
    ['another letter', ({ press }: World) => press('s')],
    ['the Enter that sends', ({ press }: World) => press('enter')],
    ['a paste', ({ paste }: World) => paste('x')],
  ])('the question about Enter does not stay after %s', (_, go) => {
    const typing = world(onList());
    typing.type('ok great', 120);
    typing.press('enter');
    go(typing);
    expect(
      typing
        .state()
        .screen.notices.map(({ text }) => text)
        .join(),
    ).not.toContain('begun outside');
  });

  test('one Enter sends after the composer was emptied or another conversation was opened', () => {
    const typing = world(onList());
    typing.type('ok great', 120);
    typing.press('ctrl+c');
    typing.type('hello', 120);
    typing.press('enter');
    expect(typing.actions).toMatchObject([{ kind: 'message.send', text: 'hello' }]);
    typing.press('tab');
    typing.type('ok great', 120);
    typing.press('alt+down');
    typing.type('hello', 120);
    typing.press('enter');
    expect(typing.actions.at(-1)).toMatchObject({ kind: 'message.send', text: 'hello' });
  });

  test.each(['', ', and so on'])('a name prompt that a sentence has opened opens again%s', (rest) => {
    const typing = world(onList());
    const before = keptOf(typing.state());
    typing.type('no way', 200);
    typing.wait(1_000);
    typing.type(rest, 200);
    typing.press('enter');
    expect([keptOf(typing.state()), hasTextField(typing.state())]).toEqual([before, true]);
    typing.press('escape');
    expect(typing.draft().text).toBe(`${written}no way${rest}`);
  });

  test.each([
    [
      'r',
      'm1',
      'message.send',
      '> ann wrote:\n> The ferry leaves at nine\nSo: yes',
      'The first letter, r, put text into the composer. Enter again sends all of it; Esc keeps only what you typed',
    ],
    [
      'e',
      'm2',
      'message.edit',
      'Hi Annyes',
      'The first letter, e, began an edit. Enter again changes that message; Esc keeps only what you typed',
    ],
  ])('%s puts a text into the composer, where typing continues at once', (letter, id, kind, text, notice) => {
    const typing = world(onMessage(id));
    const before = keptOf(typing.state());
    typing.type(`${letter}yes`, 300);
    expect(typing.draft().text).toBe(text);
    typing.press('enter');
    expect(typing.actions).toEqual([]);
    expect(typing.notice()).toBe(notice);
    typing.press('enter');
    expect(typing.actions).toMatchObject([{ kind, text }]);
    const other = world(onMessage(id));
    other.type(`${letter}yes`, 300);
    other.press('enter', 'escape');
    expect([other.draft().text, keptOf(other.state())]).toEqual([`${written}${letter}yes`, before]);
  });

  test('a second Enter accepts the name', () => {
    const typing = world(onList());
    typing.type('nBob', 200);
    typing.press('enter');
    expect(typing.notice()).toBe('Enter again uses this field; Esc moves what you typed to the composer');
    // 80 columns without the sign before the text: below a dialog there is one row for it.
    expect(typing.notice()?.length).toBeLessThanOrEqual(76);
    typing.press('enter');
    expect([...typing.state().local.names]).toEqual([['contact bob', 'Bob']]);
  });
});

describe('a mute with an end', () => {
  test.each([
    ['me too', true],
    ['m8 it is', false],
  ])('%s keeps the mute and its end: muted %s', (sentence, isMuted) => {
    const muted = (state: AppState): AppState => ({
      ...state,
      cache: { ...state.cache, conversations: new Map([...state.cache.conversations].map(mutedIfBob)) },
      local: { ...state.local, mutedUntil: new Map([['with bob', eg.now + eg.hour]]) },
    });
    const typing = world(isMuted ? muted(onList()) : onList());
    const before = keptOf(typing.state());
    typing.type(sentence, 120);
    expect([typing.actions.length, typing.draft().text]).toEqual([2, written + sentence]);
    expect(keptOf(typing.state())).toEqual(before);
  });
});

const mutedIfBob = ([id, held]: [string, Conversation]): [string, Conversation] => [
  id,
  id === 'with bob' ? { ...held, isMuted: true } : held,
];

describe('a picker that a key with Ctrl has opened', () => {
  test.each(['ctrl+k', 'ctrl+n', 'ctrl+f'])('%s takes the sentence as its query', (key) => {
    const typing = world(onMessage('m2'));
    const before = keptOf(typing.state());
    typing.press(key);
    typing.type('did you see the ferry', 120);
    expect(keptOf(typing.state())).toEqual(before);
    expect(typing.state().screen.overlays).toMatchObject([{ typed: 'did you see the ferry' }]);
  });
});

/** Sentences that begin with keys of the profiles: sequences that are complete, that are not, and counts. */
const ofProfiles = [
  'good morning',
  'gt is on',
  'dd is a command',
  'did you see the ferry',
  'yy so',
  'yes please',
  'z is last',
  'c what I mean',
  '12:30 at noon',
  '3 people',
  '5 jokes',
  'go 1 2',
  'g1 and g2',
  'and so on',
  'if it rains',
  ': or not',
  'ups',
  'Nobody',
] as const;

describe.each(['vim', 'emacs'] as const)('a sentence in the profile %s', (profile) => {
  const inProfile = (typing: World): World => {
    typing.update((state) => ({
      ...state,
      settings: { ...state.settings, keys: { ...state.settings.keys, profile } },
    }));
    return typing;
  };
  test.each(['the list', 'an own message', 'a message of another', 'no message', 'the help'])('over %s', (place) => {
    for (const sentence of ofProfiles)
      for (const pace of [80, 330]) {
        const typing = inProfile(places[place]?.() ?? world(onList()));
        const before = keptOf(typing.state());
        typing.type(sentence, pace);
        typing.wait(1_000);
        takeAsText(typing, sentence);
        expect({ sentence, pace, ...keptOf(typing.state()) }).toEqual({ sentence, pace, ...before });
        expect([pace, typing.draft().text]).toEqual([pace, written + sentence]);
        expect(typing.state().screen.overlays).toEqual([]);
      }
  });
});

describe('a sentence while no conversation is open', () => {
  test('is kept for the composer of the next one', () => {
    const typing = world(chat({ focus: 'list', openId: null }));
    const before = keptOf(typing.state());
    typing.type('Friday at nine', 200);
    typing.wait(1_000);
    expect([keptOf(typing.state()), typing.notice()]).toEqual([
      before,
      'No conversation is open. What you typed is kept: Ctrl-Y puts it into a composer',
    ]);
    typing.press('enter', 'ctrl+y');
    expect(typing.draft().text).toBe('Friday at nine');
    typing.press('ctrl+y');
    expect(typing.draft().text).toBe('Friday at nine');
  });
});

describe('keys that are not a sentence', () => {
  test('run a command at once, whose request waits while a sentence may follow', () => {
    const { type, actions, state } = world(onList());
    type('p');
    expect([actions, selectConversation(state(), 'with bob')?.isPinned]).toEqual([
      [{ kind: 'conversation.pin', conversationId: 'with bob', value: true }],
      true,
    ]);
  });

  test.each([
    ['jjjjj', 80],
    ['jkjkj', 80],
    ['ggGG', 120],
    ['JKJ', 200],
    ['jjr', 120],
    ['kk+', 120],
    ['kkd', 120],
  ])('run moves with a command after them: %s at %i ms', (keys, pace) => {
    const { type, wait, draft } = world(onMessage('m2'));
    type(keys, pace);
    wait(1_000);
    expect(draft().text).not.toContain(keys.at(-1) === 'r' ? 'jj' : 'k');
  });

  test('run the same command twice, and a move after one in the list', () => {
    const { type, actions, draft } = world(onList());
    type('xx', 200);
    expect(actions.map(({ kind }) => kind)).toEqual(['conversation.archive', 'conversation.archive']);
    const other = world(insertInto('with ann')(selectInList('with ann')(chat({ focus: 'list' }))));
    other.type('pjpj', 250);
    expect(other.actions.map(({ kind }) => kind)).toEqual(['conversation.pin', 'conversation.pin']);
    expect([draft().text, other.draft().text]).toEqual([written, written]);
  });

  test('type a query into a picker that a letter has opened, after a moment', () => {
    const { press, type, actions } = world(onMessage('m1'));
    press('a');
    type('heart', 120);
    press('enter');
    expect(actions).toMatchObject([{ kind: 'message.react', name: 'heart', present: true }]);
  });

  test('run a command that cannot be undone only after a moment', () => {
    const { type, wait, calls } = world(withWaiting(onMessage('op:op'), 'failed'));
    type('R');
    expect(calls).toEqual([]);
    wait(400);
    expect(calls).toEqual(['retry "op"']);
  });

  test('open a question by a held letter, and do not answer it', () => {
    const { press, type, actions, state } = world(onMessage('m2'));
    press('d');
    type('ddddd', 30);
    expect([actions, state().screen.overlays.length]).toEqual([[], 1]);
  });

  test('move nothing by a blank alone', () => {
    const { press, draft, state } = world(onMessage('m2'));
    press('space');
    expect([draft().text, state().screen.focus]).toEqual([written, 'messages']);
  });
});

const withLink = (state: AppState): AppState => {
  const thread = state.cache.threads.get('with ann');
  if (thread === undefined) return state;
  const messages = thread.messages.map((message) => ({ ...message, text: `${message.text} https://a.example/` }));
  return { ...state, cache: { ...state.cache, threads: new Map([['with ann', { ...thread, messages }]]) } };
};

const withWaiting = (state: AppState, as: 'queued' | 'failed' | 'unsure'): AppState => {
  const action = { kind: 'message.send', conversationId: 'with ann', text: 'not sent' } as const;
  return { ...state, local: { ...state.local, outbox: [eg.op(action, { state: as, uuid: 'op' })] } };
};

describe('a sentence in the field of a search', () => {
  test.each([['ctrl+k'], ['ctrl+n'], ['ctrl+f'], ['f1']])(
    '%s: Esc closes the search, and Ctrl-Y inserts the sentence',
    (key) => {
      const w = world(chat());
      w.press(key);
      w.type('see you at noon');
      w.press('escape');
      expect(w.notice()).toContain('Ctrl-Y');
      w.press('ctrl+y');
      expect(w.draft().text).toBe('see you at noon');
      w.press('ctrl+y');
      expect(w.draft().text).toBe('see you at noon');
    },
  );

  test('does not come back by Ctrl-Y if something was cut afterwards', () => {
    const w = world(chat());
    w.press('ctrl+k');
    w.type('see you at noon');
    w.press('escape');
    w.type('cut me');
    w.press('ctrl+u', 'ctrl+y');
    expect(w.draft().text).toBe('cut me');
  });

  test('is neither a name nor the name of a command', () => {
    const w = world(chat());
    for (const query of ['bob', '> mute it']) {
      w.press('ctrl+k');
      w.type(query);
      w.press('escape', 'ctrl+y');
    }
    expect(w.draft().text).toBe('');
  });
});
