/** The process that decodes, with files that are made to do harm and with programs that do not answer. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inflateSync } from 'node:zlib';
import { buildSync } from 'esbuild';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { decodePng } from '../../src/pictures/decoder/decode-png.ts';
import { createDecoder } from '../../src/pictures/decoder-process.ts';
import { sixelSequence } from '../../src/terminal/pictures/sequences.ts';
import { chunk, header, png, pngOf, signature } from '../support/builders/png.ts';
import { readSixels } from '../support/builders/sixels.ts';
import { processorTime } from '../support/system/processor-time.ts';

const request = { small: { width: 60, height: 24 }, large: null };
let folder = '';
let program = '';

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'msg-tui-decoder-'));
  program = join(folder, 'decoder.cjs');
  const entryPoints = [join(import.meta.dirname, '../../src/pictures/decoder/main.ts')];
  buildSync({ entryPoints, outfile: program, bundle: true, platform: 'node', format: 'cjs', target: 'node20' });
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A program in the place of the decoder. */
function fake(source: string): string {
  const file = join(folder, `fake-${Math.random()}.cjs`);
  writeFileSync(file, source);
  return file;
}

test('returns the pixels for cells, and deflated ones for a terminal that draws pictures itself', async () => {
  const file = png(120, 60, () => [10, 20, 30]);
  const { bitmap, large } = await createDecoder(program)(file, {
    ...request,
    large: { form: 'deflated', width: 100, height: 100 },
  });
  expect([bitmap.width, bitmap.height, [...bitmap.rgba.subarray(0, 4)]]).toEqual([48, 24, [10, 20, 30, 255]]);
  expect([large?.width, large?.height]).toEqual([100, 50]);
  expect(inflateSync(large?.data ?? Buffer.alloc(0)).length).toBe(100 * 50 * 4);
});

test('makes a file and sixels from the pixels', async () => {
  const file = png(120, 60, () => [255, 0, 51]);
  const box = { width: 100, height: 100 };
  const asPng = await createDecoder(program)(file, { ...request, large: { form: 'png', ...box } });
  const again = await decodePng(asPng.large?.data ?? Buffer.alloc(0), box);
  expect([again.width, again.height, [...again.rgba.subarray(0, 4)]]).toEqual([100, 50, [255, 0, 51, 255]]);
  const asSixels = await createDecoder(program)(file, { ...request, large: { form: 'sixel', ...box } });
  const sequence = sixelSequence(Buffer.from(asSixels.large?.data ?? []).toString('latin1')) ?? '';
  const { width, height, pixels } = readSixels(sequence);
  expect([width, height, new Set(pixels.map(String))]).toEqual([100, 50, new Set(['100,0,20'])]);
});

describe('a picture is refused with a reason for', () => {
  const bomb = Buffer.concat([signature, header({ width: 30_000, height: 30_000 }), chunk('IDAT', Buffer.alloc(9))]);
  const cases = [
    ['nothing', Buffer.alloc(0), 'it is not a PNG, JPEG, GIF or WebP'],
    ['an SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), 'it is not a PNG, JPEG, GIF or WebP'],
    ['a web page', Buffer.from('<!doctype html>'), 'it is not a PNG, JPEG, GIF or WebP'],
    [
      'a JPEG without sharp',
      Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 0]),
      'JPEG needs the sharp package: npm i -g sharp',
    ],
    ['a picture of 900 megapixels', bomb, 'it is too large (30000 × 30000 pixels)'],
    ['a file that is cut off', png(50, 50, (x, y) => [x, y, 0]).subarray(0, 80), 'the file is damaged'],
  ] as const;

  test.each(cases)('%s', async (_, file, words) => {
    await expect(createDecoder(program)(file, request)).rejects.toThrow(words);
  });
});

test('a JPEG that is too large is refused for its size, not as a damaged one', async () => {
  const beside = join(folder, 'with-sharp');
  mkdirSync(join(beside, 'node_modules/sharp'), { recursive: true });
  copyFileSync(program, join(beside, 'decoder.cjs'));
  // As sharp does: whatever is asked of a picture beyond the limit, its header included, fails.
  const sharp = `module.exports = (_, { limitInputPixels }) => ({
    metadata: async () => {
      if (limitInputPixels !== false && 9000 * 9000 > limitInputPixels) throw new Error('Input image exceeds pixel limit');
      return { width: 9000, height: 9000 };
    },
  });`;
  writeFileSync(join(beside, 'node_modules/sharp/index.js'), sharp);
  const file = Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 0]);
  const decoded = createDecoder(join(beside, 'decoder.cjs'))(file, request);
  await expect(decoded).rejects.toThrow('it is too large (9000 × 9000 pixels)');
});

