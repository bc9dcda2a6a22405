/** What can be tested on PGlite, which has one connection: in this file alone, since it takes seconds to start. */
import { afterAll, beforeAll, describe } from 'vitest';
import { describeContract } from './contract-suite.ts';
import { describeCopy } from './copy-suite.ts';
import { openPglite, type TestDatabase } from './databases.ts';
import { describeEngine } from './engine-suite.ts';

describe('on PGlite', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await openPglite();
  });
  afterAll(() => database.close());

  describeEngine(() => database);
  describeCopy(() => database);
  describeContract('pglite', () => database);
});
