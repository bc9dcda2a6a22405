import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { emptyDraft, redo, replaceRange, selectionOf, setText, snap, undo } from '../../../src/state/composer/draft.ts';
import {
  deleteBack,
  deleteForward,
  insert,
  killToEnd,
  killToStart,
  killWordBack,
  killWordForward,
  newline,
  paste,
  yank,
  yankEarlier,
} from '../../../src/state/composer/draft-edit.ts';
import {
  clearSelection,
  moveByCluster,
  moveByWord,
  moveEnd,
  moveHome,
  moveToEnd,
  moveToStart,
  moveVertical,
} from '../../../src/state/composer/draft-move.ts';
import type { Draft } from '../../../src/state/model/app-state.ts';

const at = (marked: string): Draft => {
  const cursor = marked.indexOf('|');
  return { ...emptyDraft, text: marked.replace('|', ''), cursor };
};
const shown = ({ text, cursor }: Draft): string => `${text.slice(0, cursor)}|${text.slice(cursor)}`;
const type = (draft: Draft, text: string): Draft => [...text].reduce(insert, draft);

const family = '👨‍👩‍👧';
const pieces = fc.constantFrom(
  'a',
  'Z',
  ' ',
  '\n',
  'é',
  'e\u0301',
  '\u0301',
  family,
  '🇫🇷',
  '🇩',
  '漢',
  '\u200d',
  '-',
  '👍🏽',
);
const texts = fc.array(pieces, { maxLength: 12 }).map((parts) => parts.join(''));

const columns = 7;
const moves: readonly ((draft: Draft, extend: boolean) => Draft)[] = [
  (draft, extend) => moveByCluster(draft, -1, extend),
  (draft, extend) => moveByCluster(draft, 1, extend),
  (draft, extend) => moveByWord(draft, -1, extend),
  (draft, extend) => moveByWord(draft, 1, extend),
  (draft, extend) => moveVertical(draft, -1, columns, extend),
  (draft, extend) => moveVertical(draft, 1, columns, extend),
  (draft, extend) => moveHome(draft, columns, extend),
  (draft, extend) => moveEnd(draft, columns, extend),
  moveToStart,
  moveToEnd,
];
const edits: readonly ((draft: Draft, text: string) => Draft)[] = [
  insert,
  paste,
  newline,
  deleteBack,
  deleteForward,
  killWordBack,
  killWordForward,
  killToEnd,
  killToStart,
  yank,
  yankEarlier,
  setText,
];
type Step = (draft: Draft) => Draft;
const move: fc.Arbitrary<Step> = fc.tuple(fc.constantFrom(...moves), fc.boolean()).map(
  ([apply, extend]) =>
    (draft) =>
      apply(draft, extend),
);
const edit: fc.Arbitrary<Step> = fc.tuple(fc.constantFrom(...edits), texts).map(
  ([apply, text]) =>
    (draft) =>
      apply(draft, text),
);
const history: fc.Arbitrary<Step> = fc.constantFrom(undo, redo, clearSelection);
const steps = fc.array(fc.oneof(move, edit, history), { maxLength: 25 });

describe('after any changes', () => {
  test('cursor and anchor are on cluster boundaries', () => {
    fc.assert(
      fc.property(steps, (list) => {
        let draft = emptyDraft;
        for (const step of list) {
          draft = step(draft);
          expect(snap(draft.text, draft.cursor)).toBe(draft.cursor);
          if (draft.anchor !== null) expect(snap(draft.text, draft.anchor)).toBe(draft.anchor);
        }
      }),
      { numRuns: 400 },
    );
  });

  test('undo takes back exactly the last change after a move, and redo brings it back', () => {
    fc.assert(
      fc.property(steps, edit, (list, change) => {
        const before = clearSelection(moveToStart(list.reduce((draft, step) => step(draft), emptyDraft)));
        const after = change(before);
        fc.pre(after.text !== before.text);
        const undone = undo(after);
        expect([undone.text, undone.cursor]).toEqual([before.text, before.cursor]);
        const redone = redo(undone);
        expect([redone.text, redone.cursor]).toEqual([after.text, after.cursor]);
      }),
      { numRuns: 300 },
    );
  });

  test('moves change no text, and do not end what left undoes right', () => {
    fc.assert(
      fc.property(steps, move, (list, step) => {
        const draft = clearSelection(list.reduce((now, one) => one(now), emptyDraft));
        expect(step(draft).text).toBe(draft.text);
        if (draft.cursor < draft.text.length) {
          expect(moveByCluster(moveByCluster(draft, 1), -1).cursor).toBe(draft.cursor);
        }
      }),
      { numRuns: 300 },
    );
  });
});

