/** A walk stands still between two of its pages, and its end and its failure reach whoever asks next. */
import { expect, test } from 'vitest';
import { pulled } from '../../../src/sync/read/pulled.ts';

test('goes from page to page as it is asked', async () => {
  const done: string[] = [];
  const next = pulled<number, string>(async (onPage) => {
    done.push('began');
    await onPage(1);
    done.push('went on');
    await onPage(2);
    return 'end';
  });
  await Promise.resolve();
  expect(done).toEqual([]);
  expect(await next()).toEqual({ page: 1 });
  await new Promise(setImmediate);
  expect(done).toEqual(['began']);
  expect(await next()).toEqual({ page: 2 });
  expect(await next()).toEqual({ result: 'end' });
  expect(done).toEqual(['began', 'went on']);
});

test('fails where the walk does', async () => {
  const next = pulled<number, never>(async (onPage) => {
    await onPage(1);
    throw new Error('no');
  });
  expect(await next()).toEqual({ page: 1 });
  await expect(next()).rejects.toThrow('no');
});
