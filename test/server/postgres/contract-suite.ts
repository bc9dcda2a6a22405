/** The contract of the API, as in test/contract, on PostgreSQL. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe } from 'vitest';
import { openPostgres } from '../../../src/server/store/postgres/engine.ts';
import { useEngine } from '../../contract/target.ts';
import type { TestDatabase } from './databases.ts';

const folder = join(import.meta.dirname, '../../contract');
const suites = readdirSync(folder).filter((name) => name.endsWith('.test.ts'));

/** @param name of the database, different for each caller, since a module is evaluated once for each name */
export function describeContract(name: string, database: () => TestDatabase): void {
  describe('contract', () => {
    beforeAll(() =>
      useEngine(async () => {
        await database().clear();
        return openPostgres(database());
      }),
    );
    afterAll(() => useEngine());
    for (const suite of suites)
      describe(suite, async () => {
        await import(`${join(folder, suite)}?on=${name}`);
      });
  });
}