describe('typing', () => {
  test('inserts at the cursor and replaces a selection', () => {
    expect(shown(insert(at('a|c'), 'b'))).toBe('ab|c');
    expect(shown(insert({ ...at('a|bc'), anchor: 3 }, 'x'))).toBe('ax|');
  });

  test('a letter before a combining mark moves the cursor after the cluster that it forms', () => {
    expect(insert({ ...emptyDraft, text: '\u0301', cursor: 0 }, 'e').cursor).toBe(2);
  });

  test('a run of letters is one undo step for each word', () => {
    const draft = type(emptyDraft, 'two words');
    expect(undo(draft).text).toBe('two ');
    expect(undo(undo(draft)).text).toBe('');
  });

  test('a move ends the run', () => {
    const draft = insert(moveByCluster(type(emptyDraft, 'ab'), -1), 'x');
    expect(undo(draft).text).toBe('ab');
  });

  test('a mark that joins the last character of a run is part of its last step', () => {
    const one = type(emptyDraft, 'one t');
    expect(insert(one, 'w').undo.length).toBe(one.undo.length);
    expect(insert(one, 'w').undo[0]).toBe(one.undo[0]);
    expect(insert(one, 'w').redo).toBe(one.redo);
  });

  test('the history is as large as the changes, not as the draft', () => {
    let draft = paste(emptyDraft, 'word '.repeat(200_000));
    for (let i = 0; i < 50; i++) draft = newline(insert(deleteBack(draft), 'x'));
    expect(draft.undo.reduce((sum, step) => sum + step.text.length, 0)).toBeLessThan(1000);
    for (let i = 0; i < 200; i++) draft = undo(draft);
    for (let i = 0; i < 200; i++) draft = redo(draft);
    expect(draft.text.length).toBe(1_000_000 + 50);
  });

  test('undo goes back to the beginning and redo to the end, whatever was done', () => {
    const acts: readonly ((draft: Draft) => Draft)[] = [
      (draft) => insert(draft, 'x'),
      (draft) => insert(draft, ' é'),
      (draft) => paste(draft, 'pasted\ntext'),
      deleteBack,
      deleteForward,
      killWordBack,
      killToEnd,
      yank,
      newline,
      (draft) => moveByCluster(draft, -1),
      (draft) => moveByCluster(draft, -1, true),
      (draft) => moveByWord(draft, 1),
    ];
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...acts), { maxLength: 40 }), (steps) => {
        const start: Draft = { ...emptyDraft, text: 'some words to begin with', cursor: 10 };
        const draft = steps.reduce((now, act) => act(now), start);
        let back = draft;
        while (back.undo.length > 0) back = undo(back);
        expect(back.text).toBe(start.text);
        let forth = back;
        while (forth.redo.length > 0) forth = redo(forth);
        expect(forth.text).toBe(draft.text);
      }),
      { numRuns: 500 },
    );
  });

  test('the history keeps the last hundred steps', () => {
    let draft = emptyDraft;
    for (let i = 0; i < 150; i++) draft = newline(draft);
    expect(draft.undo.length).toBe(100);
    for (let i = 0; i < 150; i++) draft = undo(draft);
    expect(draft.text).toBe('\n'.repeat(50));
  });

  test('a new change ends what could be redone', () => {
    expect(redo(insert(undo(type(emptyDraft, 'a')), 'b')).text).toBe('b');
  });

  test('a change that changes nothing returns the same object', () => {
    expect(undo(emptyDraft)).toBe(emptyDraft);
    expect(deleteBack(emptyDraft)).toBe(emptyDraft);
    expect(yank(emptyDraft)).toBe(emptyDraft);
    expect(moveByCluster(emptyDraft, 1)).toBe(emptyDraft);
    expect(replaceRange(emptyDraft, { start: 0, end: 0 }, '', 'other')).toBe(emptyDraft);
  });
});

