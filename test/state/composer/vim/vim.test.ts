/** Vim's commands in the composer: a text with the cursor before and after some keys. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { emptyDraft } from '../../../../src/state/composer/draft.ts';
import { deleteBack, insert } from '../../../../src/state/composer/draft-edit.ts';
import { moveByCluster } from '../../../../src/state/composer/draft-move.ts';
import type { Edited } from '../../../../src/state/composer/vim/edited.ts';
import { newVim, pressVim } from '../../../../src/state/composer/vim/vim.ts';
import type { Draft } from '../../../../src/state/model/app-state.ts';

const around = { columns: 20, clipboard: 'clip' };

/** Keys as they are typed; `<Esc>`, `<C-r>`, `<CR>`, `<left>` for those without a character. */
function keysOf(typed: string): readonly string[] {
  const names: Readonly<Record<string, string>> = { Esc: 'escape', 'C-r': 'ctrl+r', CR: 'enter', lt: '<' };
  return [...typed.matchAll(/<([A-Za-z-]+)>|(.)/gsu)].map(([, name, character = '']) =>
    name === undefined ? character : (names[name] ?? name),
  );
}

/** The cursor is on the character after `|`. */
const start = (marked: string, kill = ''): Edited => {
  const cursor = marked.indexOf('|');
  const draft: Draft = { ...emptyDraft, text: marked.replace('|', ''), cursor: Math.max(0, cursor), kill };
  return { vim: { ...newVim('c1'), mode: 'normal' }, draft };
};

function press(edited: Edited, key: string): Edited {
  const done = pressVim(edited.vim, edited.draft, key, around);
  if (done !== null) return done;
  if (edited.vim.mode !== 'insert') return edited;
  const text = key === 'enter' ? '\n' : key;
  return { ...edited, draft: key === 'backspace' ? deleteBack(edited.draft) : insert(edited.draft, text) };
}

const type = (edited: Edited, keys: string): Edited => keysOf(keys).reduce(press, edited);

const marked = ({ draft: { text, cursor } }: Edited): string => `${text.slice(0, cursor)}|${text.slice(cursor)}`;

type Row = readonly [before: string, keys: string, after: string];

