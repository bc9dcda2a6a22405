/** The demo removes its folder when it ends; a file that is still open must not turn the end into a crash. */
import { existsSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { removeFolder } from '../../../src/cli/chat/demo.ts';

test('the folder of the demo is removed with its files', () => {
  const folder = mkdtempSync(join(tmpdir(), 'msg-tui-demo-'));
  writeFileSync(join(folder, 'server.db'), '');
  removeFolder(folder);
  expect(existsSync(folder)).toBe(false);
});

test('a file that Windows does not remove because it is open causes no error', () => {
  const refuse = (): never => {
    throw Object.assign(new Error('EBUSY: resource busy or locked'), { code: 'EBUSY' });
  };
  expect(() => removeFolder('demo', refuse)).not.toThrow();
});
