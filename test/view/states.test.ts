/** What the panes say: freshness, notices, blanks, what became of a message, and the composer's own rows. */
import { beforeEach, describe, expect, test } from 'vitest';
import type { Message } from '../../src/protocol/types.ts';
import { changedMeanwhile, messageNotFound } from '../../src/state/local/outbox.ts';
import type { AppState, Connection, Op } from '../../src/state/model/app-state.ts';
import { selectThreadItems } from '../../src/state/select/selectors.ts';
import { setFolded, turnPart } from '../../src/state/view/thread-place.ts';
import { targetAt } from '../../src/text/layout/row.ts';
import { createPanes, type Panes } from '../../src/view/panes.ts';
import { themes } from '../../src/view/theme.ts';
import * as eg from '../support/builders/eg.ts';
import { picture } from '../support/builders/picture.ts';
import { rowToText } from '../support/builders/row-text.ts';
import { annMessages, scene } from '../support/builders/scene.ts';
import { fastest } from '../support/clocks/fastest.ts';

beforeEach(eg.restart);

const keys: Readonly<Record<string, string>> = {
  'message.retry': 'R',
  'message.discard': 'D',
  'server.poll': 'F5',
  'server.signIn': 'Ctrl-T',
  'conversation.new': 'Ctrl-N',
  'message.more': 'm',
  'message.less': 'M',
  'message.edit': 'e',
};
const make = (theme = themes.dark): Panes =>
  createPanes({ theme, ascii: false, now: () => eg.now, keyOf: (id) => keys[id] ?? '' });
const screen = (state: AppState): string => picture(make(), state).join('\n');
const header = (state: AppState): string => picture(make(), state)[0] ?? '';
const connected = (state: AppState, patch: Partial<Connection>): AppState => ({
  ...state,
  view: { ...state.view, connection: { ...state.view.connection, ...patch } },
});
const at = (hours: number, minutes: number): number => Date.UTC(2026, 10, 19, hours, minutes, 9);

test('the title of the thread says that the user only looks, for as long as nothing is marked as read', () => {
  const panes = createPanes({ theme: themes.dark, ascii: false, now: () => eg.now });
  const opened = scene();
  const peeked = { ...opened, view: { ...opened.view, isPeeking: true } };
  const titleOf = (state: AppState): string => picture(panes, state)[1] ?? '';
  expect(titleOf(peeked)).toMatch(/Ann Wells ─ only looking ─/);
  expect(titleOf(opened)).not.toContain('only looking');
});

test('a conversation is called empty only when it was read', () => {
  const read = scene();
  expect(screen(read)).toContain('no messages yet');
  expect(screen({ ...read, cache: { ...read.cache, foundEmpty: new Map() } })).not.toContain('no messages yet');
});

test('a message of blanks and invisible characters alone is called empty, in the thread and in the list', () => {
  for (const text of ['', ' \n', '\u200b\u2060']) {
    const unseen = eg.message({ id: 'a9', conversationId: 'c-ann', text });
    const state = scene({ size: { columns: 120, rows: 40 } });
    const threads = new Map([['c-ann', eg.thread([unseen])]]);
    const cache = { ...state.cache, threads, lastMessages: new Map([['c-ann', unseen]]) };
    const rows = picture(make(), { ...state, cache });
    const seen = rows.join('\n').match(/\(empty message\)/g) ?? [];
    expect(seen, JSON.stringify(text)).toHaveLength(2);
  }
});

test('long names are cut with an ellipsis everywhere, and take no room from the text beside them', () => {
  const named = scene({ focus: 'messages' }, { names: new Map([['ann', '漢字'.repeat(32)]]) });
  const rows = picture(make(), named);
  const scrolled = { scroll: { at: 'message', messageId: 'a1', line: 0 }, selectedId: null } as const;
  const size = { columns: 80, rows: 12 };
  const away = {
    ...named,
    view: { ...named.view, places: new Map([['c-ann', scrolled]]) },
    screen: { ...named.screen, size },
  };
  expect(rows[1]).toMatch(/漢.*… [─━]┐$/);
  expect(rows.find((row) => row.includes('├ To '))).toMatch(/To 漢.*… [─━]┤$/);
  expect(rows.some((row) => /│ 漢字.*… +\d\d:\d\d│$/.test(row))).toBe(true);
  expect(picture(make(), away).find((row) => row.includes('├ To '))).toMatch(/To 漢.*… [─━]+ (newer|\d+ new) ↓ [─━]┤$/);
});