const rows: Readonly<Record<string, readonly Row[]>> = {
  'moves in a line': [
    ['one |two', 'h', 'one| two'],
    ['|one', 'h', '|one'],
    ['one\n|two', 'h', 'one\n|two'],
    ['|one two', '3l', 'one| two'],
    ['on|e\ntwo', 'l', 'on|e\ntwo'],
    ['|one two', '$', 'one tw|o'],
    ['  one |two', '0', '|  one two'],
    ['  one |two', '^', '  |one two'],
    ['a👍🏽|b', 'h', 'a|👍🏽b'],
    ['|one  ', 'g_', 'on|e  '],
    ['|one\ntwo  ', '2g_', 'one\ntw|o  '],
    ['one|', 'l', 'on|e'],
    ['|one two', ' ', 'o|ne two'],
    ['one |two', '<backspace>', 'one| two'],
  ],
  'moves by words': [
    ['|one two', 'w', 'one |two'],
    ['|one-two', 'w', 'one|-two'],
    ['|one-two x', 'W', 'one-two |x'],
    ['one\n|', 'e', 'one\n|'],
    ['one\n|', 'E', 'one\n|'],
    ['|one two three', '2w', 'one two |three'],
    ['one |two', 'w', 'one tw|o'],
    ['|one\n\ntwo', 'w', 'one\n|\ntwo'],
    ['one |two', 'b', '|one two'],
    ['one-tw|o', 'B', '|one-two'],
    ['one two|', '2b', '|one two'],
    ['|one two', 'e', 'on|e two'],
    ['on|e two', 'e', 'one tw|o'],
    ['on|e-two x', 'E', 'one-tw|o x'],
    ['one tw|o', 'ge', 'on|e two'],
    ['|日本語テスト word', 'w', '日本語|テスト word'],
    ['|größe 👍🏽 x', 'w', 'größe |👍🏽 x'],
  ],
  'moves between lines': [
    ['one\nt|wo', 'k', 'o|ne\ntwo'],
    ['o|ne\ntwo', 'j', 'one\nt|wo'],
    ['thre|e\nx\nthree', 'jj', 'three\nx\nthre|e'],
    ['|one\nthree', '$j', 'one\nthre|e'],
    ['one\ntwo\n|x', 'gg', '|one\ntwo\nx'],
    ['|one\ntwo\n  x', 'G', 'one\ntwo\n  |x'],
    ['|one\ntwo\nx', '2G', 'one\n|two\nx'],
    ['|one\ntwo', '9j', 'one\n|two'],
    ['|one', 'j', '|one'],
    ['|one', 'k', '|one'],
    ['|aaaa bbbb cccc dddd eeee', 'j', 'aaaa bbbb cccc dddd |eeee'],
  ],
  'moves between brackets': [
    ['|(he said ":)") x', '%', '(he said ":)"|) x'],
    ['|(5" and 6) x', '%', '(5" and 6|) x'],
    ['f|(a[b])', '%', 'f(a[b]|)'],
    ['f(a[b]|)', '%', 'f|(a[b])'],
    ['|f(a[b])', '%', 'f(a[b]|)'],
    ['|f\n(a)', '%', '|f\n(a)'],
    ['|f(a', '%', '|f(a'],
    ['a {|\n (b)\n}', '%', 'a {\n (b)\n|}'],
    ['|f(é👍🏽) x', 'd%', '| x'],
    ['f(a|) x', 'd%', 'f| x'],
    ['|{\na\n}\nx', 'd%', '|x'],
    ['x|(a)', 'c%b<Esc>', 'x|b'],
    ['|(a) b', 'v%d', '| b'],
    ['|a\nb\n  c\nd', '75%', 'a\nb\n  |c\nd'],
    ['|a\nb\nc\nd', 'd50%', '|c\nd'],
    ['|a\nb', '101%', '|a\nb'],
  ],
  'moves by paragraphs': [
    ['|a\nb\n\n\nc\n\nd', '}', 'a\nb\n|\n\nc\n\nd'],
    ['a\nb\n|\n\nc\n\nd', '}', 'a\nb\n\n\nc\n|\nd'],
    ['|a\nb\n\n\nc\n\nd', '2}', 'a\nb\n\n\nc\n|\nd'],
    ['|a\n \nbé', '}', 'a\n \nb|é'],
    ['|a\n\nb', '3}', '|a\n\nb'],
    ['a\n\nb\nc|d', '{', 'a\n|\nb\ncd'],
    ['ab\nc|d', '{', '|ab\ncd'],
    ['|a\nb\n\nc', 'd}', '|\nc'],
    ['a|b\nc\n\nd', 'd}', '|a\n\nd'],
    ['a\n\nb\nc|d', 'd{', 'a\n|d'],
    ['a\n\n|b\nc', 'd}', 'a\n|'],
    ['|a\nb\n\nc', 'y}P', '|a\nb\na\nb\n\nc'],
    ['|a\nb\n\nc', 'v}d', '|c'],
  ],
  'finds a character of the line': [
    ['|one two', 'fo', 'one tw|o'],
    ['|one two', 'tw', 'one |two'],
    ['one tw|o', 'Fn', 'o|ne two'],
    ['one tw|o', 'Tn', 'on|e two'],
    ['|a.b.c.d', 'f.;', 'a.b|.c.d'],
    ['|a.b.c.d', '2f.,', 'a|.b.c.d'],
    ['|a.b.c.d', 't.;', 'a.|b.c.d'],
    ['|one\ntwo', 'ft', '|one\ntwo'],
    ['|one', 'fz', '|one'],
    ['|aéb', 'fé', 'a|éb'],
  ],
  'heeds counts beyond the last line as vim does: not on the last line, elsewhere as far as there are lines': [
    ['one\n|two\nx', '5dd', '|one'],
    ['one\n|two', '5dd', 'one\n|two'],
    ['one\n|two', 'dj', 'one\n|two'],
    ['|one\ntwo', '5cca<Esc>', '|a'],
    ['|one', '2cc<Esc>', '|one'],
    ['|one\ntwo', '5yyP', '|one\ntwo\none\ntwo'],
    ['t|wo', '2D', 't|wo'],
    ['t|wo\nx', '5D', '|t'],
    ['t|wo', '2$', 't|wo'],
    ['t|wo', '2g_', 't|wo'],
    ['one\n|two\nx', '9j', 'one\ntwo\n|x'],
    ['one\n|two', '9j', 'one\n|two'],
    ['one\n|two', '9k', '|one\ntwo'],
    ['|one\ntwo', 'd9G', '|'],
    ['one |two\n', '3e', 'one two\n|'],
    ['a\nb\n|c', 'Vjd', 'a\n|b'],
    ['|a\nb\nc', 'Vjd.', '|'],
  ],
  deletes: [
    ['|one two', 'dw', '|two'],
    ['|one two three', '2dw', '|three'],
    ['|one two three', 'd2w', '|three'],
    ['|a b c d e f g', '2d3w', '|g'],
    ['one |two\nthree', 'dw', 'one| \nthree'],
    ['|one two\nthree four\nfive', 'd4w', '|five'],
    ['|one\ntwo\nx', '2D', '|x'],
    ['o|ne\ntwo\nx', '2D', '|o\nx'],
    ['|one\n\nx', '2D', '|x'],
    ['o|ne\n\nx', 'd2g_', '|o\nx'],
    ['one\n|\ntwo', 'dw', 'one\n|two'],
    ['|one\n\n\ntwo', 'd3w', '|two'],
    ['one |two', 'db', '|two'],
    ['one\n|two', 'db', '|two'],
    ['|one two', 'dge', '|one two'],
    ['|one two', 'de', '| two'],
    ['one |two', 'd0', '|two'],
    ['one |two three', 'd$', 'one| '],
    ['one |two three', 'D', 'one| '],
    ['|one\ntwo', 'dd', '|two'],
    ['one\n|two', 'dd', '|one'],
    ['|one', 'dd', '|'],
    ['|one\ntwo\nx', '2dd', '|x'],
    ['|one\ntwo\nx', 'dj', '|x'],
    ['one\n|two\nx', 'dk', '|x'],
    ['one\n|two\nx', 'dG', '|one'],
    ['one\ntwo\n|x', 'dgg', '|'],
    ['|one', 'dj', '|one'],
    ['one\n|', 'de', 'one\n|'],
    ['|one, two', 'df,', '| two'],
    ['|one, two', 'dt,', '|, two'],
    ['one, two|', 'dF,', 'one|o'],
    ['|one', 'x', '|ne'],
    ['|one', '9x', '|'],
    ['on|e', 'x', 'o|n'],
    ['o|ne', 'X', '|ne'],
    ['a|👍🏽b', 'x', 'a|b'],
    ['|', 'x', '|'],
    ['|one', 'dz', '|one'],
    ['|one', 'd<Esc>w', 'on|e'],
    ['|one two', 'd<right>', '|ne two'],
    ['|one two', '"_dwP', '|two'],
  ],
  changes: [
    ['|one two', 'cwx<Esc>', '|x two'],
    ['on|e two', 'cwx<Esc>', 'on|x two'],
    ['one| two', 'cwx<Esc>', 'one|xtwo'],
    ['|one two three', 'c2wx<Esc>', '|x three'],
    ['one |two', 'Cx<Esc>', 'one |x'],
    ['o|ne\ntwo', 'ccx<Esc>', '|x\ntwo'],
    ['o|ne\ntwo', 'Sx<Esc>', '|x\ntwo'],
    ['|one', 'sxy<Esc>', 'x|yne'],
    ['|one', '2sx<Esc>', '|xe'],
    ['|one', 'rx', '|xne'],
    ['|one', '2rx', 'x|xe'],
    ['|one', '9rx', '|one'],
    ['|', 'sx<Esc>', '|x'],
    ['|', 'cwx<Esc>', '|x'],
    ['one\n|', 'cWx<Esc>', 'one\n|x'],
    ['one\n|\ntwo', 'clx<Esc>', 'one\n|x\ntwo'],
    ['|', 'ciwx<Esc>', '|x'],
    ['|one', 'chx<Esc>', '|xone'],
    ['|one', 'ci(<Esc>', '|one'],
    ['o|ne', 'r<CR>', 'o\n|e'],
    ['|one', '~', 'O|ne'],
    ['|one', '9~', 'ON|E'],
    ['|one\n  two', 'J', 'one| two'],
    ['|one\ntwo\nx', '3J', 'one two| x'],
    ['|one', 'J', '|one'],
    ['|(one\n)', 'J', '(one|)'],
    ['|one\n  two', 'gJ', 'one|  two'],
    ['|a\nb\nc', 'VjgJ', 'a|b\nc'],
    ['|a\nb\nc', 'gJ.', 'ab|c'],
  ],
  'upper and lower case': [
    ['one t|wo x', 'gUiw', 'one |TWO x'],
    ['|ONE two', 'guw', '|one two'],
    ['o|nE\nTwo', 'g~~', '|ONe\nTwo'],
    ['o|ne', 'gUU', '|ONE'],
    ['o|ne', 'gUgU', '|ONE'],
    ['O|NE', 'gugu', '|one'],
    ['a|a\nb\nc', '2gUU', 'A|A\nB\nc'],
    ['ß|a\nb', 'gUj', 'SS|A\nB'],
    ['|aß', 'g~$', '|Aß'],
    ['|a\nb\nc', 'gU9j', '|A\nB\nC'],
    ['a\n|b', 'gUj', 'a\n|b'],
    ['|e\u0301👍🏽x y', 'gU3l', '|E\u0301👍🏽X y'],
    ['|a (b c) d', 'f(gU%', 'a |(B C) d'],
    ['a (|b c) d', 'gUi(', 'a (|B C) d'],
    ['|a b c', 'vlgUw.', 'A |B c'],
    ['|a\nb', 'Vg~', '|A\nb'],
    ['|A b', 'gUww.', 'A |B'],
    ['|- a', '~w.', '- |A'],
    ['|a b', 'dgUw', 'a |b'],
    ['|a b', 'gUdw', 'a |b'],
    ['|a b', 'gU<Esc>w', 'a |b'],
  ],
  'types over what is there, and Backspace brings it back': [
    ['|abcd', 'Rxy<Esc>', 'x|ycd'],
    ['a|b\nc', 'Rxyz<Esc>', 'axy|z\nc'],
    ['|abcd', 'R<Esc>', '|abcd'],
    ['|abcd', 'Rxyz<backspace><backspace><Esc>', '|xbcd'],
    ['c|d', 'Rxyz<backspace><backspace><backspace><Esc>', '|cd'],
    ['a|b', 'Rx<backspace><backspace>y<Esc>', '|yb'],
    ['|a👍🏽b', 'Rxy<Esc>', 'x|yb'],
    ['|a👍🏽b', 'Rxy<backspace><Esc>', '|x👍🏽b'],
    ['|ab', 'Re\u0301<Esc>', '|e\u0301b'],
    ['|ab', 'Re\u0301<backspace><Esc>', '|ab'],
    ['|ab', 'R👩\u200d💻<Esc>', '|👩\u200d💻b'],
    ['|ab', 'R日<Esc>', '|日b'],
    ['|abcdef', '3Rxy<Esc>', 'xyxyx|y'],
    ['|abcdef', 'Rxy<Esc>l.', 'xyx|yef'],
    ['|abcdef', 'Rxy<Esc>l2.', 'xyxyx|y'],
    ['|abcdef', 'Rsome more words<Esc>u', '|abcdef'],
    ['|abcdef', 'Rxy<backspace>z<Esc>u<C-r>u', '|abcdef'],
    ['|a\nb', 'Rx<CR>y<backspace><backspace><Esc>', '|x\n\nb'],
  ],
  'begins to type': [
    ['|one', 'ix<Esc>', '|xone'],
    ['|one', 'ax<Esc>', 'o|xne'],
    ['  o|ne', 'Ix<Esc>', '  |xone'],
    ['| \none', 'Ix<Esc>', ' |x\none'],
    ['|one\ntwo', 'Ax<Esc>', 'one|x\ntwo'],
    ['|one\ntwo', 'ox<Esc>', 'one\n|x\ntwo'],
    ['one\n|two', 'Ox<Esc>', 'one\n|x\ntwo'],
    ['|', 'ix<Esc>', '|x'],
    ['|one', '3ix<Esc>', 'xx|xone'],
    ['|one', '2ox<Esc>', 'one\nx\n|x'],
    ['|one', '3o<Esc>', 'one\n\n\n|'],
    ['|one', '2O<Esc>', '\n|\none'],
    ['|one', 'a<Esc>', '|one'],
  ],
  'puts what was yanked': [
    ['|one two', 'ywP', 'one| one two'],
    ['|one two', 'yw$p', 'one twoone| '],
    ['|one\ntwo', 'yyp', 'one\n|one\ntwo'],
    ['|a\n\nb', 'yljccx<Esc>p', 'a\nx\n|\nb'],
    ['|a', 'ddccx<Esc>P', '|a\nx'],
    ['one\n|two', 'yyp', 'one\ntwo\n|two'],
    ['one\n|two', 'YP', 'one\n|two\ntwo'],
    ['|one\ntwo', 'yyjp', 'one\ntwo\n|one'],
    ['|one\ntwo', 'ddp', 'two\n|one'],
    ['|ab', 'xp', 'b|a'],
    ['|ab', 'x3p', 'baa|a'],
    ['|one', 'yy2p', 'one\n|one\none'],
    ['|a', '"+p', 'acli|p'],
    ['one |two', 'yb', '|one two'],
    ['one\nt|wo', 'yk', 'o|ne\ntwo'],
    ['one\ntwo\nx|y', 'ygg', '|one\ntwo\nxy'],
    ['o|ne\ntwo', 'yG', 'o|ne\ntwo'],
    ['o|ne', 'yG', '|one'],
    ['one\nt|wo', 'yy', 'one\nt|wo'],
    ['|one', 'ddddP', '|one\n'],
    ['|a b', 'ywwv3p', 'a a a a| '],
    ['|a\nb', 'yljV2p', 'a\n|a\na'],
    ['|one\ntwo\nx', 'Vjyp', 'one\n|one\ntwo\ntwo\nx'],
    ['one\nt|wo', 'vkY', '|one\ntwo'],
    ['one t|wo', 'vyP', 'one t|wwo'],
    ['|ab', 'p', '|ab'],
    ['(|a\nb)', 'h%v%y%p', '(a\nb)|(a\nb)'],
    ['|(a\nb)', 'y%2P', '|(a\nb)(a\nb)(a\nb)'],
    ['|(a\nb) c', 'y%%wvp', '(a\nb) |(a\nb)'],
    ['a|b\ncd', 'v$yjP', 'ab\nc|b\nd'],
    ['a|b\ncd', 'v$d0p', 'a|b\ncd'],
    ['|ab\ncd', 'v$yjVp', 'ab\n|ab\n'],
    ['|ab\ncd', 'v$yyyp', 'ab\n|ab\ncd'],
  ],
  'text objects': [
    ['one t|wo three', 'diw', 'one | three'],
    ['one t|wo three', 'daw', 'one |three'],
    ['one t|wo', 'daw', 'on|e'],
    ['one| two', 'diw', 'one|two'],
    ['|a.b,c', 'd3aw', '|,c'],
    ['|foo(bar)', 'd2aw', '|bar)'],
    ['|a b  c', 'd2aw', '|c'],
    ['a| b c', 'd2aw', '|a'],
    ['|a-b c', 'd2iw', '|b c'],
    ['one-t|wo x', 'diW', '| x'],
    ['a "on|e" b', 'di"', 'a "|" b'],
    ['a "on|e" b', 'da"', 'a |b'],
    ['|a "one" b', 'ci"x<Esc>', 'a "|x" b'],
    ["it's 'on|e'", "di'", "it's 'on|e'"],
    ['f(a, (b|), c)', 'di(', 'f(a, (|), c)'],
    ['f(a, (b|), c)', 'd2i(', 'f(|)'],
    ['f(|a)', 'da(', '|f'],
    ['|f(a) b', 'ci(x<Esc>', 'f(|x) b'],
    ['|f)\n(a)', 'da(', '|f)\n(a)'],
    ['f(a|)', 'dib', 'f(|)'],
    ['one |two', 'di(', 'one |two'],
    ['f {\n  |a\n}', 'di{', 'f {\n|}'],
    ['f {\n  |a\n  b\n  }', 'ci{x<Esc>', 'f {\n|x\n  }'],
    ['f {|a\n}', 'di{', 'f |{\n}'],
    ['f {\n|a }', 'di{', 'f {\n|}'],
    ['f {\n|}', 'di{', 'f {\n|}'],
    ['f {\n|a\n}', 'vi{d', 'f {\n|}'],
    ['a\nb|b\n\nc', 'dip', '|\nc'],
    ['a\nb|b\n\nc', 'dap', '|c'],
    ['|a\n\nb\n\nc', '2dap', '|c'],
    ['|a\n\nb', 'd2ip', '|b'],
    ['a\n\n|b', 'yipP', 'a\n\n|b\nb'],
    ['a\n\n|b', 'dap', '|a'],
    ['|a\n\nb', '3dap', '|a\n\nb'],
    ['|a\n\nb', '2dap', '|'],
    ['a\n|', 'dap', 'a\n|'],
    ['|a\n', 'd3ip', '|a\n'],
    ['|a b', 'd3aw', '|a b'],
    ['|a b', 'd4iw', '|a b'],
    ['a| ', 'daw', 'a| '],
    ['a\n|\n, b', 'daw', 'a\n| b'],
    ['a| \nb c', 'yawP', 'a| \nb \nb c'],
    ['a\n|\nb c', 'cawx<Esc>', 'a\n|x c'],
    ['|\n\na', 'dawix<Esc>', '|xa'],
    ['a\n|', 'vipd', '|a'],
  ],
  selects: [
    ['|one two', 'vld', '|e two'],
    ['|one two', 'ved', '| two'],
    ['one |two', 'vbd', '|wo'],
    ['|one two', 'vecx<Esc>', '|x two'],
    ['|one two', 'veyP', 'on|eone two'],
    ['one t|wo x', 'viwd', 'one | x'],
    ['|one two three', 'vawawd', '|three'],
    ['|one two three', 'viwiwiwd', '| three'],
    ['|one-two three', 'vliwaWd', '|three'],
    ['|a\n\nb\n\nc', 'vapapd', '|c'],
    ['|one\ntwo\nx', 'Vjd', '|x'],
    ['|one\n\nx', 'VjD', '|x'],
    ['|one\n\n\nx', 'vapd', '|x'],
    ['|one two', 'vex', '| two'],
    ['|one two', 'veU', '|ONE two'],
    ['|ONE two', 've~', '|one two'],
    ['|one two', 'vlrx', '|xxe two'],
    ['one |two', 'vlobd', '|o'],
    ['|one\ntwo', 'vjJ', 'one| two'],
    ['|a b', 'yiwwviwp', 'a |a'],
    ['|one two', 'yiwwviwp', 'one on|e'],
    ['|one', 'vl<Esc>x', 'o|e'],
    ['|one', 'vlvx', 'o|e'],
    ['o|ne\ntwo', 'vD', '|two'],
    ['|one\ntwo\n', 'VGJ', 'one tw|o'],
    ['a\n|b\n', 'vGCx<Esc>', 'a\n|x'],
  ],
  'selects the line break': [
    ['o|ne\ntwo', 'v$d', 'o|two'],
    ['o|ne\ntwo', 'vlld', 'o|two'],
    ['one\n|two', 'v9ld', 'one\n|'],
    ['one |two\nx\ny', 'vjd', 'one |y'],
    ['|one\ntwo\nx', '$vjd', 'on|x'],
    ['o|ne\ntwo', 'v$hd', '|o\ntwo'],
    ['o|ne\ntwo', 'v$<Esc>', 'on|e\ntwo'],
    ['o|ne\ntwo', 'v$v', 'on|e\ntwo'],
    ['o|ne\ntwo', 'v$ohd', '|two'],
    ['o|ne\ntwo', 'v$rx', 'o|xx\ntwo'],
    ['one t|wo', 'vwd', 'one |t'],
    ['one t|wo', 'v$J', 'one t|wo'],
  ],
  'repeats the last change': [
    ['|a b c', 'dw.', '|c'],
    ['|a b c d', 'dw2.', '|d'],
    ['|one two', 'cwx<Esc>w.', 'x |x'],
    ['|ab', 'ix<Esc>.', '|xxab'],
    ['|ab', 'Ax<Esc>.', 'abx|x'],
    ['|abcdef', 'vld.', '|ef'],
    ['|a\nb\nc\nd', 'Vjd.', '|'],
    ['|one', 'x.', '|e'],
    ['|aB', '~.', 'A|b'],
    ['|a\nb\nc', 'J.', 'a b| c'],
    ['|one two', 'ciwx<Esc>w.', 'x |x'],
    ['|abc', 'xu.', '|bc'],
  ],
  'replaces as many characters again as were selected': [
    ['|abc def', 'vllrxw.', 'xxx |xxx'],
    ['|abc\nde\nf', 'vllrxj.', 'xxx\n|xx\nf'],
    ['|ab\nc\nd\ne', 'Vjrxjj.', 'xx\nx\n|x\nx'],
  ],
  'undoes and redoes': [
    ['|one two', 'dwu', '|one two'],
    ['|one two', 'dwu<C-r>', '|two'],
    ['|a b c', 'dwdw2u', '|a b c'],
    ['|one two', 'cwsome more words<Esc>u', '|one two'],
    ['|one two', 'cwsome more words<Esc>u<C-r>', '|some more words two'],
    ['|one two', 'dwu$<C-r>', '|two'],
    ['|one', 'Axy<Esc>u<C-r>', 'one|xy'],
    ['one t|wo', 'Oxy<Esc>u<C-r>', 'x|y\none two'],
    ['|one two', 'xu$<C-r>u', '|one two'],
    ['one\n  t|wo', 'ddu<C-r>', '|one'],
    ['one\n| two', 'ccx<Esc>u', 'one\n| two'],
    ['|one', 'osome more words<Esc>u', '|one'],
    ['|one', '3isome words<Esc>u', '|one'],
    ['|one', 'ddu', '|one'],
    ['|one', 'u', '|one'],
  ],
};

