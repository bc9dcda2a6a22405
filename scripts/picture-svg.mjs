/**
 * Draws screens of a terminal as one animated SVG without a script. A row that looks the same in several frames is
 * drawn once and used in each. Viewers without CSS animation, and readers who asked for reduced motion, see the first
 * frame.
 */
const [w, h] = [8.4, 18];
const palettes = {
  dark: '#1d2430 #e06c75 #98c379 #e5c07b #61afef #c678dd #56b6c2 #c8ccd4 #7a8291 #ef8a92 #b2d99a #f0d399 #84c3ff #d8a0ec #7fd0da #ffffff',
  light:
    '#3b4252 #b02a37 #2f7d32 #8a6d00 #1f5fa8 #8e3a9d #0f7480 #6b7280 #6b7280 #c62828 #2e7d32 #9a7400 #1565c0 #8e24aa #00838f #111827',
};
const foregrounds = { dark: '#c8ccd4', light: '#22272e' };
const unit = (value) => String(Math.round(value * 10) / 10);
const escapeText = (text) => text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;');

/** Lines of boxes, as the arms that they have: up, right, down, left. They are drawn, because fonts leave gaps. */
const arms = {
  '│': 'ud',
  '┃': 'ud',
  '─': 'lr',
  '━': 'lr',
  '┌': 'rd',
  '╭': 'rd',
  '┐': 'dl',
  '╮': 'dl',
  '└': 'ur',
  '╰': 'ur',
  '┘': 'ul',
  '╯': 'ul',
  '├': 'urd',
  '┤': 'udl',
  '┬': 'rdl',
  '┴': 'url',
  '┼': 'urdl',
};
const armPaths = { u: `V0`, d: `V${h}`, l: `h${-w / 2}`, r: `h${w / 2}` };

/**
 * @param frames what each frame shows (lines of cells, cursor, dark or light ground) and for how many seconds
 * @returns the text of the SVG
 */
