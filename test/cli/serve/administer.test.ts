/** Errors of the commands of `serve`: what the system refuses is a failure, anything else wrong usage. */
import { expect, test } from 'vitest';
import { guarded } from '../../../src/cli/serve/administer.ts';

test('an error of the operating system is a failure, also after a sentence about it', async () => {
  const refused = Object.assign(new Error('EROFS: read-only file system'), { code: 'EROFS', syscall: 'access' });
  const codeOf = (error: Error) => guarded(() => Promise.reject(error)).catch(({ code }: { code: number }) => code);
  expect(await codeOf(refused)).toBe(1);
  expect(await codeOf(new Error('cannot write in the directory /srv', { cause: refused }))).toBe(1);
  expect(await codeOf(new Error('cannot create /srv/none/chat.db: there is no folder'))).toBe(2);
});
