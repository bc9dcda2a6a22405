/** Each file that a start reads, damaged at 200 places: it starts all the same (run by `npm run test:full`). */
import { expect, test } from 'vitest';
import { profileFiles, startsDamaged } from '../support/campaigns/damaged-stores.ts';

const files = profileFiles();

test.each([...files.keys()])(
  'with a damaged %s the program starts',
  (name) => expect(startsDamaged(files, name, 200)).toEqual([]),
  1_200_000,
);