describe('header', () => {
  test.each([
    [{ pid: 4321, isStopped: false }, 'as of 13:05 · process 4321 sends'],
    [{ pid: null, isStopped: false }, 'as of 13:05 · another msg-tui sends'],
    [{ pid: 4321, isStopped: true }, 'process 4321 sends, but is stopped · as of 13:05'],
  ])('names another program that sends: %j', (otherSender, text) => {
    const state = connected(scene(), { status: 'online', asOf: at(13, 5) });
    expect(header({ ...state, view: { ...state.view, otherSender } })).toMatch(new RegExp(`${text}$`));
  });

  test.each([
    [80, '3 unread · as of 13:05 · process 4321 sends'],
    [60, '\\(3\\) · as of 13:05 · process 4321 sends'],
  ])('with %i columns, says unread in a word where everything has room', (columns, text) => {
    const size = { columns, rows: 24 };
    const state = connected(scene({ size }), { status: 'online', asOf: at(13, 5) });
    const otherSender = { pid: 4321, isStopped: false };
    expect(header({ ...state, view: { ...state.view, otherSender } })).toMatch(new RegExp(`${text}$`));
  });

  test.each<[Partial<Connection>, string]>([
    [{ status: 'starting' }, 'connecting…'],
    [{ status: 'online', asOf: at(13, 5) }, 'as of 13:05'],
    [{ status: 'offline', since: at(14, 0), nextPollAt: at(14, 3) }, 'offline since 14:00:09 · next try 14:03:09'],
    [{ status: 'offline', since: at(14, 0), fault: 500 }, 'server fault \\(500\\) since 14:00:09 · trying now'],
    [{ status: 'offline', since: at(14, 0), fault: 403 }, 'refused \\(403\\) since 14:00:09 · trying now'],
    [{ status: 'rate-limited', until: at(14, 4) }, 'rate-limited until 14:04:09'],
    [{ status: 'unauthorized', reason: '401' }, 'token refused · 401'],
    [{ status: 'no-token', reason: 'the keyring is locked' }, 'no token · the keyring is locked'],
    [{ status: 'not-api' }, 'this server does not follow the API'],
  ])('shows %j', (patch, text) => {
    expect(header(connected(scene(), patch))).toMatch(new RegExp(`${text}$`));
  });

  const reason = 'The server at https://chat.example.org could not be reached: connection refused (ECONNREFUSED)';
  const outbox = [eg.op({ kind: 'conversation.pin', conversationId: 'c-ann', value: true })];
  const offline = (columns: number): string =>
    header(
      connected(scene({ size: { columns, rows: 24 } }, { outbox }), {
        status: 'offline',
        since: at(14, 0),
        nextPollAt: at(14, 3),
        reason,
      }),
    );

  test('gives a long cause the remaining room, and never that of the account or of the waiting writes', () => {
    expect(offline(80)).toMatch(/^ msg-tui {2}work {2,}\(3\) · offline since 14:00:09 · next try 14:03:09 · 1 queued$/);
    expect(offline(120)).toMatch(/^ msg-tui {2}work .*next try 14:03:09 · The server at https:.*… · 1 queued$/);
    expect(offline(200)).toContain(reason);
    expect(offline(60)).toMatch(/offline since 14:00:09 · 1 queued$/);
  });

  test.each([40, 60, 79, 80, 200])('shows the sum of unread messages at %i columns', (columns) => {
    const size = { columns, rows: 24 };
    expect(header(scene({ size }))).toMatch(/3 unread · as of 14:02$/);
    const unread = scene({ size });
    expect(header({ ...unread, cache: { ...unread.cache, unread: new Map() } })).not.toContain('unread');
  });

  test('counts waiting writes by what they wait for', () => {
    const send = { kind: 'message.send', conversationId: 'c-bob', text: 'x' } as const;
    const states: readonly Op['state'][] = ['queued', 'sending', 'unsure', 'failed'];
    const state = scene({}, { outbox: states.map((one) => eg.op(send, { state: one })) });
    expect(header(state)).toMatch(/2 queued · \? 1 unsure · ! 1 failed$/);
    const narrow = {
      ...state,
      view: { ...state.view, isUnencrypted: true },
      screen: { ...state.screen, size: { columns: 60, rows: 16 } },
    };
    expect(header(narrow)).toMatch(/not encrypted · as of 14:02 · ! 1 · \? 1 · ⧗ 2$/);
  });

  test('the name of the program is shown whole or not at all', () => {
    const send = { kind: 'message.send', conversationId: 'c-bob', text: 'x' } as const;
    const size = { columns: 40, rows: 10 };
    const narrow = (state: Op['state']) => header(scene({ size }, { outbox: [eg.op(send, { state })] })).trim();
    expect(narrow('queued')).toMatch(/^msg-tui +\(3\) · as of 14:02 · 1 queued$/);
    expect(narrow('unsure')).toBe('(3) · as of 14:02 · ? 1 unsure');
  });
});

