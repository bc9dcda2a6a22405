/** Each overlay drawn from state, answered by its keys. */

import { beforeEach, describe, expect, test } from 'vitest';
import type { Message } from '../../src/protocol/types.ts';
import type { AppState, Overlay } from '../../src/state/model/app-state.ts';
import { typeText } from '../../src/state/search/edit-field.ts';
import { showSearchResult } from '../../src/state/search/message-search.ts';
import { openNamePrompt } from '../../src/state/search/name-prompt.ts';
import { parseSearch } from '../../src/state/search/search-query.ts';
import { sanitizeLine } from '../../src/text/safe/sanitize.ts';
import type { SafeText } from '../../src/text/safe-text.ts';
import { width } from '../../src/text/unicode/width.ts';
import { themes } from '../../src/view/theme.ts';
import { chooseTheme } from '../../src/view/theme-choice.ts';
import * as eg from '../support/builders/eg.ts';
import { annMessages, scene } from '../support/builders/scene.ts';
import { stage } from './stage.tsx';

beforeEach(eg.restart);

const under = (overlay: Overlay, local: Partial<AppState['local']> = {}): AppState =>
  scene({ overlays: [overlay] }, local);

const confirm = (fields: Partial<Extract<Overlay, { kind: 'confirm' }>>): Overlay => ({
  kind: 'confirm',
  id: 'message.delete',
  conversationId: 'c-ann',
  messageId: 'a6',
  textThen: 'I will be there',
  openedAt: eg.now,
  ...fields,
});

