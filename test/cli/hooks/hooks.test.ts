/** Hooks: which messages run them, what the commands read, and what `msg-tui hooks test` says of cached messages. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { createHooks } from '../../../src/cli/hooks/run-hooks.ts';
import { messagesSince, testOf } from '../../../src/cli/hooks/test-hooks.ts';
import { checkSetting } from '../../../src/config/settings-table.ts';
import { arrivalDocument } from '../../../src/notify/hook-document.ts';
import { hooksFor, namesUser } from '../../../src/notify/hook-policy.ts';
import type { Message } from '../../../src/protocol/types.ts';
import type { AppState, Op } from '../../../src/state/model/app-state.ts';
import { defaultSettings, type NotifySettings } from '../../../src/state/model/settings.ts';
import { createAppStore } from '../../../src/state/store.ts';
import { memoryCache } from '../../../src/storage/cache/memory-cache.ts';
import type { HookEntry } from '../../../src/storage/ledger/entry.ts';
import { temporaryDirectory } from '../../storage/builders.ts';
import * as eg from '../../support/builders/eg.ts';

const patience = { timeout: 20_000, interval: 20 };
const noon = new Date(2026, 10, 22, 12).getTime();
const night = new Date(2026, 10, 22, 23).getTime();
const ann = eg.contact({ id: 'ann', username: 'Ann' });

function stateWith(notify: Partial<NotifySettings> = {}, hooks: Partial<typeof defaultSettings.hooks> = {}): AppState {
  const conversations = [
    eg.conversation({ id: 'c1', contactId: 'ann' }),
    eg.conversation({ id: 'c-muted', contactId: 'ann', isMuted: true }),
    eg.conversation({ id: 'c-away', contactId: 'ann', archivedAt: noon }),
  ];
  const state = eg.state({ conversations, contacts: [ann] });
  return {
    ...state,
    local: { ...state.local, me: { contactId: 'me', username: 'Zoë.Q' } },
    settings: {
      ...defaultSettings,
      notify: { ...defaultSettings.notify, ...notify },
      hooks: { ...defaultSettings.hooks, ...hooks },
    },
  };
}

let ids = 0;
const message = (text: string, fields: Partial<Message> = {}): Message =>
  eg.message({ id: `m${++ids}`, conversationId: 'c1', contact: ann, text, createdAt: Date.now(), ...fields });

describe('which messages run a hook', () => {
  const verdicts = (state: AppState, id: string, text: string, now = noon) => {
    const { arrival, mention } = hooksFor(state, id, { text }, now);
    return [arrival, mention];
  };

  test('the arrival hook runs as notifications do while nobody looks; the mention hook in muted conversations too; none in quiet hours', () => {
    const state = stateWith({ keywords: ['ferry'], quietHours: { from: 22 * 60, to: 7 * 60 } });
    expect(verdicts(state, 'c1', 'Hello')).toEqual(['runs', null]);
    expect(verdicts(state, 'c1', 'the FERRY')).toEqual(['runs', 'runs']);
    expect(verdicts(state, 'c-muted', 'Hello')).toEqual(['muted', null]);
    expect(verdicts(state, 'c-away', 'Hello')).toEqual(['archived', null]);
    expect(verdicts(state, 'c-muted', 'the ferry')).toEqual(['runs', 'runs']);
    expect(verdicts(state, 'c-muted', 'for @zoe.q')).toEqual(['muted', 'runs']);
    expect(verdicts(state, 'c1', '@zoe.q', night)).toEqual(['quiet hours', 'quiet hours']);
    expect(verdicts(state, 'gone', '@zoe.q')).toEqual(['gone', 'gone']);
    // `notify.method = "none"` is about notifications alone.
    expect(verdicts(stateWith({ method: 'none' }), 'c1', 'Hello')).toEqual(['runs', null]);
  });

  test.each([
    ['@Zoë.Q', true],
    ['hi @ZOE.Q, come', true],
    ['(@zoe.q)', true],
    ['@zoe.q.', true],
    ['@zoe.qx and @zoe.q!', true],
    ['@zoe.qx', false],
    ['@zoe.q.rs', false],
    ['@zoe.q-b', false],
    ['zoe.q', false],
    ['@zoe', false],
  ])('%s names the user: %s', (text, is) => {
    expect(namesUser(stateWith(), text)).toBe(is);
  });

  test('a hook reads only what a notification may show', () => {
    const held = { newest: [{ conversationId: 'c1', message: message('Hi\x1b[31m there') }], count: 3, now: noon };
    const document = (privacy: NotifySettings['privacy']) => arrivalDocument(stateWith({ privacy }), 'arrival', held);
    expect(document('none')).toEqual({ schema: 1, event: 'arrival', time: new Date(noon).toISOString(), count: 3 });
    expect(JSON.stringify(document('sender'))).not.toContain('there');
    const full = JSON.stringify(document('full'));
    expect(full).toContain('"conversation":{"id":"c1","name":"Ann"},"author":{"id":"ann","name":"Ann"}');
    expect(full).toContain('there');
    expect(full).not.toContain('\\u001b');
  });
});

test('no words of a message become arguments of the command in the setting', () => {
  expect(checkSetting('hooks.arrival', ['x', '{body}'])).toMatchObject({
    problem: expect.stringContaining('standard input'),
  });
  expect(checkSetting('hooks.arrival', [' '])).toMatchObject({ problem: expect.stringContaining('a program') });
  expect(checkSetting('hooks.arrival', [])).toEqual({ value: [] });
});

/** Hooks that append what they read, and their environment, to files. */
function stage(notify: Partial<NotifySettings> = {}) {
  const directory = temporaryDirectory();
  const secret = 'the-token-of-mine';
  vi.stubEnv('COPY_OF_TOKEN', secret);
  onTestFinished(() => void vi.unstubAllEnvs());
  const script = `const fs = require('fs'); fs.appendFileSync(process.argv[1], fs.readFileSync(0, 'utf8')); fs.appendFileSync(process.argv[1] + '.env', JSON.stringify(process.env))`;
  const hook = (name: string) => [process.execPath, '-e', script, join(directory, name)];
  const hooks = { arrival: hook('arrival'), mention: hook('mention'), failure: hook('failure') };
  const store = createAppStore(stateWith(notify, hooks));
  const entries: HookEntry[] = [];
  const troubles: string[] = [];
  const running = createHooks({
    store,
    secrets: () => [secret],
    report: (text) => troubles.push(text),
    record: (entry) => void entries.push(entry),
  });
  store.subscribe(running.onState);
  onTestFinished(running.stop);
  const read = (name: string) => {
    const file = join(directory, name);
    const text = existsSync(file) ? readFileSync(file, 'utf8') : '';
    return text
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line));
  };
  const environment = () => readFileSync(join(directory, 'arrival.env'), 'utf8');
  return { store, running, entries, troubles, read, environment, secret };
}