describe('on a terminal with ASCII only', () => {
  const ascii = (state: AppState, hints = [{ label: '↓', title: 'next' }]): string =>
    picture(createPanes({ theme: themes.none, ascii: true, now: () => eg.now }), state, hints).join('\n');

  test('a reaction given as an emoji is shown by its name, and keys are spelled out', () => {
    const reactions = [
      { name: '❤️', by: ['Cyd'] },
      { name: 'tada', by: ['Cyd'] },
    ];
    const message = eg.message({ ...annMessages[4]!, reactions });
    const state = scene();
    const cache = { ...state.cache, threads: new Map([['c-ann', eg.thread([message])]]) };
    expect(ascii({ ...state, cache })).toMatch(/:heart: 1 +:tada: 1/);
    expect(ascii(state)).toMatch(/ Down next *$/);
  });

  test('a notice is shown in ASCII, its keys and dots too', () => {
    const text = 'Asking the server … Alt-↓ opens the next one';
    const state = scene({ notices: [{ id: 1, tone: 'info', text, at: 0, until: null, about: 'command' }] });
    expect(ascii(state)).toContain('- Asking the server ... Alt-Down opens the next one');
  });

  test('emoji in messages and in the list are shown by their names, formatted or not', () => {
    const message = eg.message({ ...annMessages[4]!, text: 'Soup 🍲 at **nine** 🎉' });
    const state = scene();
    const threads = new Map([['c-ann', eg.thread([message])]]);
    const lastMessages = new Map([...state.cache.conversations.keys()].map((id) => [id, message] as const));
    const shown = ascii({ ...state, cache: { ...state.cache, threads, lastMessages } });
    expect(shown).toMatch(/Soup :stew: at \**nine\** :tada:/);
    expect(shown.match(/:stew:/g)?.length).toBeGreaterThan(1);
    expect(shown).not.toMatch(/🍲|🎉/u);
  });
});

describe('footer', () => {
  const withNotice = (text: string): AppState =>
    scene({ notices: [{ id: 1, tone: 'error', text, at: 0, until: null, about: 'op-1' }] });

  test('shows the keys beside the newest notice, which starts with its tone', () => {
    const hints = [{ label: 'F1', title: 'help' }];
    expect(picture(make(), withNotice('Disk full.'), hints).at(-1)).toMatch(/^ ✗ Disk full\. +F1 help$/);
  });

  test('leaves out what does not fit, and never the hints that have to stay', () => {
    const panes = make();
    const hints = [
      { label: 'Enter', title: 'open the conversation that is selected' },
      { label: 'Ctrl-N', title: 'start a conversation with somebody' },
      { label: 'F1', title: 'help', isKept: true },
      { label: 'Esc', title: 'back', isKept: true },
    ];
    const state = scene();
    const rows = panes.rows('footer', state, panes.layout(state), hints);
    expect(rowToText(rows[0] ?? []).trimEnd()).toBe(
      ' Enter open the conversation that is selected · F1 help · Esc back',
    );
  });

  test('shortens no notice for the keys beside it, also not for those that have to stay', () => {
    const hints = [
      { label: 'Tab', title: 'complete', isKept: true },
      { label: 'Esc', title: 'close', isKept: true },
      { label: 'Enter', title: 'send' },
      { label: 'F1', title: 'help', isKept: true },
    ];
    const last = (text: string) => picture(make(), withNotice(text), hints).at(-1);
    expect(last('The open account is not one of config.toml')).toMatch(
      /^ ✗ The open account is not one of config\.toml {2,}Tab complete · Esc close$/,
    );
    expect(last('Short')).toMatch(/^ ✗ Short +Tab complete · Esc close · Enter send · F1 help$/);
  });

  test('leaves out a key below a dialog where the notice is whole without it', () => {
    const hints = [
      { label: 'Enter', title: 'choose', isKept: true },
      { label: 'Esc', title: 'close', isKept: true },
    ];
    const help = { kind: 'help', typed: '', selected: 0 } as const;
    const below = (text: string) => {
      const state = withNotice(text);
      return picture(make(), { ...state, screen: { ...state.screen, overlays: [help] } }, hints).at(-1);
    };
    expect(below('Nothing older')).toMatch(/^ ✗ Nothing older +Enter choose · Esc close$/);
    const reason = 'Older messages are fetched for one conversation at a time';
    expect(below(reason)).toMatch(new RegExp(`^ ✗ ${reason} +Esc close$`));
    expect(below('word '.repeat(20))).toMatch(/^ ✗ word .*… +Enter choose · Esc close$/);
  });

  test('has a second row for a long notice, and the panes make room', () => {
    const rows = picture(make(), withNotice(`${'word '.repeat(25)}end`), [{ label: 'F1', title: 'help' }]);
    expect(rows).toHaveLength(24);
    expect(rows.at(-3)).toMatch(/^ ✗ word/);
    expect(rows.at(-2)).toMatch(/ {3}word.*end$/);
    expect(rows.at(-1)).toContain('F1 help');
  });

  test('shows a long cause in full if there is room, and otherwise as much as fits in a quarter of the screen', () => {
    const cause =
      'The server refused this: the text of a message must not be longer than 4000 characters, and no reaction may ' +
      'have a name of more than 64; the operator of this server can be reached at help@chat.example.org. Shorten it, or ask there.';
    const told = picture(make(), withNotice(cause)).slice(-5).join(' ').replace(/\s+/g, ' ');
    expect(told).toContain(cause);
    const rows = picture(make(), withNotice('word '.repeat(200)));
    expect(rows).toHaveLength(24);
    expect(rows.filter((row) => row.startsWith(' ✗ ') || row.startsWith('   word'))).toHaveLength(6);
    expect(rows.at(-1)).toMatch(/…$/);
  });

  test('keeps its rows when equal hints are made anew', () => {
    const panes = make();
    const state = scene();
    const hint = () => [{ label: 'F1', title: 'help' }];
    const where = panes.layout(state);
    expect(panes.rows('footer', state, where, hint())).toBe(panes.rows('footer', state, where, hint()));
  });
});

