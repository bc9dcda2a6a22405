import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Screen } from '../../src/terminal/screen.ts';
import { cutRow, padRow, type Row, rowToAnsi, span, withTarget } from '../../src/text/layout/row.ts';
import type { SafeText } from '../../src/text/safe-text.ts';
import { campaignSize } from '../support/campaigns/partition.ts';
import { createHeadless, createTerminal, type HeadlessTty, rowCells } from '../support/terminals/headless.ts';

const cell = (text: string, style = ''): Row => [span(text as SafeText, style)];
const rowsOf = (...texts: string[]): Row[] => texts.map((text) => cell(text));

function start(columns: number, rows: number): { tty: HeadlessTty; screen: Screen } {
  const tty = createHeadless(columns, rows);
  // Frames are made by hand, so that a test knows what each of them holds.
  const screen = new Screen({ tty, schedule: () => {} });
  screen.enter();
  screen.flush();
  tty.chunks.length = 0;
  return { tty, screen };
}

/** What the flush wrote; undefined: nothing at all. */
function flushed({ tty, screen }: { tty: HeadlessTty; screen: Screen }): string | undefined {
  tty.chunks.length = 0;
  screen.flush();
  expect(tty.chunks.length).toBeLessThanOrEqual(1);
  return tty.chunks[0];
}

test('a cell has the target of the span that the last frame shows there', () => {
  const { screen } = start(10, 2);
  const link = { kind: 'link', messageId: 'm', address: 'https://a.example' } as const;
  const other = { ...link, address: 'https://b.example' };
  const layer = screen.addLayer({ rect: { x: 1, y: 0, width: 8, height: 1 }, z: 1 });
  layer.setRows([[...cell('a '), ...withTarget(cell('漢link'), link)]]);
  screen.addLayer({ rect: { x: 6, y: 0, width: 2, height: 1 }, z: 2 }).setRows(rowsOf('xx'));
  expect(screen.targetAt(3, 0)).toBeNull();
  screen.flush();
  const seen = () => Array.from({ length: 12 }, (_, x) => screen.targetAt(x, 0)?.kind ?? '-').join(' ');
  expect(seen()).toBe('- - - link link link - - link - - -');
  expect(screen.targetAt(3, 1)).toBeNull();
  expect(screen.targetAt(3, 9)).toBeNull();
  layer.setRows([[...cell('a '), ...withTarget(cell('漢link'), other)]]);
  expect(screen.targetAt(3, 0)).toEqual(link);
  screen.flush();
  expect(screen.targetAt(3, 0)).toEqual(other);
});

describe('a changed character', () => {
  const at = { x: 2, y: 1, width: 18, height: 1 };
  const composer = (text: string): Row[] => [[...padRow(cell(text), 17), span('│' as SafeText, '2')]];

  test('is written with its own byte; the style stays in use', () => {
    const it = start(20, 3);
    const layer = it.screen.addLayer({ rect: at, z: 1 });
    layer.setRows(composer('hell'));
    it.screen.setCursor({ x: 6, y: 1 });
    it.screen.flush();
    for (const [text, key] of [
      ['hello', 'o'],
      ['hello ', ' '],
      ['hello x', 'x'],
    ] as const) {
      layer.setRows(composer(text));
      it.screen.setCursor({ x: 2 + text.length, y: 1 });
      const bytes = flushed(it);
      if (key !== ' ') expect(bytes?.endsWith(key)).toBe(true);
      expect(Buffer.byteLength(bytes ?? '')).toBeLessThanOrEqual(8);
    }
  });

  test('in a run of typing is the only byte that is written', () => {
    const it = start(20, 3);
    const layer = it.screen.addLayer({ rect: at, z: 1 });
    layer.setRows(composer('a'));
    it.screen.setCursor({ x: 3, y: 1 });
    it.screen.flush();
    layer.setRows(composer('ab'));
    it.screen.setCursor({ x: 4, y: 1 });
    it.screen.flush();
    layer.setRows(composer('abc'));
    it.screen.setCursor({ x: 5, y: 1 });
    expect(flushed(it)).toBe('c');
    layer.setRows(composer('ab'));
    it.screen.setCursor({ x: 4, y: 1 });
    expect(flushed(it)).toBe('\b \b');
    layer.setRows(composer('ab界'));
    it.screen.setCursor({ x: 6, y: 1 });
    expect(Buffer.byteLength(flushed(it) ?? '')).toBeLessThanOrEqual(8);
  });

  test('is not written if rows and cursor are equal, even when the row objects are new', () => {
    const it = start(20, 3);
    const layer = it.screen.addLayer({ rect: at, z: 1 });
    layer.setRows(composer('same'));
    it.screen.setCursor({ x: 6, y: 1 });
    it.screen.flush();
    layer.setRows(composer('same'));
    it.screen.setCursor({ x: 6, y: 1 });
    expect(flushed(it)).toBeUndefined();
  });

  test('makes only its row to be composed and written', () => {
    const it = start(20, 10);
    const layer = it.screen.addLayer({ rect: { x: 0, y: 0, width: 20, height: 10 }, z: 1 });
    const rows = rowsOf('a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j');
    layer.setRows(rows);
    it.screen.flush();
    const before = it.screen.stats.rowsPainted;
    layer.setRows(rows.with(4, cell('E')));
    expect(flushed(it)).toContain('\x1b[5HE');
    expect(it.screen.stats.rowsPainted - before).toBe(1);
  });
});

