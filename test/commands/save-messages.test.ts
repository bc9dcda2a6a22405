/** Saving messages to a Markdown file at a typed path. */
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { fileSaver } from '../../src/cli/chat/save-file.ts';
import { createAppStore, initialState } from '../../src/state/store.ts';
import { topOverlay } from '../../src/state/view/overlays.ts';
import { selectMessage } from '../../src/state/view/thread-place.ts';
import { openCache } from '../../src/storage/cache/open.ts';
import { aContact, aConversation, aMessage } from '../storage/builders.ts';
import { chat, type World, world } from './world.ts';

const folder = mkdtempSync(join(tmpdir(), 'save-'));
afterAll(() => rmSync(folder, { recursive: true }));

function marked(): World {
  const w = world(chat({ focus: 'messages' }));
  w.update(selectMessage('with ann', 'm3'));
  w.press('v');
  w.update(selectMessage('with ann', 'm1'));
  w.press('v');
  return w;
}

test('the marked messages are saved to one file, oldest first', () => {
  const w = marked();
  w.run('message.save');
  expect(topOverlay(w.state())).toMatchObject({ kind: 'save-messages', messages: 2 });
  w.press('enter');
  const text: string = JSON.parse(
    w.calls.find((call) => call.startsWith('saveFile'))?.slice('saveFile '.length) ?? '""',
  );
  const time = /\d{4}-\d\d-\d\d \d\d:\d\d/g;
  expect(text.replace(time, 'TIME')).toBe('## ann, TIME\n\nThe ferry leaves at nine\n\n## ann, TIME\n\nnoon?\n');
  expect(w.notice()).toMatch(/^Saved to messages-\d{4}-\d\d-\d\d\.md$/);
  expect(w.state().screen.overlays).toEqual([]);
});

test('the menu of a message offers to save it; if the file cannot be written, the prompt opens again', () => {
  const w = world(chat({ focus: 'messages' }));
  w.update(selectMessage('with ann', 'm1'));
  w.breakDisk();
  w.run('message.save');
  w.press('ctrl+u');
  w.type('here.md');
  w.press('enter');
  expect(w.notice()).toBe('No space is left');
  expect(topOverlay(w.state())).toMatchObject({ kind: 'save-messages', typed: 'here.md' });
});

test('a file is created for its owner only, and never overwritten', async () => {
  const path = join(folder, 'a.md');
  const saveFile = fileSaver(
    { store: createAppStore(initialState()) },
    { server: 'https://a.example', cacheDirectory: '' },
  );
  const save = (at: string, text: string) => new Promise((resolve) => saveFile(at, text, resolve));
  expect(await save(path, 'one')).toEqual({ said: `Saved to ${path}` });
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(await save(path, 'two')).toEqual({ problem: `${path} already exists; choose another name` });
  expect(readFileSync(path, 'utf8')).toBe('one');
  const nowhere = join(folder, 'no', 'b.md');
  expect(await save(nowhere, 'x')).toEqual({ problem: `There is no folder for ${nowhere}; choose another path` });
});

test('the conversation is exported to a path that the user types', async () => {
  const w = world(chat({ focus: 'composer' }));
  w.type('/export');
  w.press('enter');
  expect(topOverlay(w.state())).toMatchObject({ kind: 'export-conversation', conversationId: 'with ann' });
  w.press('ctrl+u');
  w.type('ann.md');
  w.press('enter');
  expect(w.calls.at(-1)).toBe('saveFile {"conversation":"with ann"}');
  expect(w.notice()).toBe('Saved to ann.md');
});

test('an export has every cached message, and does not replace an existing file', async () => {
  const cache = openCache(folder);
  cache.saveConversations([aConversation()]);
  cache.saveMessages('c1', [aMessage(), aMessage({ id: 'm2', text: '# Not a heading' })]);
  cache.close();
  const state = initialState({ cache: { contacts: new Map([['ann', aContact()]]) } });
  const saveFile = fileSaver({ store: createAppStore(state) }, { server: 'https://a.example', cacheDirectory: folder });
  const path = join(folder, 'ann.md');
  const save = () => new Promise((resolve) => saveFile(path, { conversation: 'c1' }, resolve));
  expect(await save()).toEqual({ said: `Exported to ${path}` });
  expect(readFileSync(path, 'utf8')).toContain('### Ann, 22:13\n\n```text\n# Not a heading\n```');
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(await save()).toEqual({ problem: `${path} already exists; choose another name` });
});
