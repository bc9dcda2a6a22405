import { describe, expect, test } from 'vitest';
import { emptyDraft, undo } from '../../../src/state/composer/draft.ts';
import { insert } from '../../../src/state/composer/draft-edit.ts';
import { draftOf, quoteInto, startEditing, stopEditing, updateDraft } from '../../../src/state/composer/drafts.ts';
import * as eg from '../../support/builders/eg.ts';

describe('drafts of conversations', () => {
  test('each conversation has its own; an empty one is not stored', () => {
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

  test('a draft with an attachment and no text is stored', () => {
    const attached = updateDraft('a', () => ({ ...emptyDraft, attachments: [{ name: 'plan.png' }] }))(eg.state());
    expect(draftOf(attached, 'a').attachments).toEqual([{ name: 'plan.png' }]);
  });

  test('no change returns the same state', () => {
    const state = eg.state();
    expect(updateDraft('a', (draft) => draft)(state)).toBe(state);
    expect(updateDraft('a', () => ({ ...emptyDraft }))(state)).toBe(state);
  });
});

describe('editing a message', () => {
  test('inserts its text, and ending the edit restores the draft', () => {
    const editing = startEditing(eg.draft('unsent', { kill: 'cut' }), 'm1', 'sent');
    expect(editing).toMatchObject({ text: 'sent', cursor: 4, kill: 'cut', undo: [] });
    expect(editing.editing).toEqual({ messageId: 'm1', base: 'sent', stash: 'unsent' });
    expect(stopEditing(insert(editing, '!'))).toMatchObject({ text: 'unsent', cursor: 6, editing: null });
  });

  test('and then a second one keeps the draft from before the first', () => {
    const second = startEditing(startEditing(eg.draft('unsent'), 'm1', 'one'), 'm2', 'two');
    expect(stopEditing(second).text).toBe('unsent');
  });

  test('keeps attachments for the message that is written after it', () => {
    const attachments = [{ file_url: 'a.png' }];
    const editing = startEditing({ ...emptyDraft, attachments }, 'm1', 'sent');
    expect(editing).toMatchObject({ editing: { stash: '' }, attachments });
    expect(stopEditing(editing)).toEqual({ ...emptyDraft, attachments });
  });

  test('over an empty composer has nothing to restore', () => {
    expect(startEditing(emptyDraft, 'm1', 'sent').editing).toEqual({ messageId: 'm1', base: 'sent' });
    expect(stopEditing(emptyDraft)).toBe(emptyDraft);
  });
});

describe('a quote', () => {
  test('is inserted above the draft, as one undo step', () => {
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

  test('has no control characters', () => {
    expect(quoteInto(emptyDraft, 'a\u001b]0;x\u0007b', 'an\u001bn\nx').text).toBe('> an␛n x wrote:\n> a]0;xb\n');
  });
});