describe('an echo before the frame', () => {
  const at = { x: 2, y: 1, width: 18, height: 1 };
  const started = () => {
    const it = start(20, 3);
    const layer = it.screen.addLayer({ rect: at, z: 1 });
    layer.setRows([cell('hell')]);
    it.screen.setCursor({ x: 6, y: 1 });
    it.screen.flush();
    it.tty.chunks.length = 0;
    return { ...it, layer };
  };
  const o = span('o' as SafeText);

  test('is written at once, and confirming it writes nothing more', () => {
    const { tty, screen, layer } = started();
    expect(screen.echo(o)).toBe(true);
    screen.keepEcho(() => layer.setRows([cell('hello')]));
    expect(screen.echo(span('!' as SafeText))).toBe(true);
    screen.keepEcho(() => layer.setRows([cell('hello!')]));
    screen.flush();
    expect(tty.chunks).toEqual(['o', '!']);
  });

  test('that was wrong is corrected by the frame', async () => {
    const { tty, screen } = started();
    screen.echo(o);
    screen.flush();
    await tty.settled();
    expect(tty.row(1)).toBe('  hell');
    expect(tty.cursor()).toMatchObject({ x: 6, y: 1 });
  });

  test('is not written while a frame waits, or if no cursor is shown', () => {
    const { screen, layer } = started();
    layer.setRows([cell('help')]);
    expect(screen.echo(o)).toBe(false);
    screen.setCursor(null);
    screen.flush();
    expect(screen.echo(o)).toBe(false);
  });
});

test('a cursor that moves alone takes a few bytes and can be hidden', async () => {
  const it = start(20, 3);
  it.screen.setCursor({ x: 4, y: 2 });
  flushed(it);
  await it.tty.settled();
  expect(it.tty.cursor()).toEqual({ x: 4, y: 2, isVisible: true });
  it.screen.setCursor({ x: 3, y: 2 });
  expect(flushed(it)).toBe('\b');
  it.screen.setCursor(null);
  flushed(it);
  await it.tty.settled();
  expect(it.tty.cursor().isVisible).toBe(false);
});

test('a hidden cursor is left in its place, after each frame', async () => {
  const it = start(20, 3);
  const layer = it.screen.addLayer({ rect: { x: 0, y: 0, width: 20, height: 3 }, z: 1 });
  it.screen.setCursor({ x: 4, y: 2 });
  flushed(it);
  it.screen.setCursor({ x: 7, y: 1 }, { isHidden: true });
  flushed(it);
  await it.tty.settled();
  expect(it.tty.cursor()).toEqual({ x: 7, y: 1, isVisible: false });
  layer.setRows(rowsOf('header', 'field', 'list'));
  flushed(it);
  await it.tty.settled();
  expect(it.tty.cursor()).toEqual({ x: 7, y: 1, isVisible: false });
  it.screen.setCursor({ x: 7, y: 1 });
  flushed(it);
  await it.tty.settled();
  expect(it.tty.cursor()).toEqual({ x: 7, y: 1, isVisible: true });
});

