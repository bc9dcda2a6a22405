/** The chips above the text of the composer, those of a thread, and the sign in the list. */
import { describe, expect, test } from 'vitest';
import type { Attachment } from '../../src/protocol/types.ts';
import { attach, emptyDraft } from '../../src/state/composer/draft.ts';
import { startEditing } from '../../src/state/composer/drafts.ts';
import type { AppState, Draft } from '../../src/state/model/app-state.ts';
import { linksIn } from '../../src/state/select/links.ts';
import { type Row, targetAt } from '../../src/text/layout/row.ts';
import { createPanes, type Panes } from '../../src/view/panes.ts';
import { themes } from '../../src/view/theme.ts';
import * as eg from '../support/builders/eg.ts';
import { annMessages, scene } from '../support/builders/scene.ts';

const make = (ascii = false): Panes => createPanes({ theme: themes.dark, ascii, now: () => eg.now });
const textOf = (row: Row): string => row.map(({ text }) => text).join('');
const named = (name: string) => ({ file_url: `https://a.example/${name}` });

function drafting(state: AppState, draft: Draft, id = 'c-ann'): AppState {
  return { ...state, local: { ...state.local, drafts: new Map([[id, draft]]) } };
}

function composer(state: AppState, panes = make()) {
  const layout = panes.layout(state);
  const rows = panes.rows('composer', state, layout);
  return { rows, texts: rows.map(textOf), cursor: panes.cursor(state, layout), rect: layout.composer };
}

const pane = (state: AppState, name: 'thread' | 'list'): string => {
  const panes = make();
  return panes.rows(name, state, panes.layout(state)).map(textOf).join('\n');
};

describe('the composer', () => {
  test('shows attachments above the text, with the cursor below', () => {
    const draft = attach({ ...emptyDraft, text: 'see', cursor: 3 }, [named('poster.png')]);
    const { texts, cursor, rect } = composer(drafting(scene(), draft));
    expect(texts.slice(1)).toEqual([
      expect.stringContaining(' 📎 poster.png × '),
      expect.stringContaining(' see '),
      expect.any(String),
    ]);
    expect(cursor).toEqual({ x: (rect?.x ?? 0) + 5, y: (rect?.y ?? 0) + 2 });
  });

  test('runs the menu of an attachment after a click on its chip', () => {
    const { rows } = composer(drafting(scene(), attach(emptyDraft, [named('a.png'), named('b.png')])));
    const row = rows[1] ?? [];
    const at = textOf(row).indexOf('b.png');
    expect(targetAt(row, at)).toEqual({ kind: 'attached', conversationId: 'c-ann', place: 1, name: 'b.png' });
  });

  test.each([
    [80, 24, 3],
    [80, 16, 1],
    [40, 10, 1],
    [200, 60, 3],
  ])('at %i × %i uses %i rows at most for many attachments, and counts the others', (columns, rows, most) => {
    const files = Array.from({ length: 40 }, (_, i) => named(`${'漢字'.repeat(i % 20)}-${i}.png`));
    const { texts, rect } = composer(drafting(scene({ size: { columns, rows } }), attach(emptyDraft, files)));
    const shown = texts.filter((text) => text.includes('📎'));
    expect(shown).toHaveLength(most);
    expect(shown.at(-1)).toMatch(/\+\d+/);
    expect(texts).toHaveLength(rect?.height ?? 0);
  });

  test('shows attachments of a message that is edited without ×, and not the waiting ones', () => {
    const held: Attachment = { label: 'sent.png', url: null, size: null, mediaType: null, fields: {} };
    const messages = annMessages.map((message) => ({ ...message, attachments: [held] }));
    const state = drafting(scene(), startEditing(attach(emptyDraft, [named('later.png')]), messages[0]?.id ?? '', 'x'));
    const cache = { ...state.cache, threads: new Map([['c-ann', eg.thread(messages)]]) };
    const text = composer({ ...state, cache }).texts.join('\n');
    expect(text).toContain('📎 sent.png');
    expect(text).not.toMatch(/×|later/);
  });

  test('shows attachments in ASCII, and names without control characters', () => {
    const draft = attach(emptyDraft, [{ file_url: 'https://a.example/x', filename: '\u001b[2J\u202eexe.gpj' }]);
    expect(composer(drafting(scene(), attach(emptyDraft, [named('a')])), make(true)).texts[1]).toContain(
      ' [file] a x ',
    );
    expect(composer(drafting(scene(), draft)).texts.join('')).not.toMatch(/[\u0000-\u001f\u202e]/);
  });
});

describe('a thread', () => {
  const op = (fields: object) =>
    eg.op({
      kind: 'message.send',
      conversationId: 'c-ann',
      text: '',
      attachments: [named('poster.png'), fields as never],
    });

  test('shows attachments of a waiting message: name, size, type, host', () => {
    const state = scene({ size: { columns: 120, rows: 40 } });
    const outbox = [op({ url: 'https://b.example/plan.pdf', size: 1200, mime_type: 'application/pdf' })];
    const text = pane({ ...state, local: { ...state.local, outbox } }, 'thread');
    expect(text).toContain('📎 poster.png (a.example)');
    expect(text).toContain('📎 plan.pdf (1 kB, application/pdf, b.example)');
    expect(text).not.toContain('(empty message)');
  });

  test('asks about the address after a click on a chip', () => {
    const state = scene();
    const panes = make();
    const rows = panes.rows('thread', state, panes.layout(state));
    const row = rows.find((one) => textOf(one).includes('timetable.pdf')) ?? [];
    expect(targetAt(row, textOf(row).indexOf('timetable'))).toMatchObject({ kind: 'link', messageId: 'a4' });
  });

  test('has addresses in the text and those attached in one list', () => {
    const [first] = annMessages.flatMap(({ attachments }) => attachments);
    if (first === undefined) throw new Error('the scene has an attachment');
    expect(linksIn('see https://x.example/', [first]).addresses).toHaveLength(2);
  });
});

test('the list shows the sign with a draft, a waiting message and the last message', () => {
  const draft = attach(emptyDraft, [named('poster.png')]);
  expect(pane(drafting(scene(), draft, 'c-bob'), 'list')).toContain('Draft: 📎 poster.png');
  const action = { kind: 'message.send', conversationId: 'c-bob', text: 'see', attachments: [named('a')] } as const;
  const state = scene();
  expect(pane({ ...state, local: { ...state.local, outbox: [eg.op(action)] } }, 'list')).toContain('You: 📎 see');
});
