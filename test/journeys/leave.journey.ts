/** Every way out gives the terminal back. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { campaignPart } from '../support/campaigns/partition.ts';
import { type Journey, journey } from '../support/terminals/journey.ts';
import { seed } from './cast.ts';

function expectRestored(j: Journey): void {
  expect(j.tui.isAlternate()).toBe(false);
  expect(j.tui.modes()).toEqual({ mouse: 'none', paste: false, focus: false, wrap: true });
  expect(j.tui.output().lastIndexOf('\x1b[?25h')).toBeGreaterThan(j.tui.output().lastIndexOf('\x1b[?25l'));
  expect(j.screen().trim()).toBe('');
}

test('Ctrl-C clears the draft, and twice more quits; the cleared text stays a draft', async () => {
  const j = await journey({ seed });
  await j.open('ann');
  j.type('a thought');
  await j.see('a thought');
  j.press('app.clear');
  await j.see('Write a message');
  await j.see('Press Ctrl-C again to quit');
  const left = j.tui.exited;
  j.press('app.clear');
  expect((await left).code).toBe(0);
  expectRestored(j);
  j.start();
  await j.see('To ann');
  await j.see('a thought');
  expect((await j.quit()).code).toBe(0);
  expectRestored(j);
});

const never = new Promise<never>(() => undefined);

const signals = [
  ['SIGTERM', 143],
  ['SIGINT', 130],
  ['SIGHUP', 129],
] as const;

test.each(campaignPart(signals, 2))(
  '%s ends the chat with its exit code and restores the terminal',
  async (signal, code) => {
    const j = await journey({ seed });
    await j.see('Half of it');
    expect((await j.kill(signal)).code).toBe(code);
    expectRestored(j);
  },
);

test.each(['app.quit', 'SIGTERM'] as const)(
  'after %s a message without an answer is named, and not said to be sent later',
  async (way) => {
    const j = await journey({ seed, hook: (request, next) => (request.method === 'POST' ? never : next()) });
    await j.open('ann');
    const posted = j.server.nextAsked(({ method }) => method === 'POST');
    j.type('did it arrive?');
    j.press('message.send');
    await posted;
    await (way === 'app.quit' ? j.quit() : j.kill(way));
    await j.see(/It is not known whether one message arrived; it is looked for/);
    expect(j.screen()).not.toContain('waits and is sent');
  },
);

test('an unexpected error prints one line, writes the details to a file without the token, and keeps the draft', async () => {
  const j = await journey({ seed, start: false });
  const bad = join(j.folder, 'bad.cjs');
  mkdirSync(j.folder, { recursive: true });
  // In two halves, as no file may have it as a whole.
  const [, first, rest] = /^(.{4})(.*)$/.exec(j.server.me.token) ?? [];
  const thrown = `new Error('broken \\x1b]0;x\\x07 ${first}' + '${rest}')`;
  writeFileSync(bad, `process.on('SIGUSR2', () => { throw ${thrown}; });`);
  j.start({ NODE_OPTIONS: `--require ${bad}` });
  await j.open('ann');
  j.type('a thought');
  await j.see('a thought');
  expect((await j.kill('SIGUSR2')).code).toBe(1);
  expect(j.tui.isAlternate()).toBe(false);
  expect(j.tui.modes()).toEqual({ mouse: 'none', paste: false, focus: false, wrap: true });
  expect(j.screen()).toMatch(/^msg-tui: internal error: broken .*; the details/);
  const [report = ''] = readdirSync(join(j.folder, 'state/msg-tui'));
  expect(readFileSync(join(j.folder, 'state/msg-tui', report), 'utf8')).toMatch(/Error: broken .*\n +at /);
  j.start();
  await j.see('a thought');
});

/** Where the limit bites differs between versions of Node: each run comes up, or has ended with the one line. */
test.each(campaignPart([29, 28, 27, 26, 25, 24, 23], 7))(
  'with at most %i open files the chat starts or says what is missing',
  async (limit) => {
    // An answer to a program that has ended meanwhile would be echoed in front of its line.
    const wrapper = ['sh', '-c', `ulimit -n ${limit}; exec "$@"`, 'sh'] as const;
    const j = await journey({ seed, wrapper, answers: false });
    await Promise.race([j.see(/Half of it|Could not load|no more files/), j.tui.exited]);
    j.press('app.quit');
    const { code } = await j.tui.exited;
    expect(j.tui.isAlternate()).toBe(false);
    expect(j.tui.modes()).toEqual({ mouse: 'none', paste: false, focus: false, wrap: true });
    expect([0, 1]).toContain(code);
    if (code === 1)
      expect(j.screen()).toMatch(/^msg-tui: .*no more files can be opened; raise the\s+limit \(ulimit -n\)/);
  },
);
