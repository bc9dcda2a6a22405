/** Alt-u, the menu of what is attached, sending and taking back a message with attachments. */
import { describe, expect, test } from 'vitest';
import { detachClicked } from '../../src/commands/attach.ts';
import { selectMenuRows } from '../../src/commands/menus.ts';
import { topOverlay } from '../../src/state/view/overlays.ts';
import * as eg from '../support/builders/eg.ts';
import { chat, world } from './world.ts';

const address = 'https://a.example/poster.png';
const file = { file_url: address };

function attached(text = '') {
  const w = world(chat());
  w.type(text);
  w.press('alt+u');
  w.type(address);
  w.press('enter');
  return w;
}

describe('attaching', () => {
  test('Alt-u asks for an address, Enter attaches it, Enter sends it without a text', () => {
    const w = attached();
    expect([topOverlay(w.state()), w.draft().attachments]).toEqual([null, [file]]);
    w.press('enter');
    expect(w.actions).toEqual([{ kind: 'message.send', conversationId: 'with ann', text: '', attachments: [file] }]);
    expect(w.draft().attachments).toBe(undefined);
  });

  test('a text is sent in one message with what is attached', () => {
    const w = attached('the poster');
    w.press('enter');
    expect(w.actions).toMatchObject([{ kind: 'message.send', text: 'the poster', attachments: [file] }]);
  });

  test('a path is refused with what to do instead, and stays in the field to be corrected', () => {
    const w = world(chat());
    w.press('alt+u');
    w.type('~/poster.png');
    w.press('enter');
    expect(w.notice()).toMatch(/^The service has no upload: put it online and give its URL/);
    expect(topOverlay(w.state())).toMatchObject({ kind: 'attach', typed: '~/poster.png' });
    w.press('ctrl+u');
    w.type('https://example.com/poster.png');
    w.press('enter');
    expect([topOverlay(w.state()), w.notice()]).toEqual([null, undefined]);
  });

  test('an empty or blank message is not sent, and an empty field attaches nothing', () => {
    const w = world(chat());
    w.press('alt+u', 'enter', 'enter');
    w.type('  ');
    w.press('enter');
    expect([w.actions, w.draft().attachments]).toEqual([[], undefined]);
  });

  test('once something is attached, Alt-u offers to attach more and to remove each one', () => {
    const w = attached('see');
    w.press('alt+u', 'a');
    w.type('id=7');
    w.press('enter', 'alt+u');
    expect(selectMenuRows(w.state()).map(({ key, label }) => [key, label])).toEqual([
      ['a', 'Attach another'],
      ['1', 'Remove poster.png'],
      ['2', 'Remove 7'],
    ]);
    w.press('1');
    expect([w.draft().attachments, w.draft().text]).toEqual([[{ id: '7' }], 'see']);
    w.press('ctrl+_');
    expect(w.draft().attachments).toEqual([{ id: '7' }, file]);
  });

  test('Backspace at the start of the text and a click remove one; Ctrl-C clears text and attachments, and undo brings both back', () => {
    const w = attached('see');
    w.press('ctrl+c');
    expect([w.draft().text, w.draft().attachments]).toEqual(['', undefined]);
    w.press('ctrl+_');
    expect([w.draft().text, w.draft().attachments]).toEqual(['see', [file]]);
    w.press('home', 'backspace');
    expect([w.draft().text, w.draft().attachments]).toEqual(['see', undefined]);
    w.press('ctrl+_');
    const click = (name: string) =>
      detachClicked({ get: w.state, update: w.update } as never, { conversationId: 'with ann', place: 0, name });
    click('another.png');
    expect(w.draft().attachments).toEqual([file]);
    click('poster.png');
    expect(w.draft().attachments).toBe(undefined);
  });

  test('an address that is pasted into the text stays text', () => {
    const w = world(chat());
    w.paste(address);
    expect([w.draft().text, w.draft().attachments]).toEqual([address, undefined]);
  });
});

test('D discards a message, and Ctrl-Y brings its text and its attachments back', () => {
  const action = { kind: 'message.send', conversationId: 'with ann', text: 'see', attachments: [file] } as const;
  const op = eg.op(action, { uuid: 'u1', state: 'failed' });
  const places = new Map([['with ann', { scroll: { at: 'bottom' as const }, selectedId: 'op:u1' }]]);
  const w = world(chat({ focus: 'messages', places }, { outbox: [op] }));
  w.press('D');
  expect([w.draft().text, w.draft().attachments]).toEqual(['', undefined]);
  expect(w.notice()).toContain('brings it back');
  w.press('ctrl+y');
  expect(w.draft()).toMatchObject({ text: 'see', attachments: [file] });
});

describe('editing a sent message with attachments', () => {
  const editing = (text: string) => {
    const w = world(
      chat(
        { focus: 'messages', places: new Map([['with ann', { scroll: { at: 'bottom' }, selectedId: 'm2' }]]) },
        { me: { contactId: 'me', username: 'me' } },
      ),
    );
    const shown = { label: 'poster.png', url: address, size: null, mediaType: null, fields: file };
    w.update((state) => {
      const thread = state.cache.threads.get('with ann');
      const messages = (thread?.messages ?? []).map((message) => ({ ...message, attachments: [shown] }));
      const threads = new Map([['with ann', eg.thread(messages)]]);
      return { ...state, cache: { ...state.cache, threads } };
    });
    w.press('e', 'home');
    w.type(text);
    return w;
  };

  test('changes only the text, and says why an attachment cannot be removed', () => {
    const w = editing('');
    w.press('ctrl+home', 'backspace');
    expect(w.notice()).toMatch(/attachment cannot be removed/);
    w.press('alt+u');
    expect([topOverlay(w.state()), w.notice()]).toEqual([null, expect.stringMatching(/attachment cannot be removed/)]);
    w.type('well ');
    w.press('enter');
    expect(w.actions).toMatchObject([{ kind: 'message.edit', messageId: 'm2' }]);
    expect(w.actions[0]).not.toHaveProperty('attachments');
  });

  test('saves no empty text, whatever waits to be attached', () => {
    const w = editing('');
    w.update((state) => {
      const draft = { ...w.draft(), text: '', cursor: 0, attachments: [file] };
      return { ...state, local: { ...state.local, drafts: new Map([['with ann', draft]]) } };
    });
    w.press('enter');
    expect(w.actions).toEqual([]);
  });
});
