/** Overlays on the smallest screen: the frame stays whole, and the keys that answer are in sight. */
import { beforeEach, describe, expect, test } from 'vitest';
import type { Overlay } from '../../src/state/model/app-state.ts';
import { openMessageSearch } from '../../src/state/search/message-search.ts';
import { openNamePrompt } from '../../src/state/search/name-prompt.ts';
import type { Transition } from '../../src/state/store.ts';
import { setHeldKeys } from '../../src/state/view/held-keys.ts';
import { pushOverlay } from '../../src/state/view/overlays.ts';
import { setSize } from '../../src/state/view/view.ts';
import { cutRow, span } from '../../src/text/layout/row.ts';
import type { SafeText } from '../../src/text/safe-text.ts';
import { PaintedOverlays } from '../../src/ui/painted-overlays.ts';
import type { Rect } from '../../src/view/layout.ts';
import { entry } from '../commands/settings-page.ts';
import * as eg from '../support/builders/eg.ts';
import { rowToText } from '../support/builders/row-text.ts';
import { scene } from '../support/builders/scene.ts';
import { pointerOn } from './pointer.ts';
import { stage } from './stage.tsx';

beforeEach(eg.restart);

const about = { conversationId: 'c-ann', messageId: 'a6' } as const;
const question = (id: string): Overlay => ({
  kind: 'confirm',
  ...about,
  id,
  textThen: 'I will be there',
  openedAt: eg.now,
});

const frameOf = (overlay: Overlay, columns = 40, rows = 10): readonly string[] =>
  stage(scene({ overlays: [overlay], size: { columns, rows } }))
    .frame()
    .split('\n');

/** The lines between the frame of the dialog. */
function inside(lines: readonly string[]): readonly string[] {
  const top = lines.findIndex((line) => line.includes('╭'));
  const bottom = lines.findIndex((line) => line.includes('╰'));
  expect(bottom).toBeGreaterThan(top);
  const [left, right] = [lines[top]?.indexOf('╭') ?? 0, lines[top]?.indexOf('╮') ?? 0];
  expect(lines[bottom]?.indexOf('╯')).toBe(right);
  const cells = (line: string, from: number, to: number): string =>
    rowToText(cutRow([span(line as SafeText)], from, to));
  return lines.slice(top + 1, bottom).map((line) => {
    expect([cells(line, left, left + 1), cells(line, right, right + 1)]).toEqual(['│', '│']);
    return cells(line, left + 1, right).trim();
  });
}

const text = (overlay: Overlay): string => inside(frameOf(overlay)).join(' ');

test('a question is wrapped, and cut if it does not fit', () => {
  const shown = text({ kind: 'same-account', unsent: 3 } as Overlay);
  expect(shown).toContain(
    'Is this token for the same account? The conversations and 3 unsent texts here belong to another',
  );
  expect(shown).toMatch(/token\. Yes: the new token is used for… Esc close$/);
  expect(text(question('conversation.delete'))).toBe(
    `Delete this conversation and all its messages? You 13:59: I will be there It cannot be brought back. Archive it instead if you may need it again. Enter yes · n no · Esc close`,
  );
});

test('a question names everybody to whom a message would be forwarded', () => {
  const chosen = ['c-ann', 'c-bob', 'c-crew', 'c-new'];
  const long = (id: string): string => `Somebody with quite a long name, ${id}`;
  const names = new Map(['ann', 'bob', 'crew', 'cyd'].map((id) => [id, long(id)]));
  const asked = { ...question('message.forward'), messageId: null } as Overlay;
  const forwarding = { content: { text: 'noon', attachments: [] }, messages: 1, from: 'c-ann', chosen };
  const opened = openNamePrompt('forward', forwarding)(scene({ size: { columns: 40, rows: 24 } }, { names }));
  const shown = stage(pushOverlay(asked)(opened))
    .frame()
    .replace(/[│╭╮╰╯─\s]+/g, ' ');
  expect([...names.values()].filter((name) => !shown.includes(name))).toEqual([]);
  expect(shown).toContain('Each of them gets a separate message.');
});

