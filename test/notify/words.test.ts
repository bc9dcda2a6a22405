/** What a notification and the title of the window say. */
import { describe, expect, test } from 'vitest';
import { firstLine, titleOf } from '../../src/notify/words.ts';
import type { NotifySettings } from '../../src/state/model/settings.ts';
import * as eg from '../support/builders/eg.ts';
import { opened, stage, stateWith } from './world.ts';

describe('the texts', () => {
  const told = async (privacy: NotifySettings['privacy'], texts: readonly string[]) => {
    const { clock, say, lines } = stage(stateWith({ privacy }));
    for (const text of texts) say('ann', text);
    await clock.advance(2_000);
    return lines();
  };

  test('say as much as the privacy level lets them', async () => {
    expect(await told('full', ['Secret'])).toEqual(['ann: Secret']);
    expect(await told('sender', ['Secret'])).toEqual(['ann: New message']);
    expect(await told('none', ['Secret'])).toEqual(['msg-tui: New message']);
    expect(await told('none', ['Secret', 'Secret'])).toEqual(['msg-tui: 2 new messages']);
    const open = opened(stateWith({ privacy: 'none' }), 'c-ann');
    expect(titleOf(open, 3)).toBe('(3) msg-tui');
    expect(titleOf(opened(stateWith(), 'c-ann'), 3)).toBe('(3) msg-tui - ann');
    expect(titleOf(stateWith(), 0)).toBe('msg-tui');
  });

  test('name the sender in a group, also where they show no text', async () => {
    const toldInGroup = async (privacy: NotifySettings['privacy'], count: number) => {
      const group = eg.conversation({ id: 'c-ann', contactId: null, groupId: 'g-1' });
      const { clock, say, shown } = stage(stateWith({ privacy }, [group]));
      for (let n = 0; n < count; n += 1) say('ann', 'Secret');
      await clock.advance(2_000);
      return shown.map(({ body }) => body);
    };
    expect(await toldInGroup('sender', 1)).toEqual(['New message from ann']);
    expect(await toldInGroup('sender', 2)).toEqual(['2 new messages, the last from ann']);
    expect(await toldInGroup('full', 2)).toEqual(['2 new messages, the last: ann: Secret']);
    expect(await toldInGroup('none', 1)).toEqual(['New message']);
  });

  test('show the first line, without control characters and short', () => {
    const line = (text: string): string => firstLine({ text, attachments: [] });
    expect(line('\n\n  First \r\nsecond')).toBe('First');
    expect(line('\x1b]0;x\x07\u202eabc\x9b31m')).not.toMatch(/[\x00-\x1f\x7f-\x9f\u202e]/);
    expect(line('x'.repeat(5_000))).toBe(`${'x'.repeat(199)}…`);
    expect(line('')).toBe('(no text)');
    expect(line('\u200b')).toBe('(no text)');
  });

  test('cover spoilers, also those of several lines, and show no control characters of messages', () => {
    const line = (text: string): string => firstLine({ text, attachments: [] });
    expect(line('It was ||the butler||, and ||x||')).toBe('It was ||…||, and ||…||');
    expect(line('||the\nbutler|| did it')).toBe('||…|| did it');
    for (const code of ['if (a || b || c)', 'a||b||c', '||', '|| open', '|a||b|']) expect(line(code)).toBe(code);
  });
});
