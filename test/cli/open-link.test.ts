import { expect, onTestFinished, test } from 'vitest';
import { openLink } from '../../src/cli/open-link.ts';

test('without a desktop nothing is started', async () => {
  expect(await openLink('https://a.example', { hasDesktop: false })).toBe('no desktop');
});

test.runIf(process.platform === 'linux')(
  'without anything that opens addresses it fails, and nothing is thrown',
  async () => {
    const before = process.env.PATH;
    process.env.PATH = '/nowhere';
    onTestFinished(() => {
      process.env.PATH = before;
    });
    expect(await openLink('https://a.example', { hasDesktop: true })).toBe('failed');
  },
);