test('a frame of several rows is one synchronized write', () => {
  const it = start(20, 4);
  it.screen.addLayer({ rect: { x: 0, y: 0, width: 20, height: 4 }, z: 1 }).setRows(rowsOf('one', 'two', 'three'));
  const bytes = flushed(it) ?? '';
  expect(bytes.startsWith('\x1b[?2026h')).toBe(true);
  expect(bytes.endsWith('\x1b[?2026l')).toBe(true);
});

test('after entering nothing clears the screen, and redraw repaints what foreign output destroyed', async () => {
  const it = start(20, 3);
  it.screen.addLayer({ rect: { x: 0, y: 0, width: 20, height: 3 }, z: 1 }).setRows([cell('one', '1'), cell('two'), []]);
  it.screen.flush();
  it.tty.terminal.write('\x1b[Hgarbage\x1b[31m everywhere\r\nand more\r\nand more');
  it.screen.redraw();
  const bytes = flushed(it) ?? '';
  await it.tty.settled();
  expect(it.tty.text()).toEqual(['one', 'two', '']);
  expect(bytes).not.toMatch(/\x1b\[[23]J/);
});

test('redraw turns all modes on again in a terminal that was reset, and leaves the stacks of the terminal as they are', async () => {
  const it = start(20, 3);
  it.screen.setMouse(true);
  it.screen.setKittyKeyboard(true);
  it.screen.flush();
  it.tty.terminal.write('\x1b[?2004l\x1b[?1002l\x1b[?1004l\x1b[?7h');
  const before = it.tty.chunks.length;
  it.screen.redraw();
  await it.tty.settled();
  expect(it.tty.terminal.modes).toMatchObject({
    bracketedPasteMode: true,
    mouseTrackingMode: 'drag',
    sendFocusMode: true,
    wraparoundMode: false,
  });
  expect(it.tty.chunks.slice(before).join('')).not.toMatch(/\x1b\[(?:>\d*u|22;2t|\?1049h)/);
});

test('where the screen is drawn already, redraw turns the modes on and draws nothing', async () => {
  const it = start(20, 3);
  it.screen.flush();
  it.tty.terminal.write('\x1b[?2004l');
  const { frames } = it.screen.stats;
  it.screen.redraw(true);
  await it.tty.settled();
  expect(it.tty.terminal.modes.bracketedPasteMode).toBe(true);
  expect(it.screen.stats.frames).toBe(frames);
});

test('a resize asks for new rows and paints all of it', async () => {
  const tty = createHeadless(20, 3);
  const sizes: unknown[] = [];
  const screen = new Screen({ tty, schedule: () => {}, onResize: (size) => sizes.push(size) });
  const layer = screen.addLayer({ rect: { x: 0, y: 0, width: 20, height: 3 }, z: 1 });
  layer.setRows(rowsOf('a wide row, twenty c', 'b', 'c'));
  screen.enter();
  screen.flush();
  tty.resize(10, 2);
  expect(sizes).toEqual([{ columns: 10, rows: 2 }]);
  screen.flush();
  await tty.settled();
  expect(tty.text()).toEqual(['a wide row', 'b']);
  tty.resize(10, 2);
  expect(sizes).toHaveLength(1);
});

test('text on whose width terminals disagree is erased first, and the column is set again after it', () => {
  const it = start(30, 2);
  const layer = it.screen.addLayer({ rect: { x: 0, y: 0, width: 30, height: 2 }, z: 1 });
  layer.setRows(rowsOf('a👩‍💻b☺', '界 plain é─'));
  expect(flushed(it)).toContain('\x1b[5Xa👩‍💻\x1b[4Gb☺\x1b[6G\x1b[K\x1b[2H界 plain é─');
});

test('text of doubtful width erases all columns that are drawn, and so no half of a wide character', () => {
  const it = start(12, 1);
  const layer = it.screen.addLayer({ rect: { x: 0, y: 0, width: 12, height: 1 }, z: 1 });
  const row = (text: string, gap: string): Row => [...cell(text), ...cell(gap), ...cell('│', '2')];
  layer.setRows([row('漢字', '       ')]);
  it.screen.flush();
  layer.setRows([row('אזז', '        ')]);
  // `字` is in the columns 2 and 3, of which the letters take only the first.
  expect(flushed(it)).toContain('\x1b[4Xאזז');
});

test('a text that a terminal draws wider than we count destroys nothing after it', async () => {
  const { tty, screen } = start(12, 1);
  // The widths of a terminal that joins nothing.
  tty.terminal.unicode.activeVersion = '6';
  const list = screen.addLayer({ rect: { x: 0, y: 0, width: 6, height: 1 }, z: 1 });
  const thread = screen.addLayer({ rect: { x: 6, y: 0, width: 6, height: 1 }, z: 1 });
  list.setRows(rowsOf('plain│'));
  thread.setRows(rowsOf('hello│'));
  screen.flush();
  for (const text of ['ab 👨‍👩‍👧‍👦│', 'abc👨‍👩‍👧‍👦│', 'plain│']) {
    list.setRows(rowsOf(text));
    screen.flush();
    await tty.settled();
    expect(tty.row(0).slice(-7)).toBe('│hello│');
  }
});

test('the cursor hides while several rows are drawn, and shows again', () => {
  const it = start(30, 3);
  it.screen.setCursor({ x: 1, y: 2 });
  it.screen.flush();
  it.screen.addLayer({ rect: { x: 0, y: 0, width: 30, height: 2 }, z: 1 }).setRows(rowsOf('one', 'two'));
  expect(flushed(it)).toBe('\x1b[?2026h\x1b[?25l\x1b[1Hone\x1b[2Htwo\x1b[3;2H\x1b[?25h\x1b[?2026l');
});

test('chunks of Ink that are no frames change nothing and call back', () => {
  const it = start(10, 2);
  const ink = it.screen.inkStream();
  ink.write('frame\nhere');
  expect(flushed(it)).toContain('frame');
  let calls = 0;
  for (const chunk of ['', '\n', '\x1b[?25h', 'frame\nhere']) ink.write(chunk, () => calls++);
  expect(calls).toBe(4);
  expect(flushed(it)).toBeUndefined();
});

describe('overlapping layers', () => {
  test('show the higher one, and what is below again when it is removed', async () => {
    const it = start(10, 3);
    it.screen
      .addLayer({ rect: { x: 0, y: 0, width: 10, height: 3 }, z: 1 })
      .setRows(rowsOf('aaaaaaaaaa', 'bbbbbbbbbb', 'cccccccccc'));
    const top = it.screen.addLayer({ rect: { x: 2, y: 1, width: 4, height: 1 }, z: 2 });
    top.setRows(rowsOf('XY'));
    it.screen.flush();
    await it.tty.settled();
    expect(it.tty.text()).toEqual(['aaaaaaaaaa', 'bbXY  bbbb', 'cccccccccc']);
    top.setRect({ x: 5, y: 2, width: 4, height: 1 });
    it.screen.flush();
    await it.tty.settled();
    expect(it.tty.text()).toEqual(['aaaaaaaaaa', 'bbbbbbbbbb', 'cccccXY  c']);
    top.setZ(0);
    it.screen.flush();
    await it.tty.settled();
    expect(it.tty.row(2)).toBe('cccccccccc');
    top.remove();
    expect(flushed(it)).toBeUndefined();
  });

  test('never show half of a wide character', async () => {
    const it = start(10, 1);
    it.screen.addLayer({ rect: { x: 0, y: 0, width: 10, height: 1 }, z: 1 }).setRows(rowsOf('界界界界界'));
    it.screen.addLayer({ rect: { x: 3, y: 0, width: 4, height: 1 }, z: 2 }).setRows(rowsOf('-字-'));
    it.screen.flush();
    await it.tty.settled();
    expect(it.tty.row(0)).toBe('界 -字- 界');
    expect(it.tty.cells(0).split('|')).toHaveLength(10);
  });
});

describe('a terminal that reads slowly', () => {
  test('gets only the newest frame when it reads again', async () => {
    const it = start(10, 1);
    const layer = it.screen.addLayer({ rect: { x: 0, y: 0, width: 10, height: 1 }, z: 1 });
    it.tty.block();
    layer.setRows(rowsOf('one'));
    it.screen.flush();
    it.tty.chunks.length = 0;
    for (const text of ['two', 'three', 'four']) {
      layer.setRows(rowsOf(text));
      it.screen.flush();
    }
    expect(it.tty.chunks).toEqual([]);
    it.tty.drain();
    await it.tty.settled();
    expect(it.tty.chunks).toHaveLength(1);
    expect(it.tty.row(0)).toBe('four');
  });
});

test('gets its questions once, after the first frame', () => {
  const tty = createHeadless(10, 2);
  const screen = new Screen({ tty, schedule: () => {}, queries: '\x1b[c' });
  screen.enter();
  screen.flush();
  expect(tty.chunks).toHaveLength(1);
  expect(tty.chunks[0]?.endsWith('\x1b[c')).toBe(true);
  screen.leave();
  screen.enter();
  screen.flush();
  expect(tty.chunks.filter((chunk) => chunk.includes('\x1b[c'))).toHaveLength(1);
});

test('leaving reverses what entering did, and happens once', async () => {
  const tty = createHeadless(10, 2);
  tty.terminal.write('shell$ ');
  const screen = new Screen({ tty, schedule: () => {}, mouse: true });
  screen.addLayer({ rect: { x: 0, y: 0, width: 10, height: 2 }, z: 1 }).setRows([cell('red', '31')]);
  screen.enter();
  screen.setCursor({ x: 3, y: 0 });
  screen.flush();
  screen.setKittyKeyboard(true);
  await tty.settled();
  expect(tty.terminal.buffer.active.type).toBe('alternate');
  expect(tty.terminal.modes).toMatchObject({
    bracketedPasteMode: true,
    sendFocusMode: true,
    mouseTrackingMode: 'drag',
    wraparoundMode: false,
  });
  screen.leave();
  screen.leave();
  await tty.settled();
  expect(tty.terminal.buffer.active.type).toBe('normal');
  expect(tty.terminal.modes).toMatchObject({
    bracketedPasteMode: false,
    sendFocusMode: false,
    mouseTrackingMode: 'none',
    wraparoundMode: true,
  });
  expect(tty.row(0)).toBe('shell$');
  expect(tty.cursor().isVisible).toBe(true);
  expect(tty.chunks.filter((chunk) => chunk.includes('\x1b[?1049l'))).toHaveLength(1);
  expect(tty.chunks.at(-1)).toContain('\x1b[<u');
});

test("a keyboard of kitty's protocol also says what Shift makes of a key, as Alt-< is Alt-Shift-, on many", () => {
  const tty = createHeadless(10, 2);
  const screen = new Screen({ tty, schedule: () => {} });
  screen.enter();
  screen.setKittyKeyboard(true);
  expect(tty.chunks.join('')).toContain('\x1b[>5u');
  screen.leave();
});

test('leaving a terminal without an alternate screen leaves it empty, with the cursor at its top', async () => {
  const tty = createHeadless(10, 3);
  for (const final of ['h', 'l'])
    tty.terminal.parser.registerCsiHandler({ prefix: '?', final }, (modes) => modes.includes(1049));
  const screen = new Screen({ tty, schedule: () => {} });
  screen.addLayer({ rect: { x: 0, y: 0, width: 10, height: 3 }, z: 1 }).setRows(rowsOf('one', 'two', 'xyz'));
  screen.enter();
  screen.flush();
  await tty.settled();
  expect(tty.text()).toEqual(['one', 'two', 'xyz']);
  screen.leave();
  tty.terminal.write('shell$ ');
  await tty.settled();
  expect(tty.text()).toEqual(['shell$', '', '']);
});

test('leaving before the first frame erases nothing', async () => {
  const tty = createHeadless(10, 3);
  tty.terminal.write('shell$ ');
  const screen = new Screen({ tty, schedule: () => {} });
  screen.enter();
  screen.leave();
  await tty.settled();
  expect([tty.row(0), tty.chunks]).toEqual(['shell$', []]);
});

test('entering turns off what a killed predecessor has left on', async () => {
  const tty = createHeadless(10, 3);
  tty.terminal.write('\x1b[?1003h\x1b[?1h\x1b[?6h\x1b[2;3r\x1b[31m\x1b(0');
  const screen = new Screen({ tty, schedule: () => {} });
  screen.addLayer({ rect: { x: 0, y: 0, width: 10, height: 3 }, z: 1 }).setRows(rowsOf('one', 'two', 'xyz'));
  screen.enter();
  screen.flush();
  await tty.settled();
  expect(tty.terminal.modes).toMatchObject({
    mouseTrackingMode: 'none',
    applicationCursorKeysMode: false,
    originMode: false,
  });
  expect(tty.text()).toEqual(['one', 'two', 'xyz']);
  expect(tty.cells(0)).toBe('o|n|e| | | | | | | ');
});

test('nothing is written while another program has the terminal', () => {
  const tty = createHeadless(10, 2);
  const screen = new Screen({ tty, schedule: () => {} });
  screen.addLayer({ rect: { x: 0, y: 0, width: 10, height: 2 }, z: 1 }).setRows(rowsOf('x'));
  screen.flush();
  screen.setMouse(true);
  screen.writeControl('\x07');
  expect(tty.chunks).toEqual([]);
});

test('the cursor has the requested shape, and the shape of the user again at the end', () => {
  const tty = createHeadless(10, 2);
  const screen = new Screen({ tty, schedule: () => {} });
  const written = (run: () => void): string => {
    tty.chunks.length = 0;
    run();
    return tty.chunks.join('');
  };
  screen.setCursorShape('bar');
  expect(
    written(() => {
      screen.enter();
      screen.flush();
    }),
  ).toContain('\x1b[6 q');
  expect(written(() => screen.setCursorShape('bar'))).toBe('');
  expect(written(() => screen.setCursorShape('block'))).toBe('\x1b[2 q');
  expect(written(() => screen.leave())).toContain('\x1b[0 q');
});

test('the shape of the cursor is not changed if none is requested, or the terminal has no shapes', () => {
  for (const hasCursorShapes of [true, false]) {
    const tty = createHeadless(10, 2);
    const screen = new Screen({ tty, schedule: () => {}, hasCursorShapes });
    if (!hasCursorShapes) screen.setCursorShape('block');
    screen.enter();
    screen.flush();
    screen.leave();
    expect(tty.chunks.join('')).not.toContain(' q');
  }
});

test('a hang-up is reported, and nothing more is written', () => {
  const tty = createHeadless(10, 2);
  let hangups = 0;
  const screen = new Screen({ tty, schedule: () => {}, onHangup: () => hangups++ });
  screen.enter();
  screen.flush();
  tty.hangUp();
  screen.redraw();
  screen.flush();
  screen.leave();
  expect(hangups).toBe(1);
  expect(tty.chunks).toHaveLength(1);
});

describe('after any changes of the layers, the terminal shows', () => {
  const columns = 24;
  const rows = 5;
  const words = [
    'a',
    'bc',
    ' ',
    '   ',
    'é',
    '界',
    '字界',
    '─',
    '👍',
    '👩‍💻',
    '❤️',
    '🇩🇪',
    'e\u0301',
    '👍🏽',
    '한',

    'word',
    '☺',
    '│',
  ];
  const styles = ['', '1', '31', '1;31', '7', '48;5;4', '4;38;2;1;2;3'];
  const row = fc
    .array(fc.tuple(fc.array(fc.constantFrom(...words), { maxLength: 6 }), fc.constantFrom(...styles)), {
      maxLength: 4,
    })
    .map(
      (parts): Row =>
        parts.map(([texts, style]) => span(texts.join('') as SafeText, style)).filter((item) => item.width > 0),
    );
  const rect = fc.record({
    x: fc.integer({ min: -2, max: columns }),
    y: fc.integer({ min: -1, max: rows }),
    width: fc.integer({ min: 0, max: columns }),
    height: fc.integer({ min: 0, max: rows }),
  });
  const step = fc.oneof(
    {
      weight: 4,
      arbitrary: fc.record({
        kind: fc.constant('rows' as const),
        layer: fc.nat(2),
        rows: fc.array(row, { maxLength: rows }),
      }),
    },
    {
      weight: 3,
      arbitrary: fc.record({ kind: fc.constant('row' as const), layer: fc.nat(2), y: fc.nat(rows - 1), row }),
    },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('rect' as const), layer: fc.nat(2), rect }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('z' as const), layer: fc.nat(2), z: fc.nat(4) }) },
    {
      weight: 2,
      arbitrary: fc.record({
        kind: fc.constant('cursor' as const),
        x: fc.nat(columns - 1),
        y: fc.nat(rows - 1),
        isShown: fc.boolean(),
      }),
    },
  );

  test('the characters, styles and cursor that they compose to', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(rect, { minLength: 3, maxLength: 3 }),
        fc.array(fc.array(step, { minLength: 1, maxLength: 3 }), { maxLength: 6 }),
        async (rects, frames) => {
          const it = start(columns, rows);
          const layers = rects.map((item, i) => ({
            rect: item,
            z: i,
            order: i,
            rows: [] as Row[],
            layer: it.screen.addLayer({ rect: item, z: i }),
          }));
          let order = 3;
          for (const frame of frames) {
            for (const action of frame) {
              if (action.kind === 'cursor') {
                it.screen.setCursor(action.isShown ? { x: action.x, y: action.y } : null);
                continue;
              }
              const model = layers[action.layer]!;
              if (action.kind === 'rows') model.rows = action.rows;
              else if (action.kind === 'row')
                model.rows = Object.assign(
                  Array.from({ length: rows }, (_, y) => model.rows[y] ?? []),
                  { [action.y]: action.row },
                );
              else if (action.kind === 'rect') {
                model.rect = action.rect;
                model.layer.setRect(model.rect);
              } else if (action.z !== model.z) {
                model.z = action.z;
                model.layer.setZ(model.z);
                model.order = order++;
              }
              model.layer.setRows(model.rows);
            }
            it.screen.flush();
          }
          await it.tty.settled();
          const expected = createTerminal(columns, rows);
          for (let y = 0; y < rows; y++) expected.write(`\x1b[?7l\x1b[${y + 1}H${rowToAnsi(paint(layers, y))}`);
          await new Promise<void>((resolve) => expected.write('', resolve));
          for (let y = 0; y < rows; y++) expect(it.tty.cells(y)).toBe(rowCells(expected, y));
          expect(flushed(it)).toBeUndefined();
        },
      ),
      { numRuns: campaignSize(30, 250) },
    );
  });

  /** The plainest way to say what a row looks like: one cell after the other, asking the topmost layer. */
  function paint(
    layers: readonly {
      rect: { x: number; y: number; width: number; height: number };
      z: number;
      order: number;
      rows: readonly Row[];
    }[],
    y: number,
  ): Row {
    const out = [];
    const sorted = [...layers].sort((a, b) => b.z - a.z || b.order - a.order);
    const ownerAt = (x: number) =>
      sorted.find(({ rect }) => y >= rect.y && y < rect.y + rect.height && x >= rect.x && x < rect.x + rect.width);
    for (let x = 0; x < columns; ) {
      const owner = ownerAt(x);
      let end = x + 1;
      while (end < columns && ownerAt(end) === owner) end++;
      const source = owner === undefined ? [] : (owner.rows[y - owner.rect.y] ?? []);
      out.push(
        ...padRow(
          cutRow(source, owner === undefined ? 0 : x - owner.rect.x, owner === undefined ? 0 : end - owner.rect.x),
          end - x,
        ),
      );
      x = end;
    }
    return out;
  }
});

test('a question mark for each column of a character outside ASCII, if it is not UTF-8', () => {
  const tty = createHeadless(20, 2);
  const screen = new Screen({ tty, schedule: () => {}, isUtf8: false });
  const layer = screen.addLayer({ rect: { x: 0, y: 0, width: 20, height: 2 }, z: 1 });
  layer.setRows(rowsOf('\u00db2J \u6f22 e\u0301 1\ufe0f\u20e3|', 'plain'));
  screen.enter();
  screen.flush();
  expect(tty.chunks.join('')).toMatch(/^[\x00-\x7f]*$/);
  expect(tty.chunks.join('')).toContain('?2J ?? ? ??|');
});
