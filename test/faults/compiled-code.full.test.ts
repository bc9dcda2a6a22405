/** The built program started on compiled code that is damaged at two hundred places; run by `npm run test:full`. */
import { expect, test } from 'vitest';
import { damages, makeCodeFile, startsDamaged } from '../support/system/compiled-code.ts';

test('damaged code does not change a start, and is removed', { timeout: 1_800_000 }, async () => {
  const file = await makeCodeFile();
  try {
    const all = damages(50);
    expect(all.length).toBeGreaterThan(200);
    expect(await startsDamaged(file, all)).toEqual([]);
  } finally {
    file.remove();
  }
});
