import { expect, test } from 'vitest';
import { type PicturePorts, showPictures } from '../../src/pictures/show-pictures.ts';
import { clear } from '../../src/state/composer/draft.ts';
import { insert } from '../../src/state/composer/draft-edit.ts';
import { updateDraft } from '../../src/state/composer/drafts.ts';
import type { PictureAddress } from '../../src/state/pictures/policy.ts';
import {
  allowPictureHost,
  decodePicturesAgain,
  loseTerminalPictures,
  setPicture,
} from '../../src/state/pictures/transitions.ts';
import { createAppStore, initialState } from '../../src/state/store.ts';

const bitmap = { width: 1, height: 1, rgba: new Uint8Array(4) };
const at = (name: string): PictureAddress => ({ href: `https://a.example/${name}`, host: 'a.example' });

/** A screen with these pictures; what is fetched is answered by the test. */
function stage(inSight: PictureAddress[], ports: Partial<PicturePorts> = {}) {
  const store = createAppStore(initialState({ view: { openId: 'c' }, screen: { drawsPictures: true } }));
  const timers: (() => void)[] = [];
  const asked: string[] = [];
  const waiting = new Map<string, { resolve: (file: Uint8Array) => void; reject: (error: Error) => void }>();
  let now = 0;
  showPictures({
    store,
    inSight: () => inSight,
    room: () => null,
    fetch: (href) => {
      asked.push(href);
      return new Promise((resolve, reject) => waiting.set(href, { resolve, reject }));
    },
    decode: async () => ({ bitmap, inTerminal: null }),
    save: () => undefined,
    drop: () => undefined,
    show: (href, picture) => store.setState(setPicture(href, picture)),
    now: () => now,
    after: (_, callback) => void timers.push(callback),
    ...ports,
  });
  return {
    store,
    timers,
    asked,
    waiting,
    allow: () => store.setState(allowPictureHost('a.example')),
    rest: async (ms = 0) => {
      now += ms;
      for (const timer of timers.splice(0)) timer();
      await new Promise(setImmediate);
    },
    statusOf: ({ href }: PictureAddress) => store.getState().view.pictures?.get(href)?.status,
  };
}

test('fetches nothing before the user allows it, and then what is on the screen, three at once', async () => {
  const all = ['1', '2', '3', '4'].map(at);
  const s = stage(all);
  await s.rest();
  expect(s.asked).toEqual([]);
  s.allow();
  await s.rest();
  expect(s.asked).toEqual(all.slice(0, 3).map(({ href }) => href));
  expect(s.statusOf(at('1'))).toBe('loading');
  s.waiting.get(at('1').href)?.resolve(new Uint8Array(1));
  await s.rest();
  expect([s.statusOf(at('1')), s.asked.length]).toEqual(['shown', 4]);
});

test('a file that cannot be decoded is removed from the cache', async () => {
  const dropped: string[] = [];
  const decode = () => Promise.reject(new Error('it could not be decoded'));
  const s = stage([at('1')], { decode, drop: (href) => void dropped.push(href) });
  s.allow();
  await s.rest();
  s.waiting.get(at('1').href)?.resolve(new Uint8Array(0));
  await s.rest();
  expect([s.statusOf(at('1')), dropped]).toEqual(['refused', [at('1').href]]);
});

test('pictures are fetched as soon as the screen can draw them', async () => {
  const s = stage([at('1')]);
  const draw = (drawsPictures: boolean) =>
    s.store.setState((state) => ({ ...state, screen: { ...state.screen, drawsPictures } }));
  draw(false);
  s.allow();
  await s.rest();
  expect(s.asked).toEqual([]);
  draw(true);
  await s.rest();
  expect(s.asked).toEqual([at('1').href]);
});

test('a typed letter starts no timer', async () => {
  const s = stage([at('1')]);
  await s.rest();
  s.store.setState(updateDraft('c', (draft) => insert(draft, 'x')));
  expect(s.timers).toEqual([]);
});

test('pictures that a shorter draft uncovers are fetched', async () => {
  const wide = { height: 20 };
  const narrow = { height: 14 };
  const inSight: PictureAddress[] = [];
  const s = stage(inSight, {
    room: ({ local }) => (local.drafts.get('c')?.text.includes('\n') === true ? narrow : wide),
  });
  s.store.setState(updateDraft('c', (draft) => insert(draft, 'one\ntwo')));
  s.allow();
  await s.rest();
  inSight.push(at('1'));
  s.store.setState(updateDraft('c', (draft) => insert(draft, '!')));
  expect(s.timers).toEqual([]);
  s.store.setState(updateDraft('c', clear));
  await s.rest();
  expect(s.asked).toEqual([at('1').href]);
});

test('decodes one picture after the other', async () => {
  let running = 0;
  const most: number[] = [];
  const decode = async () => {
    most.push(++running);
    await new Promise(setImmediate);
    running--;
    return { bitmap, inTerminal: null };
  };
  const s = stage(['1', '2', '3'].map(at), { decode, fetch: async () => new Uint8Array(1) });
  s.allow();
  for (let i = 0; i < 9; i++) await s.rest();
  expect(most).toEqual([1, 1, 1]);
});