describe('a paste', () => {
  test('is one undo step, whatever was typed before it', () => {
    const draft = paste(type(emptyDraft, 'ab'), 'cd ef\ngh');
    expect(shown(draft)).toBe('abcd ef\ngh|');
    expect(undo(draft).text).toBe('ab');
  });

  test('is one undo step with one length also when it comes in parts, and the next paste is another step', () => {
    const long = 'x'.repeat(5_000);
    const whole = paste(paste(paste(emptyDraft, 'one '), long), long, true);
    expect([undo(whole).text, undo(undo(whole)).text]).toEqual(['one ', '']);
    expect([whole.hasLongPaste, redo(undo(whole)).text]).toEqual([true, whole.text]);
  });

  test('loses control characters', () => {
    expect(paste(emptyDraft, 'a\u001b[31m\u0007b\r\nc').text).toBe('a[31mb\nc');
  });
});

describe('deleting', () => {
  test('takes whole clusters', () => {
    expect(shown(deleteBack(at(`a${family}|b`)))).toBe('a|b');
    expect(shown(deleteForward(at(`a|${family}b`)))).toBe('a|b');
  });

  test('takes the selection alone', () => {
    expect(shown(deleteBack({ ...at('abc|d'), anchor: 1 }))).toBe('a|d');
    expect(shown(deleteForward({ ...at('a|bcd'), anchor: 3 }))).toBe('a|d');
  });
});

describe('cutting', () => {
  test('to the ends of the logical line, then the line break itself', () => {
    expect(shown(killToEnd(at('ab\nc|d\ne')))).toBe('ab\nc|\ne');
    expect(shown(killToEnd(at('ab|\ncd')))).toBe('ab|cd');
    expect(shown(killToStart(at('ab\nc|d')))).toBe('ab\n|d');
    expect(shown(killToStart(at('ab\n|cd')))).toBe('ab|cd');
    expect(killToStart(at('|ab'))).toMatchObject({ text: 'ab', kill: '' });
  });

  test('a run of cuts is joined in the order of the text, in both directions', () => {
    expect(killWordBack(killWordBack(at('one two|'))).kill).toBe('one two');
    expect(killWordForward(killWordForward(at('|one two'))).kill).toBe('one two');
  });

  test('a move between two cuts begins a new run, and yank inserts it', () => {
    const draft = killWordBack(moveToEnd(killToStart(at('one| two'))));
    expect(shown(draft)).toBe(' |');
    expect(shown(yank(draft))).toBe(' two|');
    expect(undo(yank(draft)).text).toBe(' ');
  });
});

