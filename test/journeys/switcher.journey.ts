/** Ctrl-K: to a conversation by a part of its name, to a person without one, to a group, to a command; by key and by click. */
import { expect, test } from 'vitest';
import { isFullRun } from '../support/campaigns/partition.ts';
import { seedBulk } from '../support/servers/seed-bulk.ts';
import { journey } from '../support/terminals/journey.ts';
import { seed } from './cast.ts';

test('the switcher goes to a conversation, and back', async () => {
  const j = await journey({ seed, size: '80x24' });
  await j.see('Half of it');
  await j.open('ann');
  await j.see('Enter send · Alt-Enter new line · Ctrl-K go to');
  j.type('half written');
  j.press('goto.open');
  await j.see('To: name');
  // The id of the group is random, and may have these letters too.
  j.type('bo');
  await j.see(/Go to · \d found[\s\S]*> bob/);
  j.press('choice.accept');
  await j.see('To bob');
  j.press('goto.open');
  await j.see(/> ann +draft/);
  j.press('choice.accept');
  await j.see(/To ann[\s\S]*half written/);
  j.press('goto.open');
  await j.see('To: name');
  j.paste('no\nbody\u202e');
  await j.see('No conversation has this name');
  j.press('layer.back');
  await j.gone('Go to');
  await j.see('half written');
});

test('the switcher finds people, groups and commands', async () => {
  const j = await journey({ seed });
  await j.see('ann: I do');
  j.press('goto.open');
  j.type('@cy');
  await j.see(/People[\s\S]*> cyd +no conversation yet/);
  j.press('choice.accept');
  await j.see('To cyd');
  await expect.poll(async () => (await j.server.me.conversations()).length).toBe(4);
  j.press('goto.open');
  j.type('#');
  await j.see(/Groups[\s\S]*> Group/);
  j.press('choice.accept');
  await j.see('To Group');
  j.press('goto.open');
  j.type('>reply');
  await j.see(/Commands[\s\S]*Select a message first/);
  j.press('choice.accept');
  await j.see(/^ · Select a message first/m);
  j.press('layer.back');
  await j.gone('Commands');
  j.press('goto.open');
  j.type('>all keys');
  await j.see('> Help: search all');
  j.press('choice.accept');
  await j.see(/Help · \d+ commands/);
});

test('a click on a row works, and so do letters typed at once', async () => {
  const j = await journey({ seed });
  await j.see('Half of it');
  j.press('goto.open');
  await j.see(/│ {3}bob/);
  const lines = j.screen().split('\n');
  const y = lines.findIndex((line) => /│ {3}bob/.test(line));
  const at = `0;${(lines[y]?.indexOf('bob') ?? 0) + 1};${y + 1}`;
  j.tui.send(`\x1b[<${at}M\x1b[<${at}m`);
  await j.see('To bob');
  // Letters typed with the key are not lost.
  j.press('goto.open');
  j.type('ann');
  j.press('choice.accept');
  await j.see('To ann');
});

test.runIf(isFullRun)('a conversation far down in a long list is found', async () => {
  const j = await journey({ seed: { users: [{ username: 'me' }] }, start: false });
  await seedBulk(j.server.service, { conversations: 1_500, messages: 1_500, inFirst: 1, username: 'me' });
  const last = (await j.server.me.conversations()).at(-1)?.contact_id ?? '';
  const tail = last.slice(-6);
  j.start();
  await j.see('as of');
  j.press('goto.open');
  j.type(tail);
  await j.see(new RegExp(`Go to · \\d+ found[\\s\\S]*> Contact #${tail}`), 20_000);
  j.press('choice.accept');
  await j.see(`To Contact #${tail}`);
});