test('says why a picture could not be fetched, and tries again a minute later', async () => {
  const s = stage([at('1')]);
  s.allow();
  await s.rest();
  s.waiting.get(at('1').href)?.reject(new Error('its server is too slow'));
  await s.rest();
  expect(s.store.getState().view.pictures?.get(at('1').href)).toEqual({
    status: 'refused',
    reason: 'its server is too slow',
  });
  const lookAgain = () => s.store.setState((state) => ({ ...state, view: { ...state.view, places: new Map() } }));
  lookAgain();
  await s.rest(30_000);
  expect(s.asked.length).toBe(1);
  lookAgain();
  await s.rest(31_000);
  expect(s.asked.length).toBe(2);
});

test('does not fetch a picture again that cannot be decoded', async () => {
  const decode = () => Promise.reject(new Error('the file is damaged'));
  const s = stage([at('1')], { decode, fetch: async () => new Uint8Array(1) });
  s.allow();
  await s.rest();
  expect(s.statusOf(at('1'))).toBe('refused');
  s.store.setState((state) => ({ ...state, view: { ...state.view, places: new Map() } }));
  await s.rest(99_000);
  expect(s.statusOf(at('1'))).toBe('refused');
});

test('keeps the state of a picture that the terminal has lost until it is there again', async () => {
  const seen: unknown[] = [];
  const inTerminal = { id: 1, columns: 1, rows: 1 };
  const decode = async () => ({ bitmap, inTerminal });
  const s = stage([at('1')], { decode, fetch: async () => new Uint8Array(1) });
  s.allow();
  await s.rest();
  s.store.subscribe((state) => seen.push(state.view.pictures?.get(at('1').href)));
  s.store.setState(loseTerminalPictures);
  await s.rest();
  await s.rest();
  expect(seen).toEqual([
    { status: 'shown', bitmap, inTerminal: null, isLost: true },
    { status: 'shown', bitmap, inTerminal },
  ]);
});

test('a picture that the terminal has lost stays on the screen also when it cannot be fetched again', async () => {
  const s = stage([at('1')]);
  const lookAgain = () => s.store.setState((state) => ({ ...state, view: { ...state.view, places: new Map() } }));
  s.allow();
  await s.rest();
  s.waiting.get(at('1').href)?.resolve(new Uint8Array(1));
  await s.rest();
  s.store.setState(decodePicturesAgain);
  await s.rest();
  s.waiting.get(at('1').href)?.reject(new Error('its server cannot be reached'));
  await s.rest();
  lookAgain();
  await s.rest(30_000);
  expect([s.statusOf(at('1')), s.asked.length]).toEqual(['shown', 2]);
  lookAgain();
  await s.rest(31_000);
  expect(s.asked.length).toBe(3);
});

test('removes the oldest sequences if all take too much, and makes those pictures again', () => {
  const store = createAppStore(initialState({ view: { openId: 'c' } }));
  const inTerminal = { columns: 1, rows: 1, sequence: 'x'.repeat(1_000_000) };
  for (let i = 0; i < 20; i++) store.setState(setPicture(at(`${i}`).href, { status: 'shown', bitmap, inTerminal }));
  const held = [...(store.getState().view.pictures?.values() ?? [])].map(
    (picture) => picture.status === 'shown' && (picture.inTerminal === null ? picture.isLost : 'kept'),
  );
  expect(held).toEqual([...Array(4).fill(true), ...Array(16).fill('kept')]);
});

test('decodes pictures again that came before the terminal said how it draws them', async () => {
  const s = stage([at('1')], { fetch: async () => new Uint8Array(1) });
  s.allow();
  await s.rest();
  await s.rest();
  s.store.setState(decodePicturesAgain);
  expect(s.store.getState().view.pictures?.get(at('1').href)).toMatchObject({ isLost: true });
  await s.rest();
  await s.rest();
  expect(s.store.getState().view.pictures?.get(at('1').href)).toEqual({ status: 'shown', bitmap, inTerminal: null });
});

test('saves a file for later runs once it was decoded, and not if it is not a picture', async () => {
  const saved: string[] = [];
  const save = (href: string): void => void saved.push(href);
  const decode = async (file: Uint8Array) => {
    if (file.length === 0) throw new Error('it is not a PNG, JPEG, GIF or WebP');
    return { bitmap, inTerminal: null };
  };
  const fetch = async (href: string) => new Uint8Array(href.endsWith('1') ? 0 : 1);
  const s = stage([at('1'), at('2')], { save, decode, fetch });
  s.allow();
  await s.rest();
  await s.rest();
  expect([s.statusOf(at('1')), s.statusOf(at('2')), saved]).toEqual(['refused', 'shown', [at('2').href]]);
});
