import { expect, test } from 'vitest';
import type { CommandContext } from '../../src/commands/context.ts';
import { mute, unmute } from '../../src/commands/mute.ts';
import { topOverlay } from '../../src/state/view/overlays.ts';
import * as eg from '../support/builders/eg.ts';
import { chat, world } from './world.ts';

const muted = (value: boolean) => ({ kind: 'conversation.mute', conversationId: 'with ann', value });
const hourMs = 3_600_000;
const hoursLeft = (w: ReturnType<typeof world>) =>
  Math.round(((w.state().local.mutedUntil.get('with ann') ?? 0) - eg.now) / hourMs);

test('m asks for how long; 8 mutes for eight hours, and the notice says until when', () => {
  const w = world(chat({ focus: 'list' }));
  w.press('m');
  expect(topOverlay(w.state())).toMatchObject({ kind: 'menu', id: 'mute', conversationId: 'with ann' });
  w.press('8');
  expect(w.actions).toEqual([muted(true)]);
  expect(hoursLeft(w)).toBe(8);
  expect(w.notice()).toMatch(/^Muted until \d\d:\d\d.*; z undoes it$/);
});

test('m on a muted conversation unmutes it at once, and z restores the time that was set', () => {
  const w = world(chat({ focus: 'list' }));
  w.press('m', '1', 'm');
  expect(w.actions).toEqual([muted(true), muted(false)]);
  expect(w.notice()).toBe('No longer muted; z undoes it');
  expect(w.state().local.mutedUntil.size).toBe(0);
  w.press('z');
  expect(w.actions.at(-1)).toEqual(muted(true));
  expect(hoursLeft(w)).toBe(1);
});

test('the time can be typed as a word, and a wrong word lists those that are accepted', () => {
  const w = world(chat({ focus: 'list' }));
  w.run('conversation.mute', '30m');
  expect(w.state().local.mutedUntil.get('with ann')).toBe(eg.now + hourMs / 2);
  w.run('conversation.mute', 'always');
  expect(w.state().local.mutedUntil.size).toBe(0);
  for (const word of ['0h', '8', 'h', '-1h', '9999w', 'soon']) {
    w.run('conversation.mute', word);
    expect(w.notice()).toBe(`"${word}" is not a duration; give 30m, 8h, 2d, 1w or always`);
  }
  expect(w.actions).toEqual([muted(true), muted(true)]);
});

test('the end of a mute is saved before the mute is queued, and not if the disk refuses', () => {
  const w = world(chat({ focus: 'list' }));
  const kept: (number | undefined)[] = [];
  const context = (isTaken: boolean): CommandContext => {
    const enqueue = (): boolean => {
      kept.push(w.state().local.mutedUntil.get('with ann'));
      return isTaken;
    };
    return { get: w.state, update: w.update, now: () => eg.now, keyOf: () => '', enqueue } as unknown as CommandContext;
  };
  mute(context(true), 'with ann', hourMs);
  mute(context(false), 'with ann', 8 * hourMs);
  expect(kept).toEqual([eg.now + hourMs, eg.now + 8 * hourMs]);
  expect(hoursLeft(w)).toBe(1);
  unmute(context(true), 'with ann');
  expect(kept.at(-1)).toBe(eg.now + hourMs);
  expect(w.state().local.mutedUntil.size).toBe(0);
});
