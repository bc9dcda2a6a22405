import { describe, expect, test } from 'vitest';
import { menuTitle, selectMenuRows } from '../../src/commands/menus.ts';
import type { Attachment } from '../../src/protocol/types.ts';
import { topOverlay } from '../../src/state/view/overlays.ts';
import * as eg from '../support/builders/eg.ts';
import { world } from './world.ts';

const file = (url: string): Attachment => ({ label: 'a file', url, size: null, mediaType: 'image/png', fields: {} });

function onPictures(...urls: readonly string[]) {
  const message = eg.message({ id: 'm1', conversationId: 'c', text: '', attachments: urls.map(file) });
  return world(
    eg.state({
      conversations: [eg.conversation({ id: 'c' })],
      cache: { threads: new Map([['c', eg.thread([message])]]) },
      ...eg.shown({
        openId: 'c',
        focus: 'messages',
        drawsPictures: true,
        places: new Map([['c', { scroll: { at: 'bottom' }, selectedId: 'm1' }]]),
      }),
    }),
  );
}
const [a1, a2, b1] = ['https://a.example/1', 'https://a.example/2', 'https://b.example/1'] as const;
const titleOf = ({ state }: ReturnType<typeof world>): string => {
  const top = topOverlay(state());
  return top?.kind === 'menu' ? menuTitle(state(), top) : '';
};

describe('o on a message with pictures', () => {
  test('asks about their host; y allows these pictures for now', () => {
    const w = onPictures(a1, b1, a2);
    w.press('o');
    expect(titleOf(w)).toBe('Show pictures from a.example?');
    w.press('y');
    expect([...(w.state().view.picturesOnce ?? [])]).toEqual([a1, a2]);
    expect(w.state().local.pictureHosts.size).toBe(0);
    w.press('o');
    expect(titleOf(w)).toBe('Show pictures from b.example?');
  });

  test('and a allows the host permanently, n allows nothing; then o opens addresses as before', () => {
    const w = onPictures(a1);
    w.press('o');
    w.press('n');
    expect([topOverlay(w.state()), w.state().view.picturesOnce]).toEqual([null, undefined]);
    w.press('o');
    w.press('a');
    expect([...w.state().local.pictureHosts.keys()]).toEqual(['a.example']);
    w.press('o');
    expect(topOverlay(w.state())?.kind).toBe('links');
  });

  test('and a permission for good is taken back by /hosts', () => {
    const w = onPictures(a1, b1);
    w.press('o');
    w.press('a');
    w.press('o');
    w.press('a');
    w.press('tab');
    w.type('/hosts');
    w.press('enter');
    expect(selectMenuRows(w.state()).map(({ label }) => label)).toEqual(['a.example', 'b.example']);
    w.press('1');
    expect([...w.state().local.pictureHosts.keys()]).toEqual(['b.example']);
    expect(w.draft().text).toBe('');
  });

  test('offers to open the addresses without fetching a picture', () => {
    const w = onPictures(a1);
    w.press('o');
    w.press('o');
    expect([topOverlay(w.state())?.kind, w.state().view.picturesOnce]).toEqual(['links', undefined]);
  });

  test('allows nothing for a sentence that begins with these letters', () => {
    const w = onPictures(a1);
    w.press('o');
    expect(selectMenuRows(w.state()).map(({ key }) => key)).toEqual(['y', 'a', 'n', 'o']);
    w.press('escape');
    w.type('oya ya');
    expect([w.state().view.picturesOnce, w.state().local.pictureHosts.size]).toEqual([undefined, 0]);
    expect(w.draft().text).toBe('oya ya');
  });

  test('shows the end of a host name that is too long', () => {
    const w = onPictures(`https://chat.example.${'x'.repeat(60)}.evil.example/1`);
    w.press('o');
    expect(titleOf(w)).toMatch(/^Show pictures from …x+\.evil\.example\?$/);
  });
});