describe('own messages', () => {
  const send = { kind: 'message.send', conversationId: 'c-ann', text: 'on my way' } as const;
  const pending = (fields: Partial<Op>): string => screen(scene({}, { outbox: [eg.op(send, fields)] }));

  test.each<[Partial<Op>, string]>([
    [{ state: 'queued' }, '⧗'],
    [{ state: 'sending' }, '↗'],
    [{ state: 'unsure' }, '?'],
    [{ state: 'failed' }, '!'],
  ])('that are %j have a sign', (fields, sign) => {
    const row = pending({ ...fields, created: eg.now })
      .split('\n')
      .find((line) => line.slice(31).includes('on my way'));
    expect(row).toContain(sign);
  });

  test('that failed show the reason and the keys that help', () => {
    expect(pending({ state: 'failed', reason: 'too \u001b[31mlong' })).toContain('! too ␛[31mlong · R try again · D');
  });

  test('have each key on one row with what it does', () => {
    const shown = (length: number): string =>
      pending({ state: 'failed', reason: 'x'.repeat(length) })
        .split('\n')
        .map((row) => row.slice(30).trim())
        .join('\n');
    const narrow = Array.from({ length: 48 }, (_, length) => shown(length + 1));
    for (const rows of narrow) expect(rows).toMatch(/R try again[\s\S]*D discard/);
    expect(narrow.some((rows) => /· *│?\n│? *R try again/.test(rows))).toBe(true);
  });

  test('that are unsure say how many checks were made', () => {
    const text = (scans: number, reason: string | null): string =>
      pending({ state: 'unsure', scans, reason })
        .split('\n')
        .map((row) => row.slice(30))
        .join(' ')
        .replace(/[│\s]+/g, ' ');
    const found = 'Not in the history after 3 checks. It may still arrive.';
    expect(text(3, found)).toContain(`? ${found.slice(0, -1)} · R`);
    expect(text(0, null)).toContain('No answer from the server. Looking for it in the history · R');
    expect(text(0, 'ECONNRESET')).toContain('Not confirmed: ECONNRESET. Looking for it in the history · R');
  });

  test.each([
    ['decide', 2_000],
    ['try again', 31_000],
  ])('that are unsure offer to %s after two checks, %i ms after the attempt', (offer, afterMs) => {
    const ended = eg.now - 60_000;
    const attempts = [{ started: ended, ended, outcome: 'ambiguous' as const, evidence: 'reset' }];
    const shown = pending({ state: 'unsure', scans: 2, lastScan: ended + afterMs, reason: 'Not there.', attempts });
    expect(shown).toContain(`? Not there · R ${offer} · D discard`);
  });

  test('do not move while a change of them is being sent', () => {
    const react = {
      kind: 'message.react',
      conversationId: 'c-ann',
      messageId: 'a3',
      name: 'thumbsup',
      present: true,
    } as const;
    const queued = eg.op({ ...react, confirmed: false });
    expect(
      screen(scene({}, { outbox: [queued] }))
        .split('\n')
        .slice(1),
    ).toEqual(screen(scene()).split('\n').slice(1));
  });

  test('whose edit was rejected say that it was the edit', () => {
    const edit = { kind: 'message.edit', conversationId: 'c-ann', messageId: 'a6', base: '', text: 'no' } as const;
    const shown = screen(scene({}, { outbox: [eg.op(edit, { state: 'failed', reason: 'not yours' })] }));
    expect(shown).toContain('! edit: not yours');
  });

  test('whose edit found them deleted offer to take the text into the composer, not to try again', () => {
    const edit = { kind: 'message.edit', conversationId: 'c-ann', messageId: 'gone', base: '', text: 'no' } as const;
    const attempts = [{ started: 1, ended: 2, outcome: 'rejected', evidence: messageNotFound }] as const;
    const failed = eg.op(edit, { state: 'failed', reason: 'It was deleted.', attempts });
    const shown = screen(scene({ size: { columns: 160, rows: 30 } }, { outbox: [failed] }));
    expect(shown).toContain('! It was deleted · e into the composer · D discard');
  });

  test('whose text somebody else has changed offer both texts', () => {
    const edit = { kind: 'message.edit', conversationId: 'c-ann', messageId: 'a6', base: '', text: 'no' } as const;
    const attempts = [{ started: 1, ended: 2, outcome: 'rejected', evidence: changedMeanwhile }] as const;
    const failed = eg.op(edit, { state: 'failed', reason: 'It was changed.', attempts });
    const shown = screen(scene({ size: { columns: 160, rows: 30 } }, { outbox: [failed] }));
    expect(shown).toContain('! edit: It was changed · R put yours in its place · D leave theirs · e edit both');
  });
});