for (const [title, table] of Object.entries(rows))
  describe(title, () => {
    it.each(table)('%j %s', (before, keys, after) => {
      const edited = type(start(before), keys);
      expect(marked(edited)).toBe(after);
      expect(edited.vim.mode).toBe('normal');
    });
  });

describe('registers', () => {
  it('pass a yank to the clipboard only with "+', () => {
    expect(type(start('|one two'), '"+yw').copied).toBe('one ');
    expect(type(start('|one two'), 'yw').copied).toBeUndefined();
  });

  it('keep deleted text for Ctrl-Y, and leave it out with "_', () => {
    expect(type(start('|one two'), 'dw').draft.kill).toBe('one ');
    expect(type(start('|one two', 'held'), '"_dw').draft.kill).toBe('held');
  });
});

describe('one step for all that was typed', () => {
  it('is kept where more steps than are remembered were made since', () => {
    const text = 'a word '.repeat(200).trim();
    for (const key of ['i', 'R']) {
      const before = type(start('|x y'), 'dw');
      const edited = type(before, `${key}${text}<Esc>u`);
      expect(edited.draft.text).toBe('y');
      expect(type(edited, 'u').draft.text).toBe('x y');
      expect(type(edited, '<C-r>').draft.text).toContain(text);
    }
  });
});

