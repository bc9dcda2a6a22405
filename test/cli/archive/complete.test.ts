import { expect, test } from 'vitest';
import { completeHistory } from '../../../src/cli/archive/complete.ts';
import { writingWorld } from '../messages/writing-world.ts';

test('--complete says of which conversation the newest messages cannot be fetched', async () => {
  const messages = Array.from({ length: 12 }, (_, index) => ({ from: 'ann', text: `line ${index}`, at: index - 60 }));
  const world = await writingWorld({
    users: [{ username: 'me' }, { username: 'ann' }],
    groups: [],
    conversations: [{ between: ['me', 'ann'], messages }],
  });
  // The list begins with the oldest messages, and has no next page.
  world.server.setHook(async (request, next) => {
    const { pathname, searchParams } = new URL(request.url);
    if (pathname !== '/v1/messages') return next();
    const isFirst = [...searchParams.keys()].every((name) => name === 'conversation_id');
    if (!isFirst) return Response.json({ error: { message: 'unknown parameter' } }, { status: 400 });
    const answer = await next();
    const { data, ...rest } = (await answer.json()) as { data: unknown[] };
    return Response.json({ ...rest, data: data.toReversed() });
  });
  const { remarks } = await world.run((account, output) => completeHistory(account, null, output));
  expect(remarks).toEqual([expect.stringMatching(/^ann \(1 of 1\): .*the newest ones cannot be shown/)]);
});