describe('texts of messages', () => {
  const withText = (text: string): AppState => {
    const base = scene({ size: { columns: 80, rows: 60 } });
    const last = eg.message({ id: 'z', conversationId: 'c-ann', text, createdAt: eg.now });
    return { ...base, cache: { ...base.cache, threads: new Map([['c-ann', eg.thread([...annMessages, last])]]) } };
  };

  test('are shown beside a bar on every line, so that none looks like an author', () => {
    const forged = screen(withText('hi\nAnn Wells 14:02\n\nYou'));
    expect(forged).toContain('│   Ann Wells 14:02');
    expect(forged).not.toMatch(/│ Ann Wells 14:02/);
  });

  test('that are very long are shown in parts, with how far and the key that shows more', () => {
    const base = setFolded('c-ann', 'z', false)(withText('line\n'.repeat(5000)));
    const rows = (state: AppState): string =>
      make().rows('thread', state, make().layout(state)).map(rowToText).join('\n');
    expect(rows(base)).toContain('… 4 % of this long message · m shows more');
    const item = selectThreadItems(base, 'c-ann').at(-1);
    if (item === undefined) throw new Error('the scene has messages');
    const next = turnPart('c-ann', item, 1)(base);
    expect(rows(next)).toContain('… the previous part · M shows it');
    const last = Array.from({ length: 30 }).reduce<AppState>((state) => turnPart('c-ann', item, 1)(state), next);
    const end = {
      ...last,
      view: {
        ...last.view,
        places: new Map(
          [...last.view.places].map(([id, place]) => [id, { ...place, scroll: { at: 'bottom' as const } }]),
        ),
      },
    };
    expect(rows(end)).not.toContain('of this long message');
    expect(rows(end)).toContain('line');
    expect(turnPart('c-ann', item, 1)(end)).toBe(end);
  });

  test('of a megabyte cost no more than what is shown', () => {
    const state = withText('漢'.repeat(1_000_000));
    const draw = (): void => {
      const panes = make();
      panes.rows('thread', state, panes.layout(state));
    };
    expect(fastest(1000, draw)).toBeLessThan(1000);
  });

  test('underline links and nothing around them', () => {
    const state = withText('see https://example.org/a now');
    const panes = make();
    const spans = panes.rows('thread', state, panes.layout(state)).flat();
    expect(spans.filter((span) => span.style === themes.dark.link).map((span) => span.text)).toContain(
      'https://example.org/a',
    );
  });

  test('underline a link on each of its rows, and a click on any of them uses the whole address', () => {
    const address = `https://example.org/${'long/path/'.repeat(12)}end`;
    const state = withText(`see ${address}, and this`);
    const panes = make();
    const rows = panes.rows('thread', state, panes.layout(state));
    const links = rows.flat().filter(({ target }) => target?.kind === 'link' && target.address === address);
    expect(links.length).toBeGreaterThan(1);
    expect(links.map((span) => span.text).join('')).toBe(address);
    for (const link of links) expect(link.style).toBe(themes.dark.link);
  });
});