describe('replace mode', () => {
  it('brings everything back by as many Backspaces as there were characters', () => {
    const typed = fc.array(fc.constantFrom(...'ab .', 'é', '👍', '日', '\u0301', '\u200d', '🇩', '🇪'), {
      maxLength: 20,
    });
    fc.assert(
      fc.property(texts, fc.nat(60), typed, (text, at, keys) => {
        const before = press(press(start(`${text.slice(0, at)}|${text.slice(at)}`), 'h'), 'R');
        let edited = keys.reduce(press, before);
        while (edited.vim.insertion?.replaced != null) edited = press(edited, 'backspace');
        expect(marked(edited)).toBe(marked(before));
        expect(press(edited, 'escape').draft.undo).toEqual(before.draft.undo);
      }),
      { numRuns: 1000 },
    );
  });

  it('inserts after the cursor was moved, where Backspace has nothing to bring back but moves', () => {
    const moved = type(start('|abcdef'), 'Rxy');
    const edited = type({ ...moved, draft: moveByCluster(moved.draft, 1) }, 'z<backspace><backspace>');
    expect(marked(edited)).toBe('xy|cdef');
    expect(type(edited, '<backspace>').draft.text).toBe('xycdef');
  });

  it('types over a long draft as fast as over a short one', () => {
    let edited = type(start(`|${'word '.repeat(20_000)}`), 'R');
    for (let i = 0; i < 300; i++) edited = press(edited, 'x');
    expect(edited.draft.undo).toHaveLength(1);
    expect(type(edited, '<Esc>u').draft.text).toBe('word '.repeat(20_000));
  });
});

