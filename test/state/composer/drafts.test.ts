import { describe, expect, test } from 'vitest';
import { emptyDraft, undo } from '../../../src/state/composer/draft.ts';
import { insert } from '../../../src/state/composer/draft-edit.ts';
import { draftOf, quoteInto, startEditing, stopEditing, updateDraft } from '../../../src/state/composer/drafts.ts';
import * as eg from '../../support/builders/eg.ts';

describe('drafts of conversations', () => {
  test('each has its own; one that holds nothing is not kept', () => {
    const typed = updateDraft('a', (draft) => insert(draft, 'hi'))(eg.state());
    expect(draftOf(typed, 'a').text).toBe('hi');
    expect(draftOf(typed, 'b')).toBe(emptyDraft);
    const gone = updateDraft('a', () => emptyDraft)(typed);
    expect(gone.local.drafts.size).toBe(0);
  });

  test('an emptied draft is kept while something can be undone', () => {
    const typed = updateDraft('a', (draft) => insert(draft, 'hi'))(eg.state());
    const undone = updateDraft('a', undo)(typed);
    expect(draftOf(undone, 'a').redo.length).toBe(1);
  });

  test('one with a file and no text is kept', () => {
    const attached = updateDraft('a', () => ({ ...emptyDraft, attachments: [{ name: 'plan.png' }] }))(eg.state());
    expect(draftOf(attached, 'a').attachments).toEqual([{ name: 'plan.png' }]);
  });

  test('no change is the same state', () => {
    const state = eg.state();
    expect(updateDraft('a', (draft) => draft)(state)).toBe(state);
    expect(updateDraft('a', () => ({ ...emptyDraft }))(state)).toBe(state);
  });
});

describe('editing a message', () => {
  test('brings its text and gives back what the composer held', () => {
    const editing = startEditing(eg.draft('unsent', { kill: 'cut' }), 'm1', 'sent');
    expect(editing).toMatchObject({ text: 'sent', cursor: 4, kill: 'cut', undo: [] });
    expect(editing.editing).toEqual({ messageId: 'm1', base: 'sent', stash: 'unsent' });
    expect(stopEditing(insert(editing, '!'))).toMatchObject({ text: 'unsent', cursor: 6, editing: null });
  });

  test('a second message edited in its stead keeps the words from before the first', () => {
    const second = startEditing(startEditing(eg.draft('unsent'), 'm1', 'one'), 'm2', 'two');
    expect(stopEditing(second).text).toBe('unsent');
  });

  test('files wait for the message that is written after it', () => {
    const attachments = [{ file_url: 'a.png' }];
    const editing = startEditing({ ...emptyDraft, attachments }, 'm1', 'sent');
    expect(editing).toMatchObject({ editing: { stash: '' }, attachments });
    expect(stopEditing(editing)).toEqual({ ...emptyDraft, attachments });
  });

  test('an empty composer needs no keeping', () => {
    expect(startEditing(emptyDraft, 'm1', 'sent').editing).toEqual({ messageId: 'm1', base: 'sent' });
    expect(stopEditing(emptyDraft)).toBe(emptyDraft);
  });
});

describe('a quote', () => {
  test('is put above what is there, as one undo step', () => {
    const quoted = quoteInto(eg.draft('mine'), 'one\ntwo', 'ann');
    expect(quoted).toMatchObject({ text: '> ann wrote:\n> one\n> two\nmine', cursor: 29 });
    expect(undo(quoted).text).toBe('mine');
  });

  test('is cut by lines and by length, never inside a cluster', () => {
    expect(quoteInto(emptyDraft, 'l\n'.repeat(20), 'ann').text).toBe(`> ann wrote:\n${'> l\n'.repeat(3)}> …\n`);
    const long = quoteInto(emptyDraft, '👍🏽'.repeat(5_000), null).text;
    expect(long.length).toBeLessThan(400);
    expect(long).toMatch(/^> Somebody wrote:\n> (👍🏽)+\n> …\n$/u);
  });

  test('carries no control characters', () => {
    expect(quoteInto(emptyDraft, 'a\u001b]0;x\u0007b', 'an\u001bn\nx').text).toBe('> an␛n x wrote:\n> a]0;xb\n');
  });
});