describe('empty panes', () => {
  const nobody = (view: Partial<AppState['view']> = {}): AppState => eg.state({ view });

  test('distinguish messages that are loading, absent, and impossible to fetch', () => {
    expect(screen(connected(nobody(), { listComplete: false }))).toContain('Loading conversations…');
    const unread = connected(nobody(), { listComplete: false, listRest: 'missing' });
    expect(screen(unread)).toContain('No conversation here');
    expect(screen(nobody())).toContain('No conversations yet.');
    expect(screen(nobody())).toContain('Ctrl-N starts one.');
    const offline = screen(connected(nobody(), { status: 'offline', reason: 'refused' }));
    expect(offline).toContain('! Could not load: refused');
    expect(offline).toContain('F5 tries again.');
  });

  test('name the filter or the view that leaves nothing', () => {
    const list = scene().view.list;
    expect(screen(scene({ list: { ...list, filter: 'zz' } }))).toContain('No name matches "zz".');
    expect(screen(scene({ list: { ...list, view: 'archived' } }))).toContain('Nothing in "Archived".');
  });

  const bob = (patch: Partial<Connection>, threads: AppState['cache']['threads'] = new Map()): string => {
    const state = connected(scene({ openId: 'c-bob' }), patch);
    return screen({ ...state, cache: { ...state.cache, threads } });
  };

  test('of a thread distinguish the same', () => {
    expect(screen(scene({ openId: null }))).toContain('No conversation is open.');
    expect(bob({})).toContain('Loading messages…');
    expect(bob({}, new Map([['c-bob', eg.thread([])]]))).toContain('No messages yet.');
    expect(bob({ failures: new Map([['c-bob', 'gone away']]) })).toContain('! Could not load: gone away');
  });

  test('of a thread name the key that opens a conversation as soon as the list has one', () => {
    const panes = createPanes({ theme: themes.dark, ascii: false, now: () => eg.now, keyOf: () => 'Enter' });
    const before = scene({ openId: null });
    const { conversations } = before.cache;
    const empty = { ...before, cache: { ...before.cache, conversations: new Map() } };
    expect(picture(panes, empty).join('\n')).not.toContain('opens the one');
    const listed = { ...empty, cache: { ...empty.cache, conversations } };
    expect(picture(panes, listed).join('\n')).toContain('Enter opens the one selected in the list.');
  });

  test('are not shown instead of a cached copy, whose age is shown above it', () => {
    const state = connected(scene(), { failures: new Map([['c-ann', 'timeout']]) });
    expect(screen(state)).toContain('! Could not refresh: timeout · as of 14:02');
    expect(screen(state)).toContain('Hi Ann');
  });

  test('show the age of this copy if the server answers only for others, and unknown before its first reading', () => {
    const failures = new Map([['c-ann', 'you may not']]);
    const read = (at: number | null) => screen(connected(scene(), { failures, lastReads: new Map([['c-ann', at]]) }));
    const { asOf } = scene().view.connection;
    expect(read((asOf ?? 0) - 3_600_000)).toContain('! Could not refresh: you may not · as of 13:02');
    expect(read(null)).toContain('! Could not refresh: you may not · F5');
  });

  test('name no key while the server asks to wait, but the time of the next try', () => {
    const waits = { status: 'rate-limited', until: eg.now + 30_000, reason: 'slowly' } as const;
    const time = new Date(eg.now + 30_000).toTimeString().slice(0, 8);
    expect(bob(waits)).toContain(`Next try at ${time}.`);
    const shown = screen(connected(scene(), { ...waits, failures: new Map([['c-ann', 'slowly']]) }));
    expect(shown).toMatch(new RegExp(`Could not refresh: slowly · as of 14:02 ·[^]*next try ${time}`));
    expect(bob(waits) + shown).not.toContain('tries again');
    const closed = { ...waits, status: 'offline', fault: 503 } as const;
    expect(bob(closed)).toContain(`Next try at ${time}.`);
    expect(bob({ ...waits, until: null })).toContain('F5 tries again');
  });

  test('name the key for another token if the server refuses it, as another request is no help', () => {
    const refused = { status: 'unauthorized', reason: 'refused', failures: new Map([['c-ann', 'refused']]) } as const;
    expect(screen(connected(scene(), refused))).toMatch(
      /Could not refresh: refused · as of 14:02 ·[\s\S]*Ctrl-T takes another token/,
    );
    expect(bob({ status: 'unauthorized', reason: 'refused' })).toContain('Ctrl-T takes another token.');
  });

  test('show a long cause above a cached copy in three rows, which end with the key that helps', () => {
    const reason = 'The server answered with an error of its own (503): '.concat('maintenance until noon, '.repeat(20));
    const state = connected(scene(), { failures: new Map([['c-ann', reason]]) });
    const rows = picture(make(), state).filter((row) => /Could not refresh|maintenance|tries again/.test(row));
    expect(rows).toHaveLength(3);
    expect(rows.at(-1)).toMatch(/F5 tries again *│$/);
  });

  test('show it in one row where the screen is low, so that messages are seen', () => {
    const reason = 'nothing listens at the address of the server';
    const small = scene({ size: { columns: 40, rows: 10 } });
    const rows = picture(make(), connected(small, { failures: new Map([['c-ann', reason]]) }));
    const [at, ...others] = rows.flatMap((row, i) => (/Could not|listens|F5/.test(row) ? [i] : []));
    expect([rows[at ?? -1], others]).toEqual([expect.stringMatching(/! Could not .*… · F5 tries again *│$/), []]);
  });

  test.each<['server' | 'unreachable', string]>([
    ['server', 'Older messages…'],
    ['unreachable', 'Older messages cannot be fetched from this server.'],
  ])('say what comes before a thread whose older end is %s', (older, text) => {
    const base = scene({ size: { columns: 100, rows: 40 } });
    const threads = new Map([['c-ann', eg.thread(annMessages, { older, gaps: ['a5'] })]]);
    const shown = screen({ ...base, cache: { ...base.cache, threads } });
    expect(shown).toContain(text);
    expect(shown).toContain('messages may be missing here');
  });
});

