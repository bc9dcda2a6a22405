/** Reactions: quick, from the picker with search, taken back, beside those of others. */
import { expect, test } from 'vitest';
import { isFullRun } from '../support/campaigns/partition.ts';
import { journey } from '../support/terminals/journey.ts';
import { talking, withAnn } from './cast.ts';

const last = 'Bring the tickets';

test('reactions are given, taken back and chosen from the picker', async () => {
  const j = await journey({ seed: talking(withAnn) });
  await j.open('ann');
  j.press('focus.previous');
  await j.see('▌  Bring');
  j.press('message.like');
  // Nothing has shown yet whether this server keeps the text that a reaction does not name.
  await j.answer('confirm.yes', 'React? This may remove what others added');
  await j.see('[👍 1]');
  await expect.poll(() => j.server.me.reactions('ann', last)).toEqual({ '+1': ['me'] });

  j.press('message.react');
  await j.see('type to search');
  j.type('ferry');
  await j.see('Name: ferry');
  await j.see(/> .*ferry/);
  j.press('choice.accept');
  await j.gone('Name: ferry');
  await j.see(/\[👍 1\].*\[⛴️? +1\]/);
  await expect.poll(() => j.server.me.reactions('ann', last)).toEqual({ '+1': ['me'], ferry: ['me'] });

  // The two that the message has come first.
  j.press(['message.reactNth', 2]);
  await j.see(/\[❤️ 1\]/);
  await expect
    .poll(async () => Object.keys(await j.server.me.reactions('ann', last)))
    .toEqual(['+1', 'ferry', 'heart']);

  j.press('message.like');
  await j.gone('[👍 1]');
  await expect.poll(async () => Object.keys(await j.server.me.reactions('ann', last))).toEqual(['ferry', 'heart']);
});

test('reactions of others stay when the user reacts', async () => {
  const messages = [
    { from: 'ann', text: 'Look at this', at: -600, reactions: { tada: ['ann'], heart: ['cyd', 'ann'] } },
  ];
  const j = await journey({ seed: talking({ group: 'crew', messages }) });
  await j.open('Group');
  await j.see(/🎉 1.*❤️ 2/);
  j.type('nice');
  j.press('message.send');
  await j.see(/You[\s\S]*nice/);
  await j.gone(/queued|sending/);
  j.press('focus.previous', 'message.previous');
  await j.see('▌  Look at this');
  j.press('message.like');
  await j.answer('confirm.yes', 'React? This may remove what others added');
  await j.see(/🎉 1.*❤️ 2.*\[👍 1\]/);
  const all = { tada: ['ann'], heart: ['cyd', 'ann'], '+1': ['me'] };
  await expect.poll(() => j.server.me.reactions('crew', 'Look at this')).toEqual(all);
});

test.runIf(isFullRun)('before it is known who the user is, a reaction asks for a message first', async () => {
  const messages = [{ from: 'ann', text: 'Look at this', at: -600 }];
  const j = await journey({ seed: talking({ group: 'crew', messages }) });
  await j.open('Group');
  await j.see(/│ {3}Look at this/);
  j.press('focus.previous', 'message.like');
  await j.answer('confirm.yes', 'React? This may remove what others added');
  await j.see(/Nobody knows yet who you are on this server: send a message first,\s+then react\./);
  expect(await j.server.me.reactions('crew', 'Look at this')).toEqual({});
});