describe('keys that vim does not use', () => {
  it('include Escape only when nothing is pending or selected', () => {
    expect(pressVim(start('|one').vim, start('|one').draft, 'escape', around)).toBeNull();
    const waiting = type(start('|one'), '2d');
    expect(waiting.vim.pending.keys).toBe('2d');
    expect(type(waiting, '<Esc>').vim.pending.keys).toBe('');
  });

  it('include Enter and keys with Ctrl, which end an incomplete command', () => {
    const { vim, draft } = start('|one');
    for (const key of ['enter', 'ctrl+k', 'tab', 'left', 'f5']) expect(pressVim(vim, draft, key, around)).toBeNull();
    expect(type(start('|one'), 'd<CR>').vim.pending.keys).toBe('');
  });

  it('include the names of keys, which are not read as characters', () => {
    for (const key of ['f5', 'alt+x', 'shift+left', 'left', 'pageup', 'ctrl+alt+a']) {
      const edited = ['r', key].reduce(press, start('o|ne'));
      expect(marked(edited)).toBe('o|ne');
      expect(edited.vim.pending.keys).toBe('');
      expect(['v', 'r', key].reduce(press, start('o|ne')).draft.text).toBe('one');
    }
    expect(marked(['r', '👍'].reduce(press, start('o|ne')))).toBe('o|👍e');
  });

  it('include every key but Escape in insert mode', () => {
    const { vim, draft } = type(start('|one'), 'i');
    for (const key of ['d', 'enter', 'ctrl+r', 'left', 'backspace'])
      expect(pressVim(vim, draft, key, around)).toBeNull();
  });

  it('a count is limited in what it repeats', () => {
    const { draft } = type(start('|one'), 'yy99999p');
    expect(draft.text.length).toBeLessThan(110_000);
  });
});