test('a large picture takes little memory in this process, which goes on meanwhile', async () => {
  const file = pngOf({ width: 4000, height: 4000, kind: 0, depth: 1 }, Buffer.alloc(4000 * 501));
  let turns = 0;
  const timer = setInterval(() => turns++, 5);
  let leastMs = Number.POSITIVE_INFINITY;
  for (let i = 0; i < 3 && leastMs >= 400; i++) {
    const spent = processorTime();
    await createDecoder(program, 60_000)(file, request);
    leastMs = Math.min(leastMs, spent());
  }
  clearInterval(timer);
  expect(turns).toBeGreaterThan(10);
  expect(leastMs).toBeLessThan(400);
});

test('a decoder whose caller is gone ends by itself, after twice the time that it has', async () => {
  const heldOpen = spawn(process.execPath, [program, '200'], { stdio: ['pipe', 'ignore', 'ignore'] });
  const [status] = await once(heldOpen, 'exit');
  expect(status).toBe(1);
  const reports = fake('process.stdout.write(JSON.stringify({ problem: process.argv[2] }) + "\\n");');
  await expect(createDecoder(reports, 30_000)(Buffer.alloc(0), request)).rejects.toThrow('60000');
});

describe('a decoder that', () => {
  const file = png(2, 2, () => [0, 0, 0]);
  const sizes = (small: string, large = 'null'): string =>
    `process.stdout.write('{"small":${small},"large":${large}}\\nabcd');`;
  const cases = [
    ['hangs is killed', 'for (;;);', 'it takes too long to decode', 300],
    ['says nothing is killed', 'setInterval(() => {}, 1000);', 'it takes too long to decode', 300],
    [
      'says too much is killed',
      "process.stdout.on('error', () => {}); const more = () => process.stdout.write('x'.repeat(1e6), more); more();",
      'it could not be decoded',
    ],
    ['ends at once', 'process.exit(3);', 'it could not be decoded'],
    ['talks nonsense', "console.log('{');", 'it could not be decoded'],
    ['answers with no object', "console.log('null');", 'it could not be decoded'],
    ['answers with no picture', "console.log('{}');", 'it could not be decoded'],
    ['answers with a reason that is no text', 'console.log(\'{"problem":5}\');', 'it could not be decoded'],
    ['claims a size beyond the cells', sizes('{"width":1000000000,"height":1000000000}'), 'it could not be decoded'],
    ['claims a size that is no number', sizes('{"width":"1","height":1}'), 'it could not be decoded'],
    ['claims more pixels than it sends', sizes('{"width":2,"height":2}'), 'it could not be decoded'],
    [
      'sends pixels that nobody asked for',
      sizes('{"width":1,"height":1}', '{"width":1,"height":1}'),
      'it could not be decoded',
    ],
    ['runs out of memory', 'const held = []; for (;;) held.push(new Array(1e6).fill({}));', 'it '],
  ] as const;

  test.each(cases)('%s', async (_, source, words, killAfterMs: number = 30_000) => {
    await expect(createDecoder(fake(source), killAfterMs)(file, request)).rejects.toThrow(words);
  });

  test('decodes has no variables of the environment', async () => {
    const said = fake("process.stdout.write(JSON.stringify({ problem: JSON.stringify(process.env) }) + '\\n');");
    process.env.MSG_TUI_SECRET_OF_TEST = 'a-token';
    try {
      await createDecoder(said)(file, request).catch((error: Error) => expect(error.message).not.toContain('a-token'));
    } finally {
      delete process.env.MSG_TUI_SECRET_OF_TEST;
    }
    expect.assertions(1);
  });
});

test('the decoder ends with the program', async () => {
  const entryPoints = [join(import.meta.dirname, '../../src/pictures/decoder-process.ts')];
  const outfile = join(folder, 'decoder-process.cjs');
  buildSync({ entryPoints, outfile, bundle: true, platform: 'node', format: 'cjs', target: 'node20' });
  // The file appears as a whole: a process id read from an empty one would be 0, which stands for this process group.
  const hanging = fake(`
    const { renameSync, writeFileSync } = require('node:fs');
    writeFileSync(__filename + '.new', String(process.pid));
    renameSync(__filename + '.new', __filename + '.pid');
    for (;;);
  `);
  const quits = fake(`
    const { existsSync } = require('node:fs');
    require(${JSON.stringify(outfile)}).createDecoder(${JSON.stringify(hanging)})(Buffer.alloc(1), ${JSON.stringify(request)});
    setInterval(() => existsSync(${JSON.stringify(`${hanging}.pid`)}) && process.exit(0), 20);
  `);
  spawnSync(process.execPath, [quits]);
  const pid = Number(readFileSync(`${hanging}.pid`, 'utf8'));
  expect(pid).toBeGreaterThan(1);
  onTestFinished(() => {
    if (isRunning(pid)) process.kill(pid, 'SIGKILL');
  });
  await vi.waitFor(() => expect(isRunning(pid)).toBe(false), { timeout: 30_000 });
});

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
