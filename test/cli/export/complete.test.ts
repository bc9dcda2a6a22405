import { describe, expect, test } from 'vitest';
import { entriesOf, type Selection } from '../../../src/cli/archive/entries.ts';
import { jsonLines, nothingEarlier } from '../../../src/cli/archive/jsonl.ts';
import { openSource } from '../../../src/cli/archive/source.ts';
import { completeHistory } from '../../../src/cli/export/complete.ts';
import type { Account } from '../../../src/cli/headless/account.ts';
import { worldWithOnePage, writingWorld } from '../messages/writing-world.ts';

const everything: Selection = { conversations: null, since: null };

/** The lines of these types in an export of everything. */
function exported({ opened, store }: Account, types: readonly string[], isAsked: boolean): readonly unknown[] {
  const source = openSource(opened.cacheDirectory, opened.server, store.getState(), isAsked);
  try {
    const lines = [...jsonLines(entriesOf(source, everything), nothingEarlier())];
    return lines.map((line) => JSON.parse(line)).filter(({ type }) => types.includes(type));
  } finally {
    source.close();
  }
}

describe('--complete says, on stderr and in the file,', () => {
  test('of which conversation the newest messages cannot be fetched', async () => {
    const world = await worldWithOnePage('/v1/messages', (rows) => rows.toReversed());
    const { remarks } = await world.run(async (account, output) => {
      await completeHistory(account, null, null, output);
      const [history, end] = exported(account, ['history', 'end'], true);
      expect(history).toMatchObject({ is_complete: false, beginning: 'reached', newest: 'not_offered', gaps: [] });
      expect(end).toMatchObject({ is_complete: false });
    });
    expect(remarks).toEqual([expect.stringMatching(/^ann \(1 of 1\): .*the newest ones cannot be shown/)]);
    // A later export without a request knows of the server only that it may do so.
    await world.run((account) => {
      const [history, end] = exported(account, ['history', 'end'], false);
      expect(history).toMatchObject({ is_complete: false, newest: 'unknown' });
      expect(end).toMatchObject({ is_complete: false });
    });
  });

  test('of which conversation the older messages cannot be fetched', async () => {
    const world = await worldWithOnePage('/v1/messages', (rows) => rows);
    const { remarks } = await world.run(async (account, output) => {
      await completeHistory(account, null, null, output);
      expect(exported(account, ['history'], true)).toMatchObject([{ is_complete: false, beginning: 'not_offered' }]);
    });
    expect(remarks).toEqual(['ann (1 of 1): older messages cannot be fetched from this server']);
  });

  test('nothing of older messages that --since leaves out', async () => {
    const world = await worldWithOnePage('/v1/messages', (rows) => rows);
    const { remarks } = await world.run(async (account, output) => {
      await completeHistory(account, null, null, { remark: () => undefined });
      const [id = ''] = account.store.getState().cache.conversations.keys();
      const { messages } = account.session.history(id, 'newest', 50);
      const at = (index: number): number => messages.at(index)?.createdAt ?? Number.NaN;
      await completeHistory(account, null, at(-1), output);
      await completeHistory(account, null, at(0), output);
    });
    expect(remarks).toEqual(['ann (1 of 1): older messages cannot be fetched from this server']);
  });

  test('that the server does not give the whole list of conversations', async () => {
    const world = await worldWithOnePage('/v1/conversations', (rows) => rows);
    const { remarks } = await world.run(async (account, output) => {
      await completeHistory(account, null, null, output);
      const [list, end] = exported(account, ['list', 'end'], true);
      expect(list).toMatchObject({ is_complete: false, ending: 'not_offered' });
      expect(end).toMatchObject({ conversations: 1, is_complete: false });
    });
    expect(remarks).toEqual([expect.stringContaining('the whole list of conversations')]);
    await world.run((account) => {
      const [list, end] = exported(account, ['list', 'end'], false);
      expect(list).toMatchObject({ is_complete: false, ending: 'not_fetched' });
      expect(end).toMatchObject({ is_complete: false });
    });
  });
});

test('a complete export says so, and has no line about the list', async () => {
  const world = await writingWorld();
  await world.run(async (account, output) => {
    await completeHistory(account, null, null, output);
    expect(exported(account, ['list', 'end'], true)).toMatchObject([{ type: 'end', is_complete: true }]);
  });
  await world.run((account) => {
    expect(exported(account, ['list', 'end'], false)).toMatchObject([{ type: 'end', is_complete: true }]);
  });
});

test('a signal while history is fetched ends the command, and nothing is exported', async () => {
  const world = await writingWorld();
  for (let count = 0; count < 60; count++) await world.server.as('ann').send('me', `line ${count}`);
  world.server.setHook((request, next) => {
    const { pathname, searchParams } = new URL(request.url);
    const isNewestPage = [...searchParams.keys()].every((name) => name === 'conversation_id' || name === 'limit');
    if (pathname !== '/v1/messages' || isNewestPage) return next();
    setTimeout(() => process.emit('SIGINT'));
    return new Promise(() => undefined);
  });
  let isExported = false;
  const ran = await world.run(async (account, output) => {
    await completeHistory(account, null, null, output);
    isExported = true;
  });
  expect(ran).toMatchObject({ code: 130, remarks: [] });
  expect(isExported).toBe(false);
});

test('a conversation that the server refuses leaves out nothing of the others', async () => {
  const world = await writingWorld();
  const { conversation_id: refused } = await world.server.me.find('ann', 'I will be there');
  await world.server.as('bob').send('me', 'Hello?');
  world.server.setHook((request, next) => {
    const { searchParams } = new URL(request.url);
    if (searchParams.get('conversation_id') !== refused) return next();
    return Promise.resolve(Response.json({ error: { message: 'you have left it' } }, { status: 403 }));
  });
  const all = await world.run(async (account, output) => {
    await completeHistory(account, null, null, output);
    expect(exported(account, ['message'], true)).toMatchObject([
      { message: 'Did you read it?' },
      { message: 'Hello?' },
    ]);
  });
  expect(all).toMatchObject({
    code: 0,
    remarks: [expect.stringMatching(/ of 2\): the server answered 403: you have left it$/)],
  });
  const one = await world.run((account, output) => completeHistory(account, [refused], null, output));
  expect(one).toMatchObject({ code: 6 });
});

test('with --since no page is fetched that is older than that', async () => {
  const world = await writingWorld();
  for (let count = 0; count < 60; count++) await world.server.as('ann').send('me', `line ${count}`);
  const asked: string[] = [];
  world.server.setHook((request, next) => {
    const { pathname, search, searchParams } = new URL(request.url);
    if (pathname === '/v1/messages' && searchParams.has('starting_after')) asked.push(search);
    return next();
  });
  const since = Date.now() - 1_000;
  await world.run((account, output) => completeHistory(account, null, Date.now() + 60_000, output));
  expect(asked).toEqual([]);
  await world.run((account, output) => completeHistory(account, null, since - 30_000, output));
  expect(asked).toHaveLength(1);
});
