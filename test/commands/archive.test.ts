/** In an archive nothing can be written: by no key, no command, and no word that is typed. */
import { beforeEach, expect, test } from 'vitest';
import { contextsOf } from '../../src/commands/command.ts';
import { whyDisabled, writingCommands } from '../../src/commands/disabled.ts';
import { commands } from '../../src/commands/table.ts';
import { selectMessage } from '../../src/state/view/thread-place.ts';
import { cycleFocus, patchView, setFocus } from '../../src/state/view/view.ts';
import * as eg from '../support/builders/eg.ts';
import { world } from './world.ts';

beforeEach(() => eg.restart());

const contact = eg.contact({ id: 'ann' });
const messages = [eg.message({ id: 'm1', contact, text: 'Hello' })];

function archive() {
  const state = eg.state({
    cache: {
      conversations: new Map([['c1', eg.conversation({ id: 'c1', contactId: 'ann' })]]),
      contacts: new Map([['ann', contact]]),
      threads: new Map([['c1', eg.thread(messages)]]),
    },
    view: { isArchive: true, openId: 'c1' },
  });
  return world(setFocus('messages')(selectMessage('c1', 'm1')(patchView(state, {}))));
}

test('every command that writes is in the table, and says why it cannot run', () => {
  const state = archive().state();
  for (const id of writingCommands) {
    const command = commands.find((one) => one.id === id);
    expect(command, id).toBeDefined();
    if (command !== undefined) expect(whyDisabled(command, state), id).toMatch(/^This is an archive/);
  }
});

test('no command writes or asks a server', () => {
  for (const focus of ['list', 'messages'] as const) {
    for (const { id } of commands) {
      const w = archive();
      w.update(setFocus(focus));
      w.run(id);
      w.press('enter');
      w.wait(5_000);
      expect(w.actions, id).toEqual([]);
      expect(
        w.calls.filter((call) => /^(poll|signIn|retry|editText)/.test(call)),
        id,
      ).toEqual([]);
      expect(w.state().local.drafts.size, id).toBe(0);
      expect(w.state().screen.focus, id).not.toBe('composer');
    }
  }
});

test('the composer is not reached by Tab, and takes no text', () => {
  const w = archive();
  const seen = new Set<string>();
  for (let i = 0; i < 4; i++) {
    w.update(cycleFocus(1));
    seen.add(w.state().screen.focus);
    expect(contextsOf(w.state())).not.toContain('composer');
  }
  expect([...seen].sort()).toEqual(['list', 'messages']);
  w.paste('a long text that somebody pasted');
  w.type('hello there, how are you?');
  expect(w.state().local.drafts.size).toBe(0);
});

test('details, copying and searching work', () => {
  const w = archive();
  w.press('y');
  expect(w.calls.some((call) => call.startsWith('copy'))).toBe(true);
  w.press('i');
  expect(w.state().screen.overlays.at(-1)?.kind).toBe('details');
});