describe('help', () => {
  const help: Overlay = { kind: 'help', typed: '', selected: 0 };

  test('shows the groups, finds by words and by keys, and closes', async () => {
    const app = stage(under(help));
    expect(app.frame()).toMatch(
      /Help · \d+ commands[\s\S]*Find: what it does[\s\S]*│ Composer +│[\s\S]*> Send; .* Enter │/,
    );
    app.type('ctrl+k');
    await app.see(/Help · 1 found[\s\S]*> Go to a conversation; .* Ctrl-K │[\s\S]*Command goto\.open/);
    app.press('ctrl+u');
    app.type('zzz');
    await app.see('No command or setting has this name or key.');
    app.press('escape');
    await app.see('Write a message');
    expect(app.frame()).not.toContain('Help ·');
  });

  test('says why a command cannot run, in its row and in full below the rows', () => {
    const frame = stage(under({ ...help, typed: 'back to the conversation' })).frame();
    expect(frame).toMatch(/> Back to the conversation that was open before {2}No other .*… +Alt-\/ │/);
    expect(frame).toMatch(/│ Not now: No other conversation has been open yet +│/);
  });

  test.each([
    [40, 12],
    [80, 24],
    [200, 60],
  ])('fits into %i × %i', (columns, rows) => {
    const frame = stage(scene({ overlays: [help], size: { columns, rows } })).frame();
    expect(Math.max(...frame.split('\n').map((row) => row.length))).toBeLessThanOrEqual(columns);
    expect(frame).toContain('> Send');
  });

  test('names in the question for a key what the key means already', async () => {
    const app = stage(under({ ...help, typed: 'goto.open' }));
    app.press('f2');
    await app.see(/Press the new key for "Go to[\s\S]*It has Ctrl-K now\./);
    app.press('ctrl+b');
    await app.see(/Ctrl-B is .* in the[\s\S]*Enter takes Ctrl-B/);
    app.press('enter');
    app.press('escape');
    await app.see('Help ·');
    expect(app.frame()).not.toContain('Press the new key');
  });
});

describe('on a terminal with ASCII only', () => {
  test.each<readonly [string, AppState]>([
    ['help', under({ kind: 'help', typed: '', selected: 0 })],
    ['a question', under(confirm({}))],
    ['the switcher', openNamePrompt('switcher')(scene())],
    ['the commands', typeText('>open')(openNamePrompt('switcher')(scene()))],
    [
      'the reaction picker',
      under({ kind: 'reaction-picker', conversationId: 'c-ann', messageId: 'a3', typed: 'zzz]', selected: 0 }),
    ],
    [
      'the reactions of a message',
      under({ kind: 'reaction-picker', conversationId: 'c-ann', messageId: 'a3', typed: '', selected: 0 }),
    ],
    [
      'the menu of a message',
      under({ kind: 'menu', id: 'message', conversationId: 'c-ann', itemId: 'a3', selected: 0 }),
    ],
    ['the help about a reaction', under({ kind: 'help', typed: 'message.like', selected: 0 })],
    ['the prompt for an attachment', under({ kind: 'attach', conversationId: 'c-ann', typed: '' })],
    ['a row that is cut', openNamePrompt('new-conversation')(scene({ size: { columns: 40, rows: 12 } }))],
  ])('%s is drawn in it', (_, state) => {
    const frame = stage(state, 1_000, { ascii: true }).frame();
    expect(frame).toMatch(/\+-{20,}\+/);
    expect(frame.match(/[^\n -~]/g)).toBe(null);
  });
});

test('a page shows in ASCII, too, what people wrote as it is, within its frame', () => {
  const page: Overlay = { kind: 'details', conversationId: 'c-ann', itemId: 'a6', scroll: 12, versions: [] };
  const state = scene({ overlays: [page], size: { columns: 60, rows: 40 } });
  const text = `go → there ${'…'.repeat(100)}`;
  const messages = annMessages.map((message) => (message.id === 'a6' ? { ...message, text } : message));
  const threads = new Map([['c-ann', eg.thread(messages)]]);
  const frame = stage({ ...state, cache: { ...state.cache, threads } }, 1_000, { ascii: true }).frame();
  expect(frame).toContain('"message": "go → there');
  expect(frame.split('\n').filter((row) => row.includes('……')).length).toBeGreaterThan(1);
  expect(Math.max(...frame.split('\n').map((row) => row.length))).toBe(60);
});

test.each<readonly [string, Overlay]>([
  ['eave empty to remove it', { kind: 'own-name', of: { kind: 'contact', id: 'ann' }, typed: '' }],
  ['It stays on this machine', { kind: 'own-name', of: { kind: 'contact', id: 'ann' }, typed: '' }],
  ['It cannot be brought back', confirm({})],
])('hints of a dialog have the colour of the theme: %s', (words, overlay) => {
  const theme = chooseTheme('light', null, { depth: '256', background: 'light' });
  const frame = stage(under(overlay), 1_000, { theme }).styledFrame();
  expect(frame).toContain(`\x1b[${theme.muted}m${words}`);
});

test.each<readonly [string, AppState, RegExp]>([
  ['Ctrl-K', openNamePrompt('switcher')(scene()), /│ To: name/],
  ['Ctrl-N', openNamePrompt('new-conversation')(scene()), /│ With: name, or the id of a contact or group/],
  [
    'a reaction',
    under({ kind: 'reaction-picker', conversationId: 'c-ann', messageId: 'a4', typed: '', selected: 0 }),
    /│ Name: type to search/,
  ],
  [
    'a name of your own',
    under({ kind: 'own-name', of: { kind: 'contact', id: 'ann' }, typed: '' }),
    /│ Name: leave empty to remove it/,
  ],
])('the label of the field is separate from the prompt: %s', (_, state, words) => {
  expect(stage(state).frame()).toMatch(words);
});

describe('a question', () => {
  test('before deleting a message names it, and yes deletes it', async () => {
    const app = stage(under(confirm({})));
    expect(app.frame()).toContain('Delete this message for everybody?');
    expect(app.frame()).toMatch(/│ You 13:59: I will be there +│/);
    expect(app.frame()).toMatch(/│ Enter yes · n no/);
    app.press('y');
    await app.see('Write a message');
    expect(app.actions).toEqual([{ kind: 'message.delete', conversationId: 'c-ann', messageId: 'a6' }]);
  });

  test.each<readonly [string, Partial<Message>, string]>([
    [
      'a reply by its own words',
      { text: '> Ann Wells wrote:\n> The ferry leaves at nine\n\nI know' },
      'You 13:59: I know',
    ],
    [
      'a message without words by its attachment',
      { text: '', attachments: annMessages[3]?.attachments ?? [] },
      'You 13:59: [file] timetable.pdf',
    ],
  ])('names %s', (_, fields, expected) => {
    const state = under(confirm({}));
    const messages = annMessages.map((message) => (message.id === 'a6' ? { ...message, ...fields } : message));
    const threads = new Map([['c-ann', eg.thread(messages)]]);
    const frame = stage({ ...state, cache: { ...state.cache, threads } }, 1_000, { ascii: true }).frame();
    expect(frame.split('\n').find((row) => row.includes('You 13:59:'))).toContain(`| ${expected}`);
  });

  test('has a frame in the colour of errors, unlike a picker', () => {
    const isRed = (overlay: Overlay): boolean =>
      stage(under(overlay), 1_000, { theme: themes.dark })
        .styledFrame()
        .includes(`\x1b[${themes.dark.dialog.danger}m╭`);
    const picker = {
      kind: 'reaction-picker',
      conversationId: 'c-ann',
      messageId: 'a4',
      typed: '',
      selected: 0,
    } as const;
    expect([isRed(confirm({})), isRed(picker)]).toEqual([true, false]);
  });

  test('accepts no answer in its first moments', () => {
    const app = stage(under(confirm({})), 100);
    app.press('y');
    expect(app.frame()).toContain('Delete this message for everybody?');
    expect(app.actions).toEqual([]);
  });

  test('before deleting a conversation says that archiving keeps it', async () => {
    const app = stage(
      under(confirm({ id: 'conversation.delete', conversationId: 'c-bob', messageId: null, textThen: null })),
    );
    expect(app.frame()).toMatch(/Delete this conversation[\s\S]*│ Bob Quist +│[\s\S]*Archive it instead if you may/);
    app.press('n');
    await app.see('Write a message');
    expect(app.actions).toEqual([]);
  });

  test('comes before a reaction that may remove those of others', async () => {
    const app = stage(
      under(
        confirm({ id: 'react.unknown-rule', messageId: 'a3', textThen: 'The ferry leaves at nine', reaction: 'eyes' }),
      ),
    );
    expect(app.frame()).toMatch(/may remove what others added[\s\S]*Ann Wells 13:50: The ferry leaves at nine/);
    app.press('y');
    await app.see('Write a message');
    expect(app.actions).toMatchObject([{ kind: 'message.react', name: 'eyes', present: true, confirmed: true }]);
  });

  test('shows the text of a message without control characters', () => {
    const text = '\u001b]0;PWN\u0007\u202egpj';
    const state = under(confirm({ messageId: 'gone', textThen: text }));
    expect(stage(state).frame()).toContain('␛]0;PWN␇⟦RLO⟧gpj');
  });
});

describe('the reaction picker', () => {
  test('offers the quick ones, searches what is typed, and gives the chosen one', async () => {
    const kept = { value: 'kept', at: 0, from: 'PUT /v1/messages/:id' } as const;
    const capabilities = { omittedText: kept, omittedFiles: kept };
    const picker = {
      kind: 'reaction-picker',
      conversationId: 'c-ann',
      messageId: 'a4',
      typed: '',
      selected: 0,
    } as const;
    const app = stage(under(picker, { capabilities }));
    expect(app.frame()).toMatch(/React[\s\S]*> 1 👍 :\+1:[\s\S]*2 ❤️ *:heart:/);
    app.press('down');
    await app.see(/> 2 ❤️ *:heart:/);
    app.type('rocket');
    await app.see(/> 🚀 :rocket:/);
    app.press('enter');
    await app.see('Write a message');
    expect(app.actions).toMatchObject([{ kind: 'message.react', messageId: 'a4', name: 'rocket', present: true }]);
  });

  test('says that nothing has the name', async () => {
    const app = stage(
      under({
        kind: 'reaction-picker',
        conversationId: 'c-ann',
        messageId: 'a4',
        typed: 'no such [name]',
        selected: 0,
      }),
    );
    expect(app.frame()).toContain('No reaction has this name');
    app.press('enter');
    expect(app.actions).toEqual([]);
  });
});

describe('the new conversation', () => {
  test('offers people by name and takes an id', async () => {
    const app = stage(openNamePrompt('new-conversation')(scene()));
    expect(app.frame()).toMatch(/New conversation[\s\S]*Ann Wells - has a conversation/);
    app.type('someone-else');
    await app.see(/With: someone-else/);
    app.press('enter');
    await app.see('Write a message');
    expect(app.actions).toMatchObject([{ kind: 'conversation.create', contactId: 'someone-else', groupId: null }]);
  });
});

describe('the message search', () => {
  const finding: Overlay = {
    kind: 'message-search',
    conversationId: 'c-ann',
    here: 'c-ann',
    typed: '',
    selected: 0,
    result: null,
  };

  test('shows what was found with its coverage in the last line, and Enter goes to the chosen message', async () => {
    const app = stage(under(finding));
    expect(app.frame()).toMatch(/Find in Ann Wells[\s\S]*Find: words, "a phrase"[\s\S]*on this machine.*│+\s*\n.*╰/);
    app.type('ferry');
    await app.see(/Find: ferry[\s\S]*Searching …/);
    const [, , ferry, timetable] = annMessages;
    app.store.setState(
      showSearchResult({
        identity: parseSearch('ferry').identity,
        words: ['ferry'],
        conversationId: 'c-ann',
        hits: [timetable!, ferry!].map((message) => ({ conversationId: 'c-ann', message, excerpt: message.text })),
        count: 2,
        coverage: { messages: 1_234, conversations: 1, known: 4, oldest: eg.now - 26 * eg.hour, inPart: 1 },
        isDone: true,
      }),
    );
    await app.see(/Find in Ann Wells · 2 found/);
    expect(app.frame()).toMatch(/> 13:51 +Ann Wells +Here is when: https:\/\/example.org\/ferry/);
    expect(app.frame()).toMatch(/│ Searched 1,234 messages, back to 18 November; F5 fetches the rest +[│┤]+\s*\n.*╰/);
    app.press('down');
    await app.see(/> 13:50 +Ann Wells +The ferry leaves at nine/);
    app.press('enter');
    await app.see('Write a message');
    expect(app.shown).toEqual(['a3']);
  });

  test('shows the whole coverage where it takes two lines', () => {
    const coverage = { messages: 12_431, conversations: 41, known: 52, oldest: eg.now - eg.hour, inPart: 0 };
    const found = {
      identity: parseSearch('x').identity,
      words: ['x'],
      conversationId: null,
      hits: [],
      count: 0,
      coverage,
      isDone: true,
    };
    const overlay: Overlay = { ...finding, typed: 'x', conversationId: null, result: found };
    const app = stage(scene({ overlays: [overlay], size: { columns: 50, rows: 14 } }));
    expect(app.frame()).toMatch(
      /Nothing found[\s\S]*Searched 12,431 messages in 41 of 52 +[│┤]+\s*\n.*conversations, back to 19 November +[│┤]+\s*\n.*╰/,
    );
  });

  test('changes between here and everywhere, and shows no control characters', async () => {
    const app = stage(under({ ...finding, typed: 'pwn' }));
    app.press('ctrl+f');
    await app.see('Find everywhere');
    const message = eg.message({ id: 'x', contact: null, text: '' });
    app.store.setState(
      showSearchResult({
        identity: parseSearch('pwn').identity,
        words: ['pwn'],
        conversationId: null,
        hits: [{ conversationId: 'c-crew', message, excerpt: '\u001b]0;PWN\u0007\u202egpj' }],
        count: 1,
        coverage: { messages: 1, conversations: 1, known: 4, oldest: null, inPart: 1 },
        isDone: true,
      }),
    );
    await app.see(/Harbour crew +\(unknown\): ␛]0;PWN␇⟦RLO⟧gpj/);
    app.press('ctrl+f');
    await app.see('Find in Ann Wells');
    app.press('escape');
    await app.see('Write a message');
  });
});

