/** Each file that a start reads, damaged at 200 places: it starts all the same (run by `npm run test:full`). */
import { expect, test } from 'vitest';
import { profileFiles, startDamaged } from '../support/campaigns/damaged-stores.ts';

const files = profileFiles();

test.each([...files.keys()])(
  '%s damaged: the program starts',
  (name) => {
    const wrong = Array.from({ length: 200 }, (_, index) => startDamaged(files, name, index, 200));
    expect(wrong.filter((one) => one !== null)).toEqual([]);
  },
  1_200_000,
);