test('the settings say where a value comes from, its default and the key that saves', () => {
  const overlay = {
    kind: 'settings',
    typed: '',
    selected: 0,
    page: {
      entries: [entry({ id: 'mouse', value: false, default: true, source: 'config.toml:12', isInFile: true })],
      problem: null,
    },
    tried: {},
    before: {},
    remark: null,
  } as const;
  expect(text(overlay)).toMatch(/config\.toml:12\. Default: true\..* → change · Enter save · Esc close$/);
  expect(inside(frameOf(overlay, 60, 20)).at(-1)).toBe('→ change · Del default · Enter save · Esc close');
});

test('the question for a key counts the other meanings that it cannot name', () => {
  const conflict = (id: string) => ({ id, text: `F9 is "${id}" in the list of conversations` });
  const shown = text({
    kind: 'rebind',
    command: 'server.poll',
    pressed: {
      keys: ['f9'],
      isUsual: false,
      at: eg.now,
      refusal: null,
      conflicts: ['Pin it', 'Mute it', 'Archive it'].map(conflict),
    },
  });
  expect(shown).toMatch(/F9 is "Pin it" in the list of.* 2 more meanings would be lost\. Enter take it/);
});

test.each<readonly [string, Overlay, string]>([
  [
    'a date',
    { kind: 'go-to-date', conversationId: 'c-ann', typed: '' },
    'The first message of that day, or the next one, is shown.',
  ],
  ['a token', { kind: 'token', typed: '' }, 'Nothing is lost: what is queued goes out with the new token.'],
])('the note about %s is wrapped', (_, overlay, remark) => {
  expect(text(overlay)).toContain(`${remark} Enter done`);
});

test('the notes below the rows to choose from are wrapped', () => {
  const shown = (open: Transition, rows: number) =>
    inside(
      stage(open(scene({ size: { columns: 40, rows } })))
        .frame()
        .split('\n'),
    ).join(' ');
  expect(shown(openNamePrompt('new-conversation'), 10)).toMatch(/these are the ones seen in messages\.$/);
  expect(shown(openMessageSearch(null), 12)).toMatch(/also offline; not unsent messages\.$/);
  expect(shown(openMessageSearch(null), 10)).toMatch(/also offline; not unsent…$/);
});

test('many links stay within their dialog', () => {
  const addresses = Array.from({ length: 8 }, (_, i) => {
    const href = `https://a.example/${'long/'.repeat(30)}${i}`;
    return { href, shown: href as SafeText };
  });
  const lines = inside(frameOf({ kind: 'links', links: { addresses, refused: 1 }, selected: 0 } as unknown as Overlay));
  expect(lines.at(-1)).toContain('Esc close');
  expect(lines[1]).toMatch(/^> 1 https/);
});

test('a change shows as much as fits, cut between characters, with the keys that answer', () => {
  const before = `${'👍🏽'.repeat(20)} old\n`.repeat(4);
  const overlay: Overlay = { ...question('message.substitute'), textThen: before } as Overlay;
  const local = { drafts: new Map([['c-ann', eg.draft('s/old/new/g')]]) };
  const app = stage(scene({ overlays: [overlay], size: { columns: 40, rows: 10 } }, local));
  const lines = inside(app.frame().split('\n'));
  expect(lines.filter((line) => /^[-+] …(?:👍🏽)+ (?:old|new)$/.test(line))).toHaveLength(4);
  expect(lines.at(-1)).toContain('Esc close');
});

test('the line of keys leaves out whole hints', () => {
  const page = frameOf({ kind: 'person', of: { kind: 'contact', id: 'ann' }, scroll: 0, findings: null });
  expect(inside(page)[0]).toMatch(/ · 1–5 of \d+$/);
  const keys = inside(page).at(-1) ?? '';
  expect(keys).toMatch(/Esc close$/);
  expect(keys).not.toContain('…');
});

test('the text of an empty search is wrapped', () => {
  const overlay = {
    kind: 'message-search',
    conversationId: 'c-ann',
    typed: '',
    selected: 0,
    result: null,
  } as unknown as Overlay;
  const lines = inside(frameOf(overlay));
  expect(lines.join(' ')).toContain('Case and accents are ignored; a part of a word is enough.');
});