describe('the token prompt', () => {
  test('hides the typed token and passes it on', async () => {
    const app = stage(under({ kind: 'token', typed: '' }));
    expect(app.frame()).toMatch(/The server refused the token[\s\S]*Nothing is lost/);
    app.type('secret-token');
    await app.see('************');
    expect(app.frame()).not.toContain('secret');
    app.press('enter');
    await app.see('Is this token for the same account?');
    expect(app.frame()).not.toContain('secret');
    app.press('n');
    await app.see('The token was not used');
    expect(app.tokens).toEqual([]);
  });
});

test('is drawn above another page, and gives the screen back', async () => {
  const app = stage(under({ kind: 'details', conversationId: 'c-ann', itemId: 'a1', scroll: 0, versions: [] }));
  app.press('p');
  await app.see(/Name here +none given/);
  app.press('escape');
  await app.see(/Message id +a1/);
  app.press('escape');
  await app.see('Write a message');
});

test('shows what is typed, if it is for a name', async () => {
  const app = stage(under({ kind: 'own-name', of: { kind: 'group', id: 'crew' }, typed: '' }));
  expect(app.frame()).toMatch(/A name of your own[\s\S]*It stays on this machine/);
  app.type('Harbour');
  await app.see(/Name: Harbour/);
});

describe('a message without an answer', () => {
  const action = { kind: 'message.send', conversationId: 'c-ann', text: 'On my way' } as const;
  const reason = 'No answer from the server. Not in the history after 2 checks. It may still arrive.';

  test('shows what was tried and offers to send again once that is safe', () => {
    const op = eg.op(action, { uuid: 'u', state: 'unsure', scans: 2, reason, lastScan: eg.now });
    const attempts = [
      { started: eg.now - 60_000, ended: eg.now - 50_000, outcome: 'ambiguous' as const, evidence: 'reset' },
    ];
    const app = stage(under({ kind: 'unsure', uuid: 'u' }, { outbox: [{ ...op, attempts }] }));
    expect(app.frame()).toMatch(
      /Was this message sent\?[\s\S]*│ On my way[\s\S]*after 2 checks\.[\s\S]*│ still arrive\./,
    );
    expect(app.frame()).not.toContain('It can be sent again');
    expect(app.frame()).toMatch(/r send again · e edit · d discard · l let later ones go · Esc close/);
  });

  test('is not offered to be sent again before that', () => {
    const op = eg.op(action, { uuid: 'u', state: 'unsure', scans: 1, reason, lastScan: eg.now });
    const app = stage(under({ kind: 'unsure', uuid: 'u' }, { outbox: [op] }));
    expect(app.frame()).toContain('e edit · d discard');
    expect(app.frame()).not.toContain('r send again');
    expect(app.frame()).toMatch(/It can be sent again half a minute after the attempt, if[\s\S]*not show it by then\./);
  });

  test('says so once it is settled, and still accepts the keys', async () => {
    const app = stage(under({ kind: 'unsure', uuid: 'gone' }));
    expect(app.frame()).toMatch(/nothing left to decide[\s\S]*│ Esc close +│/);
    app.press('escape');
    await app.see('Write a message');
  });
});

