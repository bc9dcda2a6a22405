/** On a real PostgreSQL server. DATABASE_URL names a database of a user who may create others. */
import { afterAll, beforeAll, describe } from 'vitest';
import { describeContract } from './contract-suite.ts';
import { describeCopy } from './copy-suite.ts';
import { hasRealServer, openRealDatabase, type TestDatabase } from './databases.ts';
import { describeEngine } from './engine-suite.ts';
import { describeSeveralEngines } from './several-engines-suite.ts';
import { describeTwoServers } from './two-servers-suite.ts';

describe.skipIf(!hasRealServer)('on the server of DATABASE_URL', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await openRealDatabase();
  });
  afterAll(() => database.close());

  describeEngine(() => database);
  describeTwoServers(() => database);
  describeCopy(() => database);
  describeContract('real', () => database);
  describeSeveralEngines(() => database);
});
