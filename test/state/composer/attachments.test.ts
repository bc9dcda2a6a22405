/** What is attached to a draft: adding and removing as undo steps, and reading what the user types. */
import { describe, expect, test } from 'vitest';
import { attach, clear, detach, emptyDraft, redo, undo } from '../../../src/state/composer/draft.ts';
import { deleteBack, insert, killToStart, yank } from '../../../src/state/composer/draft-edit.ts';
import { startEditing, withKilledMessage } from '../../../src/state/composer/drafts.ts';
import { readAttachment } from '../../../src/state/composer/read-attachment.ts';

const file = (name: string) => ({ file_url: `https://a.example/${name}` });
const two = attach(attach(insert(emptyDraft, 'look'), [file('a')]), [file('b')]);
const atStart = { ...two, cursor: 0 };

describe('a draft', () => {
  test('Backspace at its start removes the last attachment, one undo step each', () => {
    const one = deleteBack(atStart);
    const none = deleteBack(one);
    expect([one.attachments, none.attachments, none.text]).toEqual([[file('a')], undefined, 'look']);
    expect(deleteBack(none)).toBe(none);
    expect(undo(none).attachments).toEqual([file('a')]);
    expect(undo(undo(none)).attachments).toEqual([file('a'), file('b')]);
    expect(redo(redo(undo(undo(none)))).attachments).toBe(undefined);
  });

  test('Backspace with a selection, or further on, deletes text alone', () => {
    expect(deleteBack({ ...atStart, anchor: 4 })).toMatchObject({ text: '', attachments: two.attachments });
    expect(deleteBack(two)).toMatchObject({ text: 'loo', attachments: two.attachments });
  });

  test('attaching is an undo step of its own between words', () => {
    const more = insert(two, '!');
    expect(undo(more)).toMatchObject({ text: 'look', attachments: two.attachments });
    expect(undo(undo(more)).attachments).toEqual([file('a')]);
    expect(undo(undo(undo(more)))).toMatchObject({ text: 'look' });
    expect(undo(undo(undo(undo(more)))).text).toBe('');
  });

  test('undo keeps what another program has attached meanwhile', () => {
    const removed = detach(two, file('a'));
    const merged = { ...removed, attachments: [...(removed.attachments ?? []), file('theirs')] };
    expect(undo(merged).attachments).toEqual([file('b'), file('theirs'), file('a')]);
    expect(undo(undo(merged)).attachments).toEqual([file('theirs'), file('a')]);
  });

  test('text and attachments that were cleared come back with one undo', () => {
    const cleared = clear(two);
    expect([cleared.text, cleared.attachments]).toEqual(['', undefined]);
    expect(undo(cleared)).toMatchObject({ text: 'look', attachments: two.attachments });
  });

  test('a discarded message is yanked once with its attachments, and never into an edit', () => {
    const draft = withKilledMessage(emptyDraft, { text: 'gone', attachments: [file('a')] });
    const back = yank(draft);
    expect(back).toMatchObject({ text: 'gone', attachments: [file('a')] });
    expect(yank(back)).toMatchObject({ text: 'gonegone', attachments: [file('a')] });
    expect(undo(back).attachments).toBe(undefined);
    const editing = yank(startEditing(draft, 'm1', 'sent'));
    expect([editing.text, editing.attachments, editing.killedFiles]).toEqual(['sentgone', undefined, [file('a')]]);
    expect(yank(killToStart(insert(draft, 'cut'))).attachments).toBe(undefined);
  });

  test('an edit has no attachments of its own to remove', () => {
    const editing = { ...startEditing(two, 'm1', 'sent'), cursor: 0 };
    expect(deleteBack(editing)).toBe(editing);
  });
});

describe('the typed form of an attachment', () => {
  test.each([
    ['https://a.example/x.png', { file_url: 'https://a.example/x.png' }],
    [' http://a.example/x?a=b&c=d#e ', { file_url: 'http://a.example/x?a=b&c=d#e' }],
    [
      'https://a.example/x filename=Poster of May.png',
      { file_url: 'https://a.example/x', filename: 'Poster of May.png' },
    ],
    ['file_url=https://a.example/x file_size=12', { file_url: 'https://a.example/x', file_size: '12' }],
    ['id=7', { id: '7' }],
    ['name=a=b', { name: 'a=b' }],
    ['constructor=x', { constructor: 'x' }],
  ])('%s', (typed, fields) => {
    expect(readAttachment(typed)).toEqual({ fields });
  });

  test.each([
    ['/home/me/x.png', /no upload/],
    ['~/x.png', /no upload/],
    ['./x', /no upload/],
    ["'/home/me/my file.png'", /no upload/],
    ['C:\\x.png', /no upload/],
    ['file:///home/me/x.png', /no upload/],
    ['poster.png', /no upload/],
    ['ftp://a.example/x', /give an address/],
    ['hello', /give an address/],
    ['javascript:alert(1)', /give an address/],
    ['https://', /give an address/],
    ['https://a.example/a b', /no blanks/],
    ['https://me:secret@a.example/x', /password/],
    ['name=', /no value/],
    ['a=1 a=2', /twice/],
    ['__proto__=x', /give an address/],
  ])('%s is refused in one line', (typed, problem) => {
    expect(readAttachment(typed)).toEqual({ problem: expect.stringMatching(problem) });
  });
});
