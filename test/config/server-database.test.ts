import { expect, test } from 'vitest';
import { checkDatabaseOption, databaseVariable } from '../../src/config/server-database.ts';

test('the address may have a password in the variable, but not on the command line', () => {
  const secret = 'postgres://ann:s3cret@db.example/chat';
  expect(databaseVariable({ MSG_TUI_DATABASE: secret })).toBe(secret);
  expect(databaseVariable({})).toBeNull();
  expect(databaseVariable({ MSG_TUI_DATABASE: '' })).toBeNull();
  for (const address of [secret, 'postgresql://:s3cret@/chat', 'postgres://db/chat?sslmode=disable&password=s3cret']) {
    const check = () => checkDatabaseOption(address, '--database');
    expect(check).toThrow(/MSG_TUI_DATABASE/);
    expect(check).toThrow(/PGPASSWORD/);
    expect(check).toThrow(/~\/\.pgpass/);
    expect(check).not.toThrow(/s3cret/);
  }
});

test.each([
  'postgres://db.example/chat',
  'postgresql://ann@[::1]:5433/chat?sslmode=verify-full',
  'postgres:///chat?host=/run',
])('%s is the address of a database', (address) => expect(checkDatabaseOption(address, '--to')).toBe(address));

test.each(['chat.db', 'mysql://ann:s3cret@db/chat', 'postgres:chat'])(
  '%s is not the address of a database',
  (address) => {
    expect(() => checkDatabaseOption(address, '--to')).toThrow(
      '--to must be an address such as postgres://USER@HOST/NAME',
    );
    expect(() => databaseVariable({ MSG_TUI_DATABASE: address })).toThrow(
      'MSG_TUI_DATABASE must be an address such as postgres://USER@HOST/NAME',
    );
  },
);
