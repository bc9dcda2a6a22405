/** The composer's text in the user's own editor, and text fields that are edited like the composer. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { journey } from '../support/terminals/journey.ts';
import { seed } from './cast.ts';

test('the editor gets the draft and returns it; a prompt, s/old/new/ and recalled texts are edited as in the composer', async () => {
  const j = await journey({ seed, start: false });
  const script = join(j.folder, 'editor.sh');
  mkdirSync(j.folder, { recursive: true });
  writeFileSync(script, '#!/bin/sh\nprintf "in the editor\\n"\nprintf "\\n\\tfrom outside\\n" >> "$2"\n', {
    mode: 0o755,
  });
  j.start({ VISUAL: `${script} --wait` });
  await j.open('ann');
  j.type('begun here');
  j.press('composer.editor');
  await j.see('from outside');
  await j.see('begun here');
  j.press('message.send');
  await expect.poll(async () => (await j.server.me.texts('ann')).at(-1)).toBe('begun here\n\tfrom outside');

  j.press('goto.open');
  j.type('nn');
  j.press('cursor.home');
  j.type('a');
  await j.see(/│ To: ann +│/);
  j.press('layer.back');
  await j.gone('people · # groups');

  j.type('s/begun/started/');
  j.press('message.send');
  await j.see('Change your last message?');
  await j.see(/- begun here/);
  await j.see(/\+ started here/);
  j.press('layer.back');
  await j.gone('Change your last message?');
  await j.see('s/begun/started/');
  j.press('composer.recallOlder');
  await j.see(/begun here[\s\S]*begun here/);
  j.press('composer.recallNewer');
  await j.see('s/begun/started/');
});

test('what was saved in the editor is the draft where the terminal is closed meanwhile', async () => {
  const j = await journey({ seed, start: false });
  const script = join(j.folder, 'editor.sh');
  mkdirSync(j.folder, { recursive: true });
  writeFileSync(script, '#!/bin/sh\nprintf "saved in the editor\\n" > "$1"\nprintf "still open\\n"\nsleep 60\n', {
    mode: 0o755,
  });
  j.start({ VISUAL: script });
  await j.open('ann');
  j.type('begun here');
  j.press('composer.editor');
  await j.see('still open');
  await j.kill('SIGHUP');
  j.start();
  await j.see(/To ann .*\n.*saved in the editor/);
});

test('what arrives while the editor has the screen is unread, and is after the "new" line when the chat is back', async () => {
  const j = await journey({ seed, start: false });
  const script = join(j.folder, 'editor.sh');
  const closed = join(j.folder, 'closed');
  mkdirSync(j.folder, { recursive: true });
  writeFileSync(script, `#!/bin/sh\nprintf "still open\\n"\nwhile [ ! -e '${closed}' ]; do sleep 0.1; done\n`, {
    mode: 0o755,
  });
  j.start({ VISUAL: script });
  await j.open('ann');
  await j.see('Bring the tickets');
  j.press('composer.editor');
  await j.see('still open');
  const ann = j.server.as('ann');
  await ann.send('me', 'Are you writing?');
  await expect.poll(() => j.filesWith('Are you writing?')).not.toEqual([]);
  expect((await ann.find('me', 'Are you writing?')).read_at).toBeNull();

  writeFileSync(closed, '');
  await j.see(/─ new ─[\s\S]*Are you writing\?/);
  await expect.poll(async () => (await ann.find('me', 'Are you writing?')).read_at).not.toBeNull();
});