const failedOp = (state: Op['state'], uuid = 'op-1'): Op =>
  eg.op({ kind: 'message.send', conversationId: 'c1', text: 'mine' }, { uuid, state, reason: 'the server refused it' });

test('a command reads JSON, has no token in its environment, and gets all messages', async () => {
  const { store, running, entries, troubles, read, environment, secret } = stage();
  running.onIncoming({ conversationId: 'c1', messages: [message('one'), message('old', { createdAt: noon - 1e9 })] });
  running.onIncoming({ conversationId: 'c1', messages: [message('two')] });
  running.onIncoming({ conversationId: 'c-muted', messages: [message('three'), message('@zoe.q four')] });
  running.onIncoming({ conversationId: 'c1', messages: [message('five')] });
  const setOutbox = (...outbox: Op[]) => store.setState((state) => ({ ...state, local: { ...state.local, outbox } }));
  setOutbox(failedOp('queued'));
  setOutbox(failedOp('sending'));
  setOutbox(failedOp('failed'));
  setOutbox(failedOp('failed'), failedOp('queued', 'op-2'));
  await vi.waitFor(
    () => expect([read('arrival').length, read('mention').length, read('failure').length]).toEqual([2, 1, 1]),
    patience,
  );
  const texts = (name: string) =>
    read(name).map(({ count, messages }) => [count, messages.map(({ text }: { text: string }) => text)]);
  expect(texts('arrival')).toEqual([
    [1, ['one']],
    [2, ['two', 'five']],
  ]);
  expect(texts('mention')).toEqual([[1, ['@zoe.q four']]]);
  expect(read('failure')).toMatchObject([
    {
      schema: 1,
      event: 'failure',
      count: 1,
      failures: [{ op: 'op-1', state: 'failed', conversation: { id: 'c1', name: 'Ann' } }],
    },
  ]);
  expect(JSON.stringify(read('failure'))).not.toContain('mine');
  expect(environment()).not.toContain(secret);
  await vi.waitFor(() => expect(entries).toHaveLength(4), patience);
  expect(entries).toContainEqual(
    expect.objectContaining({ kind: 'hook', reason: 'hooks.mention', program: process.execPath, problem: null }),
  );
  expect(troubles).toEqual([]);
});