const alphabet = [
  ...'hjklwbeWBE0^$gGfFtT;,dcyDCYSsxXrR~JpPuUiaIAoOvV."+_123(){}%\'`,. abcZ',
  'escape',
  'ctrl+r',
  'enter',
  'backspace',
  'left',
  'up',
];
const texts = fc.oneof(
  fc.string({ unit: fc.constantFrom(...'ab ("\').,\n', 'é', '👍🏽', '日', 'e\u0301'), maxLength: 40 }),
  fc.constant('one two, (three) "four"\n\n  five-six\nseven'),
);

describe('typing anything', () => {
  it('undoes every change of normal mode with one u, and keeps the cursor on a character', () => {
    fc.assert(
      fc.property(texts, fc.nat(60), fc.array(fc.constantFrom(...alphabet), { maxLength: 40 }), (text, at, keys) => {
        let edited = press(start(`${text.slice(0, at)}|${text.slice(at)}`), 'h');
        let idle = edited;
        for (const key of keys) {
          edited = press(edited, key);
          if (edited.vim.mode !== 'normal' || edited.vim.pending.keys !== '') continue;
          const { draft } = edited;
          const isUndo = key === 'u' || key === 'ctrl+r';
          if (!isUndo && draft.text !== idle.draft.text) expect(press(edited, 'u').draft.text).toBe(idle.draft.text);
          const lineEnd = draft.text.indexOf('\n', draft.cursor);
          const isAtEnd = draft.cursor === (lineEnd < 0 ? draft.text.length : lineEnd);
          expect(isAtEnd && draft.cursor > 0 && draft.text.charAt(draft.cursor - 1) !== '\n').toBe(false);
          idle = edited;
        }
      }),
      { numRuns: 1000 },
    );
  });
});
