/** One of several chats on an account notifies of a message, first the one that was used last. */
import { readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { NotifyingChat } from '../../../src/cli/chat/notifying-chat.ts';
import type { InputEvent } from '../../../src/terminal/events.ts';
import { temporaryDirectory } from '../../storage/builders.ts';

function stage(directory: string | null = temporaryDirectory()) {
  let now = 0;
  const chatOf = (pid: number) =>
    new NotifyingChat({ directory, pid, monotonic: () => now, after: (callback) => callback() });
  const [first, second] = [chatOf(1), chatOf(2)];
  const use = (chat: NotifyingChat, event: InputEvent): void => {
    now += 2_000;
    chat.note(event);
  };
  return { first, second, use, delays: () => [first, second].map((chat) => chat.delayMs()) };
}

const key: InputEvent = { type: 'key', key: 'a', text: 'a' };

test('the chats wait for the one that was used last, until that leaves the account', () => {
  const { first, second, use, delays } = stage();
  expect(delays()).toEqual([0, 0]);
  use(second, key);
  expect(delays()).toEqual([2_500, 0]);
  use(first, { type: 'focus', focused: false });
  use(first, { type: 'reply', reply: 'notifications' });
  expect(delays()).toEqual([2_500, 0]);
  use(first, { type: 'focus', focused: true });
  expect(delays()).toEqual([0, 2_500]);
  second.end();
  expect(delays()).toEqual([0, 2_500]);
  first.end();
  expect(delays()).toEqual([0, 0]);
});

test('the key that ends a chat does not make it the one that was used last', () => {
  const directory = temporaryDirectory();
  const waiting: (() => void)[] = [];
  let now = 0;
  const after = (callback: () => void): void => void waiting.push(callback);
  const chat = new NotifyingChat({ directory, pid: 1, monotonic: () => now, after });
  for (; now < 2_000; now += 1_000) {
    chat.note(key);
    if (now === 0) waiting.shift()?.();
  }
  chat.end();
  waiting.shift()?.();
  expect(new NotifyingChat({ directory, pid: 2 }).delayMs()).toBe(0);
});

test('a message goes to the first that asks for it, and is forgotten after ten minutes', () => {
  const directory = temporaryDirectory();
  const { first, second } = stage(directory);
  expect([...first.claim(['m1', 'm2'])]).toEqual(['m1', 'm2']);
  expect([...second.notifiedElsewhere(['m1', 'm2', 'm3'])]).toEqual(['m1', 'm2']);
  expect([...second.claim(['m2', 'm3'])]).toEqual(['m3']);
  const folder = join(directory, 'notified');
  const long = new Date(Date.now() - 601_000);
  for (const name of readdirSync(folder)) utimesSync(join(folder, name), long, long);
  first.claim(['m4']);
  expect(readdirSync(folder)).toHaveLength(1);
});

test('where nothing can be written each chat notifies', () => {
  const nowhere = stage(null);
  nowhere.use(nowhere.first, key);
  expect(nowhere.delays()).toEqual([0, 0]);
  const file = join(temporaryDirectory(), 'file');
  writeFileSync(file, '');
  for (const { first, second } of [nowhere, stage(file)]) {
    expect(first.claim(['m1']).size).toBe(1);
    expect(second.notifiedElsewhere(['m1']).size).toBe(0);
    expect(second.claim(['m1']).size).toBe(1);
  }
});