describe('list', () => {
  test('shows no state of the last message beside a draft, and leaves no blank for a missing count', () => {
    const state = scene({ focus: 'list' });
    const own = { ...(annMessages[4] as Message), conversationId: 'c-bob' };
    const drafts = new Map([['c-bob', eg.draft('not yet')]]);
    const lastMessages = new Map([...state.cache.lastMessages, ['c-bob', own] as const]);
    const sent = { ...state, cache: { ...state.cache, lastMessages } };
    expect(screen(sent)).toMatch(/You: Hi Ann +✓✓/);
    const drafted = screen({ ...sent, local: { ...sent.local, drafts } });
    expect(drafted).toContain('Draft: not yet');
    expect(drafted).not.toMatch(/Draft: not yet +✓/);
    const panes = make(themes['high-contrast']);
    const spans = panes.rows('list', state, panes.layout(state)).flat();
    const blank = spans.filter(({ text, style }) => text.trim() === '' && style === themes['high-contrast'].unread);
    expect(blank).toEqual([]);
  });

  test('has the time of the last message, also before the list of the server says that it came', () => {
    const state = scene();
    const came = eg.message({ conversationId: 'c-bob', text: 'now', createdAt: eg.now - eg.minute });
    const lastMessages = new Map([...state.cache.lastMessages, ['c-bob', came] as const]);
    expect(screen(state)).toMatch(/Bob Quist +12:40/);
    expect(screen({ ...state, cache: { ...state.cache, lastMessages } })).toMatch(/Bob Quist +14:01/);
  });

  test('has the names of unread conversations in bold, and the others not', () => {
    const panes = make(themes.dark);
    const state = scene();
    const spans = panes.rows('list', state, panes.layout(state)).flat();
    const styleOf = (name: string): string | undefined => spans.find(({ text }) => text === name)?.style;
    expect([styleOf('Harbour crew'), styleOf('Ann Wells')]).toEqual([themes.dark.strong, '']);
  });

  test('says of a message after an unsure one what it waits for', () => {
    const send = { kind: 'message.send', conversationId: 'c-ann' } as const;
    const unsure = eg.op({ ...send, text: 'first' }, { seq: 1, state: 'unsure' });
    const outbox = [unsure, eg.op({ ...send, text: 'second' }, { seq: 2 })];
    expect(screen(scene({}, { outbox }))).toMatch(/second[\s\S]*Waits for the unsure message above it/);
    const passed = [{ ...unsure, skippedInOrder: true as const }, ...outbox.slice(1)];
    expect(screen(scene({}, { outbox: passed }))).not.toContain('Waits for the unsure');
  });

  test('shows drafts of other conversations, and unsent messages with their state', () => {
    const send = { kind: 'message.send', conversationId: 'c-crew', text: 'coming' } as const;
    const state = scene(
      {},
      { drafts: new Map([['c-bob', eg.draft('not yet')]]), outbox: [eg.op(send, { state: 'unsure' })] },
    );
    const shown = screen(state);
    expect(shown).toContain('🔕 ✎ Bob Quist');
    expect(shown).toContain('Draft: not yet');
    expect(shown).toMatch(/You: coming +\? │/);
  });

  test('shows the last message as it was edited before the server has that, and a refused edit not', () => {
    const edit = {
      kind: 'message.edit',
      conversationId: 'c-ann',
      messageId: 'a6',
      base: 'I will be there',
      text: 'I will be late',
    } as const;
    expect(screen(scene({}, { outbox: [eg.op(edit)] }))).toMatch(/You: I will be late/);
    expect(screen(scene({}, { outbox: [eg.op(edit, { state: 'failed' })] }))).toMatch(/You: I will be there/);
  });

  test('keeps the selection visible and otherwise stays where it is', () => {
    const panes = make();
    const conversations = Array.from({ length: 50 }, (_, i) =>
      eg.conversation({ id: `c${i}`, groupId: `g${i}`, createdAt: eg.now - i * 1000 }),
    );
    const base = eg.state({ conversations });
    const first = (selectedId: string) => {
      const state = { ...base, view: { ...base.view, list: { ...base.view.list, selectedId } } };
      return targetAt(panes.rows('list', state, panes.layout(state))[1] ?? [], 3);
    };
    const selected = ['c0', 'c20', 'c15', 'c5', 'c49'];
    expect(selected.map(first)).toMatchObject(
      ['c0', 'c11', 'c11', 'c5', 'c40'].map((conversationId) => ({ conversationId })),
    );
  });

  test('shows where the filter is typed', () => {
    const state = scene({ focus: 'list', list: { ...scene().view.list, filter: 'an', isFiltering: true } });
    const panes = make();
    expect(picture(panes, state)[1]).toContain('┌ Filter: an  All ▾');
    expect(panes.cursor(state, panes.layout(state))).toEqual({ x: 12, y: 1 });
  });

  test('shows the part of a long filter around the cursor', () => {
    const filter = 'the ferry that leaves at nine in the morning';
    const typing = (cursor: number): readonly [string, number] => {
      const field = eg.draft(filter, { cursor });
      const state = scene({ focus: 'list', list: { ...scene().view.list, filter, field, isFiltering: true } });
      const panes = make();
      const { x = 0, y = 0 } = panes.cursor(state, panes.layout(state)) ?? {};
      return [picture(panes, state)[y]?.split('┬')[0] ?? '', x];
    };
    const [atEnd, behind] = typing(filter.length);
    expect(atEnd).toMatch(/^┌ Filter: ….*the morning *[─━]*$/);
    expect(atEnd.slice(0, behind)).toMatch(/the morning$/);
    const [atStart, first] = typing(0);
    expect(atStart).toMatch(/^┌ Filter: the ferry.*…/);
    expect(atStart.slice(first)).toMatch(/^the ferry/);
    const inMiddle = filter.indexOf('nine');
    const [middle, place] = typing(inMiddle);
    expect(middle.slice(place)).toMatch(/^nine/);
  });
});

