/** The same keys in the composer and in vim itself, where it is installed: text and cursor must be the same. */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { emptyDraft } from '../../../../src/state/composer/draft.ts';
import { insert } from '../../../../src/state/composer/draft-edit.ts';
import type { Edited } from '../../../../src/state/composer/vim/edited.ts';
import { onCluster } from '../../../../src/state/composer/vim/lines.ts';
import { newVim, pressVim } from '../../../../src/state/composer/vim/vim.ts';

/** `⎋` is Escape, `⌫` Backspace and `↻` Ctrl-R. */
const commands = [
  '2dd 5dd 2cc⎋ 3S⎋ 5yyP Y 3Y 2D 3C⎋ 2$ d3$ 2g_ 9j 9k 5dj 2dk 3cj⎋ yk y2k yj ygg yG 9G d5G 9l d9l 9h d9h 5w d5w 3e d3e 9b 3ge',
  '% d% c%⎋ y%P v%d 50% d30% 101% { } 2{ 3} d{ d} 2d} y}P c}x⎋ v}d v{d',
  'gUU guu g~~ gUgU gugu g~g~ 2gUU gUw gu2w g~$ gUb gUj gUk gUG gUgg g~ip gU% gU} v2lgU Vgu vg~ 3~ 9~',
  'Rxy⎋ R⎋ 3Rxy⎋ Rxyz⌫⌫⎋ Rxyz⌫⌫q⎋ 2Rxyz⌫⎋ R日é⌫z⎋ Rxy⎋0. Rx⎋03. Rxyz⌫q⎋u Rxy⎋u',
  'dap dip d2ap d2ip cap⎋ yapP yipP y%p y%2P',
  'xu dwu dbu ddu d0u pu ywpu yyPu Axy⎋u Ixy⎋u axy⎋u ixy⎋u oxy⎋u Oxy⎋u 3Ju gUwu gUbu gUUu rxu 2ddu djju dku dggu',
  'v$d v$y v$⎋ vld v9ld vld vjd vkd vjjd v$jd v$hd vwd vWd vod v$od vlod v$cx⎋ v$~ v$J v$rx v$U vGd vggd vbd ved v$o⎋ vj⎋ v$vx v3$d v2ld v2jd VjU vhd vg_d v^d v0d v$Vd V$vd v}d v{d v%d vlsx⎋ VGJ vGJ gJ 2gJ VjgJ vjgJ vGD vGY vGCx⎋',
  'v$y$p v$yjP v$dP v$d$p v$cx⎋P v$yVp v$yvp v$yvP v$ypvp yyv$p v$y2p ccx⎋p S⎋P ix⎋ylv3p ix⎋ylVj3p yyV3p yyv3p ix⎋yljvj2P yyVjp v$yVjp vipy vipd',
  'xu↻ dwu↻ dbu↻ d0u↻ Axy⎋u↻ Ixy⎋u↻ axy⎋u↻ oxy⎋u↻ Oxy⎋u↻ gUwu↻ rxu↻ xu$↻ dwu0↻ ccx⎋u↻ vjdu↻ Jxuu↻↻ xxuu↻↻ xu↻u ywpu↻ yyPu↻ dwuG↻',
  'cwx⎋u ccx⎋u cFax⎋u dipu dapu d%u xxuu xpu ddpu vjdu Vjdu vjgUu vwcx⎋u vlrxu dFau yyddPu Vrxu d}u d{u',
].flatMap((line) => line.split(' '));

const words = fc.string({ unit: fc.constantFrom(...'abA ,.(){}[]"\n\n', 'é', '日'), maxLength: 16 });
const cases = fc.record({
  text: fc.tuple(words, words).map((parts) => parts.join('\n')),
  at: fc.nat(33),
  keys: fc.constantFrom(...commands),
});
type Case = typeof cases extends fc.Arbitrary<infer T> ? T : never;

const script = `
set enc=utf-8 nocp cpo&vim sol nojs ww= bs=2 noai tw=0 belloff=all
let made = []
for c in json_decode(join(readfile('cases.json'), ''))
  enew!
  setlocal ul=-1
  call setline(1, c.lines)
  setlocal ul=1000
  let @" = ''
  call cursor(c.line, c.column)
  call feedkeys(c.keys, 'xt')
  call add(made, [getline(1, '$'), line('.'), col('.')])
endfor
call writefile([json_encode(made)], 'made.json')
qa!
`;

const bytes = (text: string): number => Buffer.byteLength(text);
const startOf = ({ text, at }: Case): number => onCluster(text, Math.min(at, text.length));

/** What vim makes of each case: the text with `|` before the cursor. */
function inVim(all: readonly Case[]): readonly string[] {
  const folder = mkdtempSync(join(tmpdir(), 'vim-'));
  const asked = all.map((one) => {
    const above = one.text.slice(0, startOf(one)).split('\n');
    const keys = one.keys.replaceAll('⎋', '\x1b').replaceAll('⌫', '\b').replaceAll('↻', '\x12');
    return { lines: one.text.split('\n'), line: above.length, column: bytes(above.at(-1) ?? '') + 1, keys };
  });
  writeFileSync(join(folder, 'cases.json'), JSON.stringify(asked));
  writeFileSync(join(folder, 'run.vim'), script);
  execFileSync('vim', ['-u', 'NONE', '-i', 'NONE', '-nNes', '-S', 'run.vim'], { cwd: folder, stdio: 'ignore' });
  const made: [string[], number, number][] = JSON.parse(readFileSync(join(folder, 'made.json'), 'utf8'));
  rmSync(folder, { recursive: true });
  return made.map(([lines, line, column]) => {
    const held = Buffer.from(lines[line - 1] ?? '');
    lines[line - 1] = `${held.subarray(0, column - 1)}|${held.subarray(column - 1)}`;
    return lines.join('\n');
  });
}

function inComposer(one: Case): string {
  const draft = { ...emptyDraft, text: one.text, cursor: startOf(one) };
  let edited: Edited = { vim: { ...newVim('c1'), mode: 'normal' }, draft };
  for (const character of one.keys) {
    const key = { '⎋': 'escape', '⌫': 'backspace', '↻': 'ctrl+r' }[character] ?? character;
    const around = { columns: 1000, clipboard: '' };
    const isText = edited.vim.mode === 'insert';
    const typed = isText ? { ...edited, draft: insert(edited.draft, key) } : edited;
    edited = pressVim(edited.vim, edited.draft, key, around) ?? typed;
  }
  const { text, cursor } = edited.draft;
  return `${text.slice(0, cursor)}|${text.slice(cursor)}`;
}

const hasVim = / 9\.\d.*\+eval/s.test(spawnSync('vim', ['--version'], { encoding: 'utf8' }).stdout ?? '');

describe.skipIf(!hasVim)('vim itself', () => {
  test('does the same with random keys', () => {
    const all = fc.sample(cases, 3000);
    const expected = inVim(all);
    const different = all.flatMap((one, i) => {
      const made = inComposer(one);
      return made === expected[i] ? [] : [{ ...one, at: startOf(one), made, vim: expected[i] }];
    });
    expect(different).toEqual([]);
  });
});
