/**
 * Draws a screen of the running program as SVG: node scripts/screenshot.mjs out.svg [--size 100x30] [--keys 'text\t'] [--theme light]
 * [--wait text] [-- arguments]; without arguments it shows the demo.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import pty from '@lydell/node-pty';
import graphemes from '@xterm/addon-unicode-graphemes';
import headless from '@xterm/headless';
import { prepare, root } from './prepare.mjs';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    size: { type: 'string', default: '100x30' },
    keys: { type: 'string', default: '' },
    wait: { type: 'string', default: 'Harbour' },
    theme: { type: 'string', default: 'dark' },
    settle: { type: 'string', default: '1500' },
  },
});
const [out, ...rest] = positionals;
const [cols, rows] = values.size.split('x').map(Number);
const isLight = values.theme === 'light';
const colours = isLight
  ? [
      '#3b4252',
      '#b02a37',
      '#2f7d32',
      '#8a6d00',
      '#1f5fa8',
      '#8e3a9d',
      '#0f7480',
      '#6b7280',
      '#6b7280',
      '#c62828',
      '#2e7d32',
      '#9a7400',
      '#1565c0',
      '#8e24aa',
      '#00838f',
      '#111827',
    ]
  : [
      '#1d2430',
      '#e06c75',
      '#98c379',
      '#e5c07b',
      '#61afef',
      '#c678dd',
      '#56b6c2',
      '#c8ccd4',
      '#7a8291',
      '#ef8a92',
      '#b2d99a',
      '#f0d399',
      '#84c3ff',
      '#d8a0ec',
      '#7fd0da',
      '#ffffff',
    ];
const [background, foreground] = isLight ? ['#fbfbf9', '#22272e'] : ['#1a1e26', '#c8ccd4'];

prepare();
const terminal = new headless.Terminal({ cols, rows, allowProposedApi: true });
terminal.loadAddon(new graphemes.UnicodeGraphemesAddon());
terminal.unicode.activeVersion = '15-graphemes';
const env = { ...process.env, TERM: 'xterm-256color', LC_ALL: 'C.UTF-8' };
delete env.CI;
const child = pty.spawn(process.execPath, [join(root, 'dist/msg-tui.cjs'), ...(rest.length > 0 ? rest : ['demo'])], {
  cols,
  rows,
  env,
});
child.onData((data) => terminal.write(data));
terminal.onData((reply) => child.write(reply));
// The program asks for the background, by which it chooses its theme; a terminal without a screen has none to tell.
terminal.parser.registerOscHandler(11, (data) => {
  if (data !== '?') return false;
  child.write(`\x1b]11;rgb:${background.slice(1).match(/../g).join('/')}\x1b\\`);
  return true;
});

const text = () =>
  Array.from({ length: rows }, (_, y) => terminal.buffer.active.getLine(y)?.translateToString(true) ?? '').join('\n');
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
for (let i = 0; i < 100 && !text().includes(values.wait); i++) await pause(100);
await pause(Number(values.settle));
const keys = values.keys
  .replace(/\\t/g, '\t')
  .replace(/\\r/g, '\r')
  .replace(/\\e/g, '\x1b')
  .replace(/\\x([0-9a-f]{2})/gi, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)));
for (const part of keys.match(/\x1b\[[0-9;]*[A-Za-z~]|\x1bO.|\x1b.|[^\x1b]/gu) ?? []) {
  child.write(part);
  await pause(60);
}
if (keys !== '') await pause(Number(values.settle));
writeFileSync(out, svg());
console.log(text());
child.kill('SIGKILL');
process.exit(0);

function colourOf(cell, isForeground) {
  const isDefault = isForeground ? cell.isFgDefault() : cell.isBgDefault();
  if (isDefault) return null;
  const value = isForeground ? cell.getFgColor() : cell.getBgColor();
  if (isForeground ? cell.isFgRGB() : cell.isBgRGB()) return `#${value.toString(16).padStart(6, '0')}`;
  if (value < 16) return colours[value];
  if (value >= 232) return `#${(8 + (value - 232) * 10).toString(16).padStart(2, '0').repeat(3)}`;
  const level = (n) => (n === 0 ? 0 : 55 + n * 40).toString(16).padStart(2, '0');
  const index = value - 16;
  return `#${level(Math.floor(index / 36))}${level(Math.floor(index / 6) % 6)}${level(index % 6)}`;
}

function svg() {
  const [w, h] = [8.4, 18];
  const escapeText = (value) => value.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;');
  const parts = [];
  for (let y = 0; y < rows; y++) {
    const line = terminal.buffer.active.getLine(y);
    for (let x = 0; x < cols; ) {
      const cell = line.getCell(x);
      const width = Math.max(1, cell.getWidth());
      let [front, back] = [colourOf(cell, true) ?? foreground, colourOf(cell, false)];
      if (cell.isInverse()) [front, back] = [back ?? background, front];
      if (back !== null)
        parts.push(
          `<rect x="${(x * w).toFixed(1)}" y="${y * h}" width="${(width * w + 0.2).toFixed(1)}" height="${h}" fill="${back}"/>`,
        );
      const chars = cell.getChars();
      if (chars.trim() !== '') {
        const style = `${cell.isBold() ? ' font-weight="bold"' : ''}${cell.isItalic() ? ' font-style="italic"' : ''}${cell.isUnderline() ? ' text-decoration="underline"' : ''}${cell.isDim() ? ' opacity="0.65"' : ''}`;
        parts.push(
          `<text x="${(x * w).toFixed(1)}" y="${y * h + 13.5}" fill="${front}"${style}>${escapeText(chars)}</text>`,
        );
      }
      x += width;
    }
  }
  const { cursorX, cursorY } = terminal.buffer.active;
  parts.push(
    `<rect x="${(cursorX * w).toFixed(1)}" y="${cursorY * h}" width="${w}" height="${h}" fill="${foreground}" opacity="0.5"/>`,
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="-8 -8 ${(cols * w + 16).toFixed(0)} ${rows * h + 16}" font-family="DejaVu Sans Mono, Menlo, Consolas, monospace" font-size="14"><rect x="-8" y="-8" width="100%" height="100%" rx="6" fill="${background}"/>${parts.join('')}</svg>\n`;
}