test.each([
  [100, 30],
  [120, 40],
])(
  'at %i × %i no dialog covers a part of a notice, and the notice does not cover the key that closes the dialog',
  (columns, rows) => {
    const size = { columns, rows };
    const text = 'Nothing is lost: what could not be sent is kept here and goes out with the next try, '.repeat(3);
    const notices = [{ id: 1, tone: 'warning' as const, text, at: eg.now, until: null, about: 'x' }];
    const empty = { page: null, tried: {}, before: {}, remark: null };
    const overlays: readonly Overlay[] = [
      { kind: 'help', typed: '', selected: 0 },
      { kind: 'settings', typed: '', selected: 0, ...empty },
      { kind: 'person', of: { kind: 'contact', id: 'ann' }, scroll: 0, findings: null },
    ];
    for (const overlay of overlays) {
      const lines = stage(scene({ overlays: [overlay], notices, size }))
        .frame()
        .split('\n');
      const begins = lines.findIndex((line) => line.startsWith(' ! '));
      expect([begins, lines[begins]]).toEqual([rows - 1, expect.stringMatching(/^ ! Nothing is lost.*… .*Esc \w+ *$/)]);
    }
  },
);

test.each([50, 60])('at %i columns a notice leaves the key that closes the dialog', (columns) => {
  const text = 'Copied the marked messages (tmux: with set-clipboard on)';
  const notices = [{ id: 1, tone: 'info' as const, text, at: eg.now, until: null, about: 'copy' }];
  const overlay: Overlay = { kind: 'help', typed: '', selected: 0 };
  const shown = stage(scene({ overlays: [overlay], notices, size: { columns, rows: 14 } })).frame();
  expect(shown.split('\n').at(-1)).toMatch(/^ · Copied the marked.*… .*Esc close *$/);
});

test('the keys that follow a sequence have one row below a dialog', () => {
  const overlay: Overlay = { kind: 'person', of: { kind: 'contact', id: 'ann' }, scroll: 0, findings: null };
  const app = stage(scene({ overlays: [overlay], size: { columns: 40, rows: 10 } }));
  const state = setHeldKeys('g')(app.store.getState());
  const where = app.panes.layout(state);
  const hints = Array.from({ length: 9 }, (_, i) => ({ label: `${i}`, title: 'does something' }));
  expect(app.panes.rows('footer', state, where, hints)).toHaveLength(1);
});

test('a notice of several rows is cut to the row that no dialog covers', () => {
  const text = 'Closed. Ctrl-Y in the composer puts in the words that you typed';
  const notices = [{ id: 1, tone: 'info' as const, text, at: eg.now, until: null, about: 'layer' }];
  const overlays: readonly Overlay[] = [
    { kind: 'person', of: { kind: 'contact', id: 'ann' }, scroll: 0, findings: null },
  ];
  const shown = stage(scene({ overlays, notices, size: { columns: 40, rows: 10 } }))
    .frame()
    .split('\n');
  expect(shown.at(-1)).toMatch(/Closed\. Ctrl-Y in the composer.*…/);
});

describe('a screen that is only large enough for a note', () => {
  const small = { columns: 80, rows: 9 };
  const drawnByInk: Overlay = { kind: 'token', typed: 'secret' };
  const painted: Overlay = { kind: 'help', typed: '', selected: 0 };

  test('shows no overlay, which is back once it has grown', async () => {
    const app = stage(scene({ overlays: [drawnByInk], size: small }));
    expect(app.frame()).toMatch(/^Too small\nneeds 40 x 10\nhas 80 x 9\n*$/);
    app.store.setState(setSize({ columns: 80, rows: 24 }));
    await app.see('The server refused the token');
  });

  test('has no layer for a painted overlay', () => {
    const kept: Rect[] = [];
    const layer = { setRect: () => undefined, setRows: () => undefined, remove: () => void kept.pop() };
    const addLayer = ({ rect }: { rect: Rect }) => {
      kept.push(rect);
      return layer;
    };
    const app = stage(scene({ overlays: [painted], size: small }));
    const overlays = new PaintedOverlays({
      screen: { addLayer } as never,
      panes: () => app.panes,
      now: () => eg.now,
      hintsOf: () => [],
    });
    const drawnAt = (rows: number): number => {
      overlays.paint(setSize({ columns: 80, rows })(app.store.getState()));
      return kept.length;
    };
    expect([9, 24, 9, 24].map(drawnAt)).toEqual([0, 1, 0, 1]);
  });

  test('ignores the mouse', () => {
    const app = stage(scene({ size: small }));
    const before = app.store.getState();
    const pointer = pointerOn(app);
    pointer.click([3, 3]);
    pointer.rightClick([3, 3]);
    pointer.send('wheel-up', [3, 3]);
    expect([app.store.getState(), app.opened]).toEqual([before, []]);
  });
});
