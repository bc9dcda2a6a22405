/** Another person's token, however it is given to a profile: it sends none of the first one's words and shows none of what they read. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { isFullRun } from '../support/campaigns/partition.ts';
import { type Journey, journey } from '../support/terminals/journey.ts';
import { seed } from './cast.ts';
import { connect, enterToken, nothingSetUp, refuseToken, sameAccount } from './signing-in.ts';

const words = 'written by the first one';

/** A profile whose token the server refuses, with a message that waits. */
async function withUnsentWords(conversation = 'ann', lastMessage = 'Bring the tickets'): Promise<Journey> {
  const j = await journey({ seed, env: nothingSetUp });
  await connect(j);
  await j.open(conversation);
  await j.see(lastMessage);
  await refuseToken(j);
  j.type(words);
  j.press('message.send');
  await j.see('1 queued');
  return j;
}

const isAsked = (j: Journey, token: string): boolean => j.server.asked.some((one) => one.token === token);

const sentWords = (j: Journey): boolean => j.server.asked.some(({ method }) => method === 'POST');

test('Ctrl-T asks whose token it is, and does not accept one of another account', async () => {
  const j = await withUnsentWords();
  const { token } = j.server.as('bob');
  await enterToken(j, 'The server refused the token', token);
  j.press('prompt.accept');
  await j.see(sameAccount);
  await j.see('one unsent text here belong');
  await j.answer('confirm.no', sameAccount);
  await j.see('The token was not used');
  await j.see('1 queued');
  expect([isAsked(j, token), sentWords(j)]).toEqual([false, false]);
  await j.quit();
  expect(j.filesWith(token).length).toBe(0);
});

test('Ctrl-T: a yes for the token of another member of the group sends nothing', async () => {
  const j = await withUnsentWords('Group #', 'Who brings');
  const { token } = j.server.as('cyd');
  await enterToken(j, 'The server refused the token', token);
  j.press('prompt.accept');
  await j.answer('confirm.yes', sameAccount);
  await j.see('This token is for another account. It was not saved');
  await j.see('1 queued');
  expect([isAsked(j, token), sentWords(j)]).toEqual([true, false]);
  await j.quit();
  expect(j.filesWith(token).length).toBe(0);
});

test.runIf(isFullRun)('a token of the environment has files of its own in the same profile', async () => {
  const j = await withUnsentWords();
  await j.quit();
  const { token } = j.server.as('bob');
  for (const isFirst of [true, false]) {
    j.start({ MSG_TUI_TOKEN: token });
    if (isFirst) {
      await j.see('One unsent text was written with another token');
      await j.see(sameAccount);
      j.tui.send('\r');
    }
    await j.see('Half of it');
    await j.gone('connecting');
    expect(j.tui.output().includes(words)).toBe(false);
    expect(j.tui.output().includes(sameAccount)).toBe(isFirst);
    expect(j.screen()).not.toContain('queued');
    await j.quit();
  }
  expect(sentWords(j)).toBe(false);
});

test('the welcome screen takes no token of another account, and asks before it takes a new one of the same', async () => {
  const j = await withUnsentWords();
  await j.quit();
  rmSync(join(j.folder, 'data/msg-tui/credentials.json'));
  const { token: ofBob } = j.server.as('bob');
  const { token } = await j.server.service.admin.createToken('me', 'another one');
  j.start();
  await j.see('Token');
  j.paste(ofBob);
  await j.see('****');
  j.tui.press('enter');
  await j.see('so it is for another account');
  j.tui.press('escape');
  await j.gone('****');
  j.paste(token);
  await j.see('****');
  j.tui.press('enter');
  await j.see(sameAccount);
  await j.see('One unsent text was written with another token');
  j.type('n');
  await j.see('another account has its own files then');
  expect(sentWords(j)).toBe(false);
  expect([...j.filesWith(token), ...j.filesWith(ofBob)]).toEqual([]);
});