describe('the addresses of a message', () => {
  const links = {
    addresses: [
      { href: 'https://a.example/x', shown: 'https://a.example/x' as SafeText },
      {
        href: `https://b.example/${'y'.repeat(120)}`,
        shown: `plan.pdf: https://b.example/${'y'.repeat(120)}` as SafeText,
      },
    ],
    refused: 1,
  };

  test('are shown in full before one is opened', async () => {
    const app = stage(under({ kind: 'links', links, selected: 0 }));
    expect(app.frame()).toMatch(/Open in the browser\?[\s\S]*> 1 https:\/\/a\.example\/x/);
    expect(app.frame()).toMatch(/Left out: one that is not http or https/);
    expect(app.frame()).toMatch(/Enter open · y copy .*Esc close/);
    app.press('down');
    await app.see(/> 2 plan\.pdf: https:\/\/b\.example\/y+…/);
    expect(app.frame().match(/y/g)?.length).toBeGreaterThan(120);
    app.press('enter');
    await app.see('Write a message');
    expect(app.opened).toEqual([links.addresses[1]?.href]);
  });

  test('show that one that is longer than the dialog goes on', () => {
    const href = `https://a.example/${'y'.repeat(400)}`;
    const long = { addresses: [{ href, shown: href as SafeText }], refused: 0 };
    expect(stage(under({ kind: 'links', links: long, selected: 0 })).frame()).toMatch(/y{60,}… │.*\n.*Enter open/);
  });
});

test('the cursor of the terminal is left in the field of the top dialog', async () => {
  const app = stage(under({ kind: 'own-name', of: { kind: 'group', id: 'crew' }, typed: '' }));
  app.type('日本');
  await app.see('日本');
  const lines = app.frame().split('\n');
  const y = lines.findIndex((line) => line.includes('Name: 日本'));
  const x = width(sanitizeLine(lines[y]?.split('日本')[0] ?? '')) + 4;
  expect(app.drawnOverlays.cursor).toEqual({ x, y });
  app.press('escape');
  await app.see('Write a message');
  expect(app.drawnOverlays.cursor).toBeNull();
});
