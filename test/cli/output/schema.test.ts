/** The documents of the commands that need nothing but an account. */
import type { Command } from 'commander';
import { expect, test } from 'vitest';
import { pathOf } from '../../../src/cli/help/help-text.ts';
import { commandTree } from '../../../src/cli/program.ts';
import { programHere } from '../../support/terminals/program-here.ts';

test('every JSON document begins with the schema', async () => {
  const run = await programHere({ users: [{ username: 'me' }], groups: [], conversations: [] });
  expect((await run(['conversations'])).code).toBe(0);
  const leaves = (command: Command): readonly Command[] =>
    command.commands.length === 0 ? [command] : command.commands.flatMap(leaves);
  // These wait, ask, need the name of a file, or run a server.
  const others = ['tail', 'wait', 'login', 'logout', 'export'];
  const inOneGo = leaves(await commandTree()).filter(
    (one) =>
      one.options.some(({ long }) => long === '--json') &&
      !one.registeredArguments.some(({ required }) => required) &&
      !others.includes(one.name()) &&
      !pathOf(one).startsWith('serve'),
  );
  expect(inOneGo.length).toBeGreaterThan(10);
  for (const one of inOneGo) {
    const { out } = await run([...pathOf(one).split(' '), '--json']);
    expect(JSON.parse(out), pathOf(one)).toMatchObject({ schema: 1 });
    expect(out, pathOf(one)).toMatch(/^\{\s*"schema"/);
  }
});