export function animatedSvg(frames, { cols, rows, grounds }) {
  const ids = new Map();
  const defined = [];
  const define = (drawing) => {
    if (!ids.has(drawing)) {
      ids.set(drawing, `r${ids.size.toString(36)}`);
      defined.push(`<g id="${ids.get(drawing)}">${drawing}</g>`);
    }
    return ids.get(drawing);
  };
  const size = [unit(cols * w + 16), rows * h + 16];
  const total = frames.reduce((sum, { seconds }) => sum + seconds, 0);
  const styles = [];
  const groups = [];
  let at = 0;
  for (const [n, frame] of frames.entries()) {
    const uses = frame.lines.map((cells, y) => {
      const drawing = drawRow(cells, frame.ground, grounds);
      return drawing === '' ? '' : `<use href="#${define(drawing)}" y="${y * h}"/>`;
    });
    const { cursor, ground } = frame;
    const under = `<rect x="-8" y="-8" width="${size[0]}" height="${size[1]}" rx="6" fill="${grounds[ground]}"/>`;
    const mark =
      cursor === null
        ? ''
        : `<rect x="${unit(cursor.x * w)}" y="${cursor.y * h}" width="${w}" height="${h}" fill="${foregrounds[ground]}" opacity=".5"/>`;
    groups.push(`<g class="f" id="f${n}"${n === 0 ? '' : ' visibility="hidden"'}>${under}${uses.join('')}${mark}</g>`);
    styles.push(`#f${n}{animation-name:k${n}}@keyframes k${n}{${keyframes(at / total, (at + frame.seconds) / total)}}`);
    at += frame.seconds;
  }
  const style = `text{white-space:pre}@media (prefers-reduced-motion:no-preference){.f{animation:${unit(total)}s step-end infinite}${styles.join('')}}`;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="-8 -8 ${size[0]} ${size[1]}" font-family="DejaVu Sans Mono, Menlo, Consolas, monospace" font-size="14"><title>msg-tui in a terminal</title><style>${style}</style><defs>${defined.join('')}</defs>${groups.join('\n')}</svg>\n`;
}

/** A frame is visible between two parts of the whole time. */
function keyframes(from, to) {
  const percent = (part) => `${Math.round(part * 100_000) / 1000}%`;
  const before = from === 0 ? '' : '0%{visibility:hidden}';
  return `${before}${percent(from)}{visibility:visible}${percent(to)}{visibility:${to > 0.99999 ? 'visible' : 'hidden'}}`;
}

function drawRow(cells, ground, grounds) {
  const styled = cells.map((cell) => {
    const [front, back] = [colourOf(cell.front, ground), colourOf(cell.back, ground)];
    const [ink, fill] = cell.isInverse
      ? [back ?? grounds[ground], front ?? foregrounds[ground]]
      : [front ?? foregrounds[ground], back];
    return { ...cell, fill, style: styleOf(cell, ink) };
  });
  const fills = joined(styled, ([first], cell) => first.fill === cell.fill)
    .filter(([first]) => first.fill !== null)
    .map(
      (run) => `<rect x="${unit(run[0].x * w)}" width="${unit(widthOf(run))}" height="${h}" fill="${run[0].fill}"/>`,
    );
  const inks = joined(styled, continuesText).map(drawRun);
  return fills.join('') + inks.join('');
}

/** Splits the cells of a row into runs. `belongs` is asked whether a cell goes on with the run before it. */
function joined(cells, belongs) {
  const runs = [];
  for (const cell of cells) {
    const last = runs.at(-1);
    if (last !== undefined && belongs(last, cell)) last.push(cell);
    else runs.push([cell]);
  }
  return runs;
}

const isBlank = (cell) => cell.chars.trim() === '';
const isPlain = (cell) => isBlank(cell) || /^[\x21-\u024f]$/.test(cell.chars);

/**
 * Only letters that every font for terminals has share a text; any other character is placed alone on the grid. A run has the
 * style of its first cell; one blank between two letters of it may have another, which is not seen.
 */
function continuesText(run, cell) {
  const [first, last] = [run[0], run.at(-1)];
  if (first.style !== cell.style && !(isBlank(cell) && !cell.isUnderlined)) return false;
  if (isPlain(last) && isPlain(cell)) return !(isBlank(last) && isBlank(cell));
  return last.chars === cell.chars && last.chars in arms;
}

function drawRun(run) {
  while (run.length > 0 && isBlank(run.at(-1)) && !run.at(-1).isUnderlined) run.pop();
  while (run.length > 0 && isBlank(run[0]) && !run[0].isUnderlined) run.shift();
  const [first] = run;
  if (first === undefined) return '';
  const x = unit(first.x * w);
  const lines = arms[first.chars];
  if (lines !== undefined) return drawLines(run, lines);
  const chars = run.map((cell) => (isBlank(cell) ? ' ' : cell.chars)).join('');
  const fitted = `textLength="${unit(widthOf(run))}" lengthAdjust="spacingAndGlyphs"`;
  return `<text x="${x}" y="13.5" ${fitted} ${first.style}>${escapeText(chars)}</text>`;
}

function drawLines(run, lines) {
  const colour = /fill="([^"]+)"/.exec(run[0].style)?.[1];
  const thick = /[━┃]/.test(run[0].chars) ? 2.4 : 1.2;
  const [left, middle] = [run[0].x * w, h / 2];
  const path =
    lines === 'lr'
      ? `M${unit(left)} ${middle}h${unit(widthOf(run))}`
      : run
          .map(({ x }) => [...lines].map((arm) => `M${unit(x * w + w / 2)} ${middle}${armPaths[arm]}`).join(''))
          .join('');
  const dim = run[0].isDim ? ' opacity=".65"' : '';
  return `<path d="${path}" stroke="${colour}" stroke-width="${thick}"${dim}/>`;
}

const widthOf = (run) => run.reduce((sum, cell) => sum + cell.width, 0) * w;

function styleOf(cell, ink) {
  const bold = cell.isBold ? ' font-weight="bold"' : '';
  const italic = cell.isItalic ? ' font-style="italic"' : '';
  const underline = cell.isUnderlined ? ' text-decoration="underline"' : '';
  return `fill="${ink}"${bold}${italic}${underline}${cell.isDim ? ' opacity=".65"' : ''}`;
}

/** A colour of the terminal as SVG writes it; null is the default of the terminal. */
function colourOf(colour, ground) {
  if (typeof colour !== 'number') return colour;
  if (colour < 16) return palettes[ground].split(' ')[colour];
  if (colour >= 232) return `#${(8 + (colour - 232) * 10).toString(16).padStart(2, '0').repeat(3)}`;
  const level = (n) => (n === 0 ? 0 : 55 + n * 40).toString(16).padStart(2, '0');
  const index = colour - 16;
  return `#${level(Math.floor(index / 36))}${level(Math.floor(index / 6) % 6)}${level(index % 6)}`;
}
