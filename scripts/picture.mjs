/**
 * Makes the animated picture of the README: npm run picture [-- out.svg]. It runs the built program with its demo in a
 * terminal without a screen, types a short story and writes what was shown as docs/screen.svg.
 *
 * The clock of the program begins at a fixed time, in UTC, and how long a frame is shown is written in the story, not
 * measured. Between two runs the order in which answers of the demo and typed keys meet may differ, and with it the
 * moment in which a message of the demo, a tick or a typing notice appears.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pty from '@lydell/node-pty';
import headless from '@xterm/headless';
import { animatedSvg } from './picture-svg.mjs';
import { prepare, root } from './prepare.mjs';

const [cols, rows] = [100, 28];
const begin = Date.UTC(2026, 3, 8, 17, 42);
const grounds = { dark: '#1a1e26', light: '#fbfbf9' };
let ground = 'dark';

prepare();
const home = mkdtempSync(join(tmpdir(), 'msg-tui-picture-'));
const clock = `const Real = Date, shift = ${begin} - Real.now();
globalThis.Date = class Date extends Real {
  constructor(...args) { if (args.length === 0) super(Real.now() + shift); else super(...args); }
  static now() { return Real.now() + shift; }
};`;
// The add-on reads its table from the start of a Buffer's memory, so that Buffer must not come out of the shared pool.
const { poolSize } = Buffer;
Buffer.poolSize = 1;
const graphemes = createRequire(import.meta.url)('@xterm/addon-unicode-graphemes');
Buffer.poolSize = poolSize;
const terminal = new headless.Terminal({ cols, rows, allowProposedApi: true });
terminal.loadAddon(new graphemes.UnicodeGraphemesAddon());
const child = pty.spawn(
  process.execPath,
  [`--import=data:text/javascript,${encodeURIComponent(clock)}`, join(root, 'dist/msg-tui.cjs'), 'demo'],
  {
    cols,
    rows,
    env: {
      PATH: process.env.PATH,
      HOME: home,
      TZ: 'UTC',
      TERM: 'xterm-256color',
      COLORTERM: 'truecolor',
      LC_ALL: 'C.UTF-8',
    },
  },
);
process.on('exit', () => {
  child.kill('SIGKILL');
  rmSync(home, { recursive: true, force: true, maxRetries: 3 });
});
child.onData((data) => terminal.write(data));
terminal.onData((reply) => child.write(reply));
// The program asks for the background, by which it chooses its theme; a terminal without a screen has none to report.
terminal.parser.registerOscHandler(11, (data) => {
  if (data !== '?') return false;
  child.write(`\x1b]11;rgb:${grounds[ground].slice(1).match(/../g).join('/')}\x1b\\`);
  return true;
});

let isCursorShown = true;
for (const [final, isShown] of [
  ['h', true],
  ['l', false],
]) {
  terminal.parser.registerCsiHandler({ prefix: '?', final }, (modes) => {
    if (modes.includes(25)) isCursorShown = isShown;
    return false;
  });
}

const frames = [];
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const shown = () =>
  Array.from({ length: rows }, (_, y) => terminal.buffer.active.getLine(y)?.translateToString(true) ?? '').join('\n');

/** Waits until the screen shows the text. */
async function until(text) {
  for (let i = 0; i < 150 && !shown().includes(text); i++) await pause(100);
  if (!shown().includes(text)) throw new Error(`The screen never showed “${text}”:\n${shown()}`);
  await pause(300);
}

/** Keeps what is shown now for so many seconds of the picture. */
function show(seconds) {
  frames.push({ ...readScreen(), seconds });
}

/** Presses a key and shows the result. */
async function press(key, seconds) {
  child.write(key);
  await pause(350);
  show(seconds);
}

/** Types a text; every second character makes a frame. */
async function type(text) {
  const letters = [...text];
  for (let i = 0; i < letters.length; i += 2) {
    for (const letter of letters.slice(i, i + 2)) {
      child.write(letter);
      await pause(40);
    }
    await pause(80);
    show(0.14);
  }
}

function readScreen() {
  const buffer = terminal.buffer.active;
  const lines = Array.from({ length: rows }, (_, y) => {
    const line = buffer.getLine(buffer.viewportY + y);
    const cells = [];
    for (let x = 0; x < cols; x++) {
      const cell = line.getCell(x);
      if (cell.getWidth() > 0) cells.push({ x, ...readCell(cell) });
    }
    return cells;
  });
  return { lines, ground, cursor: isCursorShown ? { x: buffer.cursorX, y: buffer.cursorY } : null };
}

function readCell(cell) {
  const colour = (isDefault, isRgb, value) =>
    isDefault ? null : isRgb ? `#${value.toString(16).padStart(6, '0')}` : value;
  return {
    chars: cell.getChars(),
    width: cell.getWidth(),
    front: colour(cell.isFgDefault(), cell.isFgRGB(), cell.getFgColor()),
    back: colour(cell.isBgDefault(), cell.isBgRGB(), cell.getBgColor()),
    isInverse: cell.isInverse() !== 0,
    isBold: cell.isBold() !== 0,
    isItalic: cell.isItalic() !== 0,
    isUnderlined: cell.isUnderline() !== 0,
    isDim: cell.isDim() !== 0,
  };
}

async function story() {
  await until('Write me a line');
  await until('make the punch');
  // The first frame is all that a still viewer shows, so that the picture begins with a conversation that is full.
  await press('\x0b', 0);
  await type('workshop');
  await press('\r', 0);
  await until('To Workshop');
  frames.length = 0;
  show(2);
  await press('\x0b', 0.8);
  await type('harb');
  await press('\r', 0.2);
  await until('To Harbour crew');
  show(1.8);
  await type('I bring oranges and the big pot 🍊');
  await press('\r', 0.5);
  await until('✓');
  show(1.4);
  await press('\x1b[A', 0.7);
  await press('a', 1.2);
  await press('\r', 1.4);
  await press('\x1b', 0.4);
  await press('\x06', 0.5);
  await type('punch');
  await pause(500);
  show(1.6);
  await press('\x1b', 0.4);
  await press('\x0b', 0.4);
  await type('>theme');
  await pause(300);
  show(1.6);
  await press('\x1b', 0.5);
  // The terminal switches to a light background and reports it (mode 2031); the theme follows.
  ground = 'light';
  await press('\x1b[?997;2n', 0);
  await pause(700);
  frames.pop();
  show(2.5);
}

await story();
const out = process.argv[2] ?? join(root, 'docs/screen.svg');
const drawing = animatedSvg(frames, { cols, rows, grounds });
writeFileSync(out, drawing);
const seconds = frames.reduce((sum, frame) => sum + frame.seconds, 0);
console.log(`${out}: ${frames.length} frames, ${seconds.toFixed(1)} s, ${Math.ceil(drawing.length / 1000)} kB`);
process.exit(0);