describe('composer', () => {
  const writing = (text: string, fields: Parameters<typeof eg.draft>[1] = {}): AppState =>
    scene({}, { drafts: new Map([['c-ann', eg.draft(text, fields)]]) });
  const cursor = (state: AppState) => make().cursor(state, make().layout(state));

  test('has its cursor after the last character, and none while another pane has the focus', () => {
    expect(cursor(writing('hello'))).toEqual({ x: 37, y: 21 });
    expect(cursor(scene({ focus: 'list' }))).toBeNull();
    expect(cursor(scene({ openId: null }))).toBeNull();
  });

  test('grows with the text, then scrolls to keep the cursor in sight', () => {
    const rows = picture(make(), writing('1\n2\n3'));
    expect(rows.slice(-5, -2).map((row) => row.slice(30, 34))).toEqual(['│ 1', '│ 2', '│ 3'].map((row) => `${row} `));
    const long = writing(Array.from({ length: 20 }, (_, i) => `line ${i}`).join('\n'));
    expect(picture(make(), long).join('\n')).toContain('line 19');
    expect(picture(make(), long).join('\n')).not.toContain('line 11');
    expect(cursor(long)).toEqual({ x: 39, y: 21 });
  });

  test('shows the selection over its style', () => {
    const state = writing('hello', { anchor: 1, cursor: 3 });
    const panes = make();
    const selected = panes
      .rows('composer', state, panes.layout(state))
      .flat()
      .filter(({ style }) => style === '7');
    expect(selected.map((span) => span.text)).toEqual(['el']);
  });

  test('shows the recipient in its border', () => {
    expect(screen(scene())).toContain('├ To Ann Wells ━');
    const editing = writing('x', { editing: { messageId: 'a6', base: 'y' } });
    expect(screen(editing)).toContain('├ Editing · Esc to cancel ━');
    expect(screen(scene({ openId: null }))).toContain('Open a conversation to write in it');
  });
});

test('has only attributes on a terminal without colours', () => {
  const panes = make(themes.none);
  const state = scene();
  const where = panes.layout(state);
  const styles = (['header', 'list', 'thread', 'composer'] as const).flatMap((pane) =>
    panes.rows(pane, state, where).flatMap((row) => row.map((span) => span.style)),
  );
  expect(new Set(styles.flatMap((style) => style.split(';')))).toEqual(new Set(['', '1', '2', '4', '7']));
});
