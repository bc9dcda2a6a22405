/** How the chat and `doctor` notify: the choice, the question, and who is taken to look. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createAttention } from '../../../src/cli/chat/attention.ts';
import { notificationOptions } from '../../../src/cli/chat/chat-start.ts';
import { createNotifications } from '../../../src/cli/chat/notifications.ts';
import { inspectNotifications } from '../../../src/cli/health/notifications.ts';
import { tryNotifications } from '../../../src/cli/health/try-notifications.ts';
import type { CommandContext } from '../../../src/commands/context.ts';
import { readEnvironment } from '../../../src/config/environment.ts';
import { defaultSettings, type NotifySettings } from '../../../src/state/model/settings.ts';
import { selectPlace } from '../../../src/state/select/selectors.ts';
import { createAppStore } from '../../../src/state/store.ts';
import { pushOverlay } from '../../../src/state/view/overlays.ts';
import { setScroll } from '../../../src/state/view/thread-place.ts';
import { openInView } from '../../../src/state/view/view.ts';
import { initialCapabilities } from '../../../src/terminal/capabilities.ts';
import { temporaryDirectory } from '../../storage/builders.ts';
import * as eg from '../../support/builders/eg.ts';

const kitty = { TERM: 'xterm-kitty', LANG: 'C.UTF-8' };
const xterm = { TERM: 'xterm-256color', LANG: 'C.UTF-8' };

describe('doctor', () => {
  const found = (env: Record<string, string>, directory: string) =>
    inspectNotifications(readEnvironment({ ...env }), { configFile: join(directory, 'config.toml'), state: directory });

  test('asks what arrived and keeps the answer for this kind of terminal', async () => {
    const directory = temporaryDirectory();
    const written: string[] = [];
    const asked = (line: string) =>
      tryNotifications(readEnvironment({ ...xterm }), directory, {
        isTty: true,
        write: (text) => written.push(text),
        pause: async () => undefined,
        readLine: async () => line,
      });
    expect(await found(xterm, directory)).toMatchObject({ verdict: 'note', text: /^the bell, nothing/ });
    await asked('\n');
    expect(await found(xterm, directory)).toMatchObject({ verdict: 'note' });
    await expect(asked('7')).rejects.toThrow('a number from 1 to 4');
    await asked('2\n');
    const all = written.join('');
    for (const sequence of [
      '\x1b]99;i=msg-tui-try-1',
      '\x1b]777;notify;msg-tui;Notification 2',
      '\x1b]9;msg-tui: N',
      '\x07',
    ])
      expect(all).toContain(sequence);
    expect(all).toContain('  2  OSC 777\n');
    expect(await found(xterm, directory)).toMatchObject({
      verdict: 'ok',
      text: 'OSC 777, as you have answered for this terminal',
    });
    expect(await found(kitty, directory)).toMatchObject({ text: 'OSC 99, the terminal is kitty' });
  });

  test('names the setting of config.toml', async () => {
    const directory = temporaryDirectory();
    const says = (text: string) =>
      writeFileSync(join(directory, 'config.toml'), `[notify]\n${text}\n`, { mode: 0o600 });
    says('command = ["notify-send", "{title}"]');
    expect(await found(kitty, directory)).toMatchObject({
      text: 'the command notify-send; where it fails, OSC 99, the terminal is kitty',
    });
    says('method = "bell"');
    expect(await found(kitty, directory)).toMatchObject({ verdict: 'ok', text: 'the bell, as config.toml says' });
    says('method = "none"');
    expect(await found(kitty, directory)).toMatchObject({ text: 'none, as config.toml says' });
  });
});

describe('the chat', () => {
  function stage(notify: Partial<NotifySettings>, env: Record<string, string> = kitty) {
    const ann = eg.contact({ id: 'ann', username: 'Ann' });
    const conversations = [eg.conversation({ id: 'c-ann', contactId: 'ann' })];
    const state = eg.state({ conversations, contacts: [ann] });
    const store = createAppStore({
      ...state,
      settings: { ...defaultSettings, notify: { ...defaultSettings.notify, ...notify } },
    });
    const written: string[] = [];
    const told: string[] = [];
    const opened: string[] = [];
    const environment = readEnvironment({ ...env });
    const facts = { term: env.TERM, isTty: true, locale: env.LANG } as Parameters<typeof initialCapabilities>[0];
    const notifications = createNotifications({
      store,
      terminal: {
        capabilities: () => initialCapabilities(facts),
        screen: { writeControl: (bytes) => void written.push(bytes) },
      },
      environment,
      stateDirectory: temporaryDirectory(),
      secrets: () => [],
      isAttended: () => false,
      chat: { delayMs: () => 0, notifiedElsewhere: () => new Set(), claim: (ids) => new Set(ids) },
      openConversation: (id) => void opened.push(id),
      report: (text) => void told.push(text),
      record: () => undefined,
    });
    return { store, notifications, written, told, opened };
  }

  test('writes the title when it changes and only then', () => {
    const { store, written, notifications } = stage({});
    expect(written).toEqual(['\x1b]2;msg-tui\x1b\\']);
    store.setState((state) => ({ ...state, cache: { ...state.cache, unread: new Map([['c-ann', 2]]) } }));
    store.setState((state) => ({ ...state, screen: { ...state.screen, focus: 'composer' } }));
    store.setState((state) => ({ ...state, cache: { ...state.cache, unread: new Map([['c-ann', 2]]) } }));
    expect(written).toEqual(['\x1b]2;msg-tui\x1b\\', '\x1b]2;(2) msg-tui\x1b\\']);
    notifications.showTitle();
    expect(written).toHaveLength(3);
    notifications.stop();
    expect(stage({ title: false }).written).toEqual([]);
    expect(stage({}, { TERM: 'linux' }).written).toEqual([]);
  });

  test('gives the window its own title back when the setting is turned off, and none stays that is out of date', () => {
    const { store, written } = stage({});
    const setTitle = (title: boolean): void =>
      store.setState(({ settings, ...state }) => ({
        ...state,
        settings: { ...settings, notify: { ...settings.notify, title } },
      }));
    setTitle(false);
    store.setState((state) => ({ ...state, cache: { ...state.cache, unread: new Map([['c-ann', 2]]) } }));
    expect(written.slice(1)).toEqual(['\x1b]2;msg-tui\x1b\\\x1b[23;2t\x1b[22;2t']);
    setTitle(true);
    expect(written.at(-1)).toBe('\x1b]2;(2) msg-tui\x1b\\');
  });

  test('sends a test in the way that is set', () => {
    const osc = stage({});
    osc.notifications.test();
    expect(osc.written[1]).toMatch(/^\x1b\]99;i=msg-tui-\d+-test:/);
    expect(osc.told).toEqual(['Sent a test notification: OSC 99, the terminal is kitty']);
    const none = stage({ method: 'none' });
    none.notifications.test();
    expect(none.written).toHaveLength(1);
    expect(none.told).toEqual(['No notification is sent: none, as config.toml says']);
  });

  test('a click with an unknown id opens nothing', () => {
    const { notifications, opened } = stage({});
    notifications.onReply({ type: 'reply', reply: 'notification-click', id: 'other-1' });
    expect(opened).toEqual([]);
  });

  test('a click leads to the new messages, also in a conversation that was left scrolled up', () => {
    const left = { at: 'message', messageId: 'm-1', line: 0 } as const;
    const { store } = stage({});
    store.setState((state) => setScroll('c-ann', left)(openInView('c-ann')(state)));
    // What is typed next would go to the dialog.
    store.setState(pushOverlay({ kind: 'go-to-date', conversationId: 'c-ann', typed: '3 n' }));
    const context = { get: store.getState, update: store.setState, openConversation: () => undefined };
    const [start, session] = [{ crashes: {} }, {}] as unknown as Parameters<typeof notificationOptions>;
    notificationOptions(start, session, context as unknown as CommandContext, { cacheDirectory: '' }).openConversation(
      'c-ann',
    );
    const state = store.getState();
    expect([selectPlace(state, 'c-ann').scroll, state.screen.focus]).toEqual([{ at: 'bottom' }, 'composer']);
    expect(state.screen.overlays).toEqual([]);
    expect(state.view.jumps?.back.at(-1)).toMatchObject({ conversationId: 'c-ann', place: { scroll: left } });
  });
});

test('somebody sees the chat if the terminal has the focus, or, if focus is not reported, has just pressed a key; a key is a report, too', () => {
  let now = 0;
  const { note, isAttended } = createAttention(() => now);
  const key = { type: 'key', key: 'a', text: 'a' } as const;
  expect(isAttended()).toBe(false);
  note({ type: 'reply', reply: 'device-attributes', attributes: [] });
  expect(isAttended()).toBe(false);
  note(key);
  expect(isAttended()).toBe(true);
  now = 60_000;
  expect(isAttended()).toBe(false);
  note({ type: 'focus', focused: true });
  now = 1e9;
  expect(isAttended()).toBe(true);
  note({ type: 'focus', focused: false });
  expect(isAttended()).toBe(false);
  note({ type: 'mouse', action: 'wheel-up', button: 'none', x: 0, y: 0, ctrl: false, alt: false, shift: false });
  expect(isAttended()).toBe(false);
  note(key);
  expect(isAttended()).toBe(true);
});

test('somebody is busy until half a second after the last key or click', () => {
  let now = 0;
  const { note, isBusy } = createAttention(() => now);
  note({ type: 'reply', reply: 'device-attributes', attributes: [] });
  note({ type: 'focus', focused: true });
  expect(isBusy()).toBe(false);
  note({ type: 'key', key: 'a', text: 'a' });
  now = 499;
  expect(isBusy()).toBe(true);
  now = 500;
  expect(isBusy()).toBe(false);
});