describe('putting back what was cut before', () => {
  const cutThree = (): Draft =>
    ['one', 'two', 'three'].reduce((draft, word) => killToStart(paste(draft, word)), at('|'));
  /** Puts back, and then goes back by so many texts. */
  const back = (draft: Draft, times: number): Draft =>
    Array.from({ length: times }).reduce<Draft>(yankEarlier, yank(draft));

  test('replaces what was put back just now, and begins again after the oldest text', () => {
    const texts = [0, 1, 2, 3].map((times) => shown(back({ ...cutThree(), text: '<>', cursor: 1 }, times)));
    expect(texts).toEqual(['<three|>', '<two|>', '<one|>', '<three|>']);
    expect(yank(moveToStart(back(cutThree(), 1))).text).toBe('twotwo');
  });

  test('does nothing after anything else', () => {
    const draft = back(cutThree(), 0);
    for (const other of [undo(draft), insert(draft, 'x'), moveToStart(draft), cutThree()])
      expect(yankEarlier(other)).toBe(other);
  });

  test('is a step of its own to undo, and gives a selection back', () => {
    const selected = moveToStart(insert(cutThree(), 'x'), true);
    const draft = back(selected, 2);
    expect([draft, undo(draft), undo(undo(draft)), undo(undo(undo(draft)))].map(({ text }) => text)).toEqual([
      'one',
      'two',
      'three',
      'x',
    ]);
  });

  test('inserts what a list of texts says, whatever was cut', () => {
    const cuts = fc.array(fc.oneof(pieces, texts), { minLength: 1, maxLength: 15 });
    fc.assert(
      fc.property(cuts, fc.nat(25), (list, times) => {
        const draft = list.reduce(
          (now, text) => killToStart(moveToEnd(paste(now, text.replaceAll('\n', '')))),
          at('|'),
        );
        const ring = list.map((text) => paste(at('|'), text.replaceAll('\n', '')).text).filter((text) => text !== '');
        const kept = ring.slice(-10).reverse();
        if (kept.length > 0) expect(back(draft, times).text).toBe(kept[times % kept.length]);
      }),
    );
  });
});

describe('moving', () => {
  test('up and down keep the column over a shorter row', () => {
    const start = at('abcdef\nxy\nabcdef|');
    const up = moveVertical(start, -1, 20);
    expect(shown(up)).toBe('abcdef\nxy|\nabcdef');
    expect(shown(moveVertical(up, -1, 20))).toBe('abcdef|\nxy\nabcdef');
    expect(moveVertical(moveVertical(up, -1, 20), 1, 20).cursor).toBe(up.cursor);
    expect(moveVertical(up, 1, 20).cursor).toBe(start.cursor);
  });

  test('a move sideways forgets the column', () => {
    expect(moveByCluster(moveVertical(at('abc\nx\nabc|'), -1, 20), -1).goalColumn).toBe(null);
  });

  test('goes by rows as they are wrapped', () => {
    const down = moveVertical(at('a|aa bbb'), 1, 5);
    expect(shown(down)).toBe('aaa b|bb');
    expect(moveVertical(down, -1, 5).cursor).toBe(1);
  });

  test('goes over the first and last row to the ends of the text', () => {
    expect(moveVertical(at('ab|c'), -1, 20).cursor).toBe(0);
    expect(moveVertical(at('a|bc'), 1, 20).cursor).toBe(3);
  });

  test('home and end go to the ends of the row first, then of the text', () => {
    const home = moveHome(at('aaa bb|b'), 5);
    expect(shown(home)).toBe('aaa |bbb');
    expect(moveHome(home, 5).cursor).toBe(0);
    const end = moveEnd(at('|aaa bbb'), 5);
    expect(shown(end)).toBe('aaa| bbb');
    expect(moveEnd(end, 5).cursor).toBe(7);
  });

  test('a selection grows from where it began and collapses to its side', () => {
    const selected = moveByCluster(moveByCluster(at('a|bcd'), 1, true), 1, true);
    expect(selectionOf(selected)).toEqual({ start: 1, end: 3 });
    expect(shown(moveByCluster(selected, -1))).toBe('a|bcd');
    expect(shown(moveByCluster(selected, 1))).toBe('abc|d');
    expect(moveByCluster(moveByCluster(selected, -1, true), -1, true).anchor).toBe(null);
  });

  test('goes by words', () => {
    expect(moveByWord(at('one two|'), -1).cursor).toBe(4);
    expect(moveByWord(at('|one two'), 1).cursor).toBe(3);
  });
});
