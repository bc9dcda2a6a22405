/** For which words the composer offers names, emoji or commands, and which it leaves alone. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { completionWord, withNamedEmoji } from '../../../src/state/composer/completion-word.ts';
import { emptyDraft, undo } from '../../../src/state/composer/draft.ts';
import { insert } from '../../../src/state/composer/draft-edit.ts';

/** `|` is the cursor; without it, the cursor is at the end. */
function draft(marked: string) {
  const at = marked.indexOf('|');
  const text = marked.replace('|', '');
  return { ...emptyDraft, text, cursor: at < 0 ? text.length : at };
}

describe('a word that can be completed', () => {
  test.each([
    ['@', 'person', '@'],
    ['@an', 'person', '@an'],
    ['Hi @Än', 'person', '@Än'],
    ['(@an', 'person', '@an'],
    ['line\n@an', 'person', '@an'],
    ['@an| and more', 'person', '@an'],
    ['你好@安', 'person', '@安'],
    ['🎉@an', 'person', '@an'],
    ['@ann.wells-x', 'person', '@ann.wells-x'],
    [':sm', 'emoji', ':sm'],
    ['so :SMI', 'emoji', ':SMI'],
    ['😄:ta', 'emoji', ':ta'],
    [':+1', 'emoji', ':+1'],
    ['/', 'command', '/'],
    ['/mu', 'command', '/mu'],
    ['/pin-m', 'command', '/pin-m'],
  ])('%j', (text, kind, typed) => {
    expect(completionWord(draft(text))).toMatchObject({ kind, typed });
  });

  test.each([
    ['a time', '12:30'],
    ['a time with letters', 'at 12:30pm'],
    ['a ratio', '3:ab'],
    ['an address', 'https://ex'],
    ['a name in an address', 'https://example.org/@an'],
    ['a port', 'http://localhost:ab'],
    ['an address of mail', 'ann@ex'],
    ['one with an accent', 'josé@ex'],
    ['a smile', ':)'],
    ['a laugh', ':D'],
    ['a tongue', ':p'],
    ['doubt', ':-/'],
    ['a tear', ":'("],
    ['a key and its value', 'note:this'],
    ['a name space', 'std::string'],
    ['a Windows path', 'C:\\Users'],
    ['a Windows path with slashes', 'C:/Users'],
    ['a path', '/usr/bin'],
    ['a slash later on', 'and/or'],
    ['a slash on a second line', 'a\n/mu'],
    ['a slash after a blank', ' /mu'],
    ['two slashes', '//mu'],
    ['code between backticks', 'see `@an'],
    ['a block of code', '```\n@an'],
    ['a closed word', '@an '],
    ['the middle of a word', '@a|nn'],
    ['a very long word', `@${'a'.repeat(60)}`],
    ['a second sign', '@an@b'],
    ['an empty draft', ''],
  ])('%s is none: %j', (_, text) => {
    expect(completionWord(draft(text))).toBe(null);
  });

  test('a key asks for emoji with one letter or none', () => {
    expect(completionWord(draft(':s'), true)).toMatchObject({ kind: 'emoji' });
    expect(completionWord(draft(':'), true)).toMatchObject({ kind: 'emoji' });
    expect(completionWord(draft('12:3'), true)).toBe(null);
  });

  test('text after closed backticks, or after a closed block, is text again', () => {
    expect(completionWord(draft('`x` @an'))).toMatchObject({ kind: 'person' });
    expect(completionWord(draft('```\nx\n```\n@an'))).toMatchObject({ kind: 'person' });
  });

  test('only a limited number of characters before the cursor is read', () => {
    const text = 'x'.repeat(1_000_000);
    let looks = 0;
    const counted = new Proxy(Object(text), {
      get: (target, name) => {
        if (name !== 'charCodeAt') return Reflect.get(target, name);
        return (at: number) => {
          looks += 1;
          return text.charCodeAt(at);
        };
      },
    });
    expect(completionWord({ ...emptyDraft, text: counted, cursor: text.length })).toBe(null);
    expect(looks).toBeLessThanOrEqual(40);
  });
});

describe('a name of an emoji between two colons', () => {
  const typed = (text: string) =>
    [...text].reduce((now, key) => (key === ':' ? withNamedEmoji(insert(now, key)) : insert(now, key)), emptyDraft);

  test.each([
    [':smile:', '😄'],
    ['well :tada:', 'well 🎉'],
    [':+1::tada:', '👍🎉'],
    ['(:wave:', '(👋'],
  ])('%j becomes %j', (text, shown) => {
    expect(typed(text).text).toBe(shown);
  });

  test.each([
    ':nobody:',
    '12:30:45',
    'at 10:100:',
    'a:smile:',
    'https://x/:smile:',
    '::',
    ': :',
    ':a b:',
    '`:smile:',
    '```\n:smile:',
    ':constructor:',
    ':__proto__:',
    ':D:',
  ])('%j stays', (text) => {
    expect(typed(text).text).toBe(text);
  });

  test('one undo restores the letters', () => {
    expect(undo(typed('so :smile:'))).toMatchObject({ text: 'so :smile:', cursor: 10 });
  });

  test('only the name is changed', () => {
    const words = fc.string({ unit: fc.constantFrom(...'ab:@/ \n`.1é🎉smile') });
    fc.assert(
      fc.property(words, words, (before, after) => {
        const now = withNamedEmoji({ ...emptyDraft, text: before + after, cursor: before.length });
        const isSame = now.text === before + after;
        const name = /:[a-z0-9_+-]+:$/.exec(before)?.[0] ?? '';
        expect(isSame || (now.text.endsWith(after) && now.text.startsWith(before.slice(0, -name.length)))).toBe(true);
      }),
    );
  });
});