test('only the program that sends runs hooks; a failure is recorded in one word', async () => {
  const { store, running, entries, troubles, read } = stage();
  store.setState((state) => ({ ...state, view: { ...state.view, otherSender: { pid: 1, isStopped: false } } }));
  running.onIncoming({ conversationId: 'c1', messages: [message('one')] });
  store.setState((state) => ({
    ...state,
    view: { ...state.view, otherSender: null },
    settings: { ...state.settings, hooks: { ...state.settings.hooks, arrival: ['/nowhere/at-all'] } },
  }));
  running.onIncoming({ conversationId: 'c1', messages: [message('two')] });
  await vi.waitFor(
    () => expect(entries).toMatchObject([{ reason: 'hooks.arrival', problem: 'no such program' }]),
    patience,
  );
  expect(troubles).toEqual(['The command of hooks.arrival failed: /nowhere/at-all: no such program']);
  expect(read('arrival')).toEqual([]);
});

test('hooks test lists from the cache what would have run, each message at its own time, and runs nothing', () => {
  const state = stateWith({ keywords: ['ferry'], quietHours: { from: 22 * 60, to: 7 * 60 } });
  const cache = memoryCache();
  cache.saveConversations([...state.cache.conversations.values()]);
  const at = (createdAt: number | null, text: string, contact = ann) => message(text, { createdAt, contact });
  const me = eg.contact({ id: 'me' });
  const many = Array.from({ length: 1_200 }, (_, i) => at(noon + i, 'Hello'));
  cache.saveMessages('c1', [
    at(noon - 1, 'ferry'),
    ...many,
    at(night, 'ferry'),
    at(noon, 'mine', me),
    at(null, 'when?'),
  ]);
  cache.saveMessages('c1', [at(noon - 10_000, 'too old')]);
  cache.saveMessages('c-muted', [at(noon, 'Hello'), at(noon, 'the ferry')]);
  const [arrival, mention] = testOf(state, messagesSince(state, cache, noon - 5));
  expect(arrival).toMatchObject({ hook: 'arrival', runs: 1_202, held: { muted: 1, 'quiet hours': 1 } });
  expect(arrival?.newest[0]?.message.createdAt).toBe(noon + 1_199);
  expect(mention).toMatchObject({ hook: 'mention', runs: 2, held: { 'quiet hours': 1 } });
  expect(testOf(state, messagesSince(state, cache, night + 1)).map(({ runs }) => runs)).toEqual([0, 0]);
});
