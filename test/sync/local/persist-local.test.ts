/** When records are written; a disk that takes no draft for a while is offered it again. */
import { beforeEach, expect, test } from 'vitest';
import { setText } from '../../../src/state/composer/draft.ts';
import { updateDraft } from '../../../src/state/composer/drafts.ts';
import { recallText } from '../../../src/state/composer/recall.ts';
import { noteDetour } from '../../../src/state/local/detours.ts';
import { setNote } from '../../../src/state/local/own-names.ts';
import { countLostOnQuit } from '../../../src/state/local/unsent-text.ts';
import { noteUse } from '../../../src/state/local/uses.ts';
import { initialState } from '../../../src/state/store.ts';
import { mostPlaces, restorePlaces } from '../../../src/state/view/saved-places.ts';
import { selectMessage, setPlace, setScroll } from '../../../src/state/view/thread-place.ts';
import { type SyncWorld, syncWorld } from '../../support/worlds/sync-world.ts';

let world: SyncWorld;

beforeEach(async () => {
  world = syncWorld();
  world.service.addConversation('c1');
  await world.clock.advance(1_000);
  world.outbox.failing = true;
  world.store.setState(updateDraft('c1', (draft) => setText(draft, 'half a thought')));
  await world.clock.advance(10_000);
});

const saved = (): string | undefined => world.outbox.load().drafts.get('c1')?.text;
const notices = () => world.store.getState().screen.notices.filter(({ about }) => about === 'local');

test('a draft that the disk has refused is saved once the disk accepts it', async () => {
  expect(notices()).toHaveLength(1);
  expect(countLostOnQuit(world.store.getState())).toBe(1);
  world.outbox.failing = false;
  await world.clock.advance(10_000);
  expect(saved()).toBe('half a thought');
  expect(notices()).toEqual([]);
  expect(countLostOnQuit(world.store.getState())).toBe(0);
});

test('that nothing was sent stays the newest notice while the disk refuses the draft as well', async () => {
  const { store, clock, outbox, engine } = world;
  const action = { kind: 'message.send', conversationId: 'c1', text: 'a whole thought' } as const;
  outbox.failing = false;
  await clock.advance(10_000);
  outbox.failing = true;
  store.setState(updateDraft('c1', (draft) => setText(draft, action.text)));
  expect(engine.enqueue(action, { draftOf: 'c1' })).toBe(false);
  await clock.advance(30_000);
  expect(store.getState().screen.notices.at(-1)?.text).toMatch(/^Not saved, nothing sent/);
  // What another program has written cannot be read either.
  const { load, hasForeignChanges } = outbox;
  outbox.load = () => {
    throw new Error('The outbox was not read: disk I/O error');
  };
  outbox.hasForeignChanges = () => true;
  engine.refreshOutbox();
  expect(store.getState().screen.notices.at(-1)?.text).toMatch(/^Not saved, nothing sent/);
  Object.assign(outbox, { load, hasForeignChanges });
  expect(countLostOnQuit(store.getState())).toBe(1);
  outbox.failing = false;
  expect(engine.enqueue(action, { draftOf: 'c1' })).toBe(true);
  expect(store.getState().screen.notices).toEqual([]);
});

test('a draft that the disk has refused is saved again at the end of the program, and not after it', async () => {
  world.outbox.failing = false;
  await world.engine.stop();
  expect(saved()).toBe('half a thought');
  world.outbox.failing = true;
  await world.clock.advance(60_000);
  expect(notices()).toEqual([]);
});

test.each([
  ['after a pause', 10_000],
  ['at once', 0],
])('a text that was put aside for a recalled one is still on the disk when that one is erased %s', async (_, ms) => {
  const { store, clock, outbox, engine } = world;
  outbox.failing = false;
  store.setState(updateDraft('c1', (draft) => setText(draft, '')));
  await clock.advance(10_000);
  store.setState(updateDraft('c1', (draft) => recallText(setText(draft, 'half a thought'), 'a text that was sent')));
  await clock.advance(ms);
  store.setState(updateDraft('c1', (draft) => setText(draft, '')));
  await engine.stop();
  expect(outbox.load().drafts.get('c1')).toMatchObject({ text: '', recalled: { stash: 'half a thought' } });
});

test('a note that the disk has refused is saved once the disk accepts it', async () => {
  const { store, clock, outbox } = world;
  store.setState(setNote({ kind: 'contact', id: 'ann' }, 'likes tea'));
  expect(notices()).toHaveLength(1);
  outbox.failing = false;
  await clock.advance(10_000);
  expect(outbox.load().notes.get('contact ann')).toBe('likes tea');
  expect(notices()).toEqual([]);
});

test('a note that the disk has refused is kept when another program has written, whose own note is kept too', async () => {
  const { store, clock, outbox, engine } = world;
  store.setState(setNote({ kind: 'contact', id: 'ann' }, 'likes tea'));
  outbox.failing = false;
  outbox.saveRecords([['notes', 'contact bob', 'likes coffee']]);
  outbox.failing = true;
  outbox.hasForeignChanges = () => true;
  engine.refreshOutbox();
  expect(store.getState().local.notes.get('contact ann')).toBe('likes tea');
  outbox.failing = false;
  await clock.advance(10_000);
  const both = new Map([
    ['contact ann', 'likes tea'],
    ['contact bob', 'likes coffee'],
  ]);
  expect([outbox.load().notes, new Map(store.getState().local.notes)]).toEqual([both, both]);
});

test('positions that the disk has refused replace none that another program has saved meanwhile', async () => {
  const { store, clock, outbox, engine } = world;
  store.setState(setScroll('c1', place.scroll));
  await clock.advance(1_000);
  outbox.failing = false;
  outbox.saveRecords([['savedPlaces', 'c9', { scroll: place.scroll, selectedId: null }]]);
  outbox.failing = true;
  outbox.hasForeignChanges = () => true;
  engine.refreshOutbox();
  expect(notices()).toHaveLength(1);
  outbox.failing = false;
  await clock.advance(10_000);
  expect([...outbox.load().savedPlaces.keys()].sort()).toEqual(['c1', 'c9']);
});

test('opened conversations and the counts of the coach are written after the frame, and at the end', async () => {
  world.outbox.failing = false;
  const { store, clock, outbox } = world;
  store.setState(noteUse('conversationUses', 'c1', clock.now()));
  store.setState(noteDetour('server.poll'));
  expect(outbox.load().detours.size).toBe(0);
  await clock.advance(1_000);
  expect([outbox.load().conversationUses.get('c1')?.weight, outbox.load().detours.get('server.poll')]).toEqual([1, 1]);
  store.setState(noteDetour('server.poll'));
  await world.engine.stop();
  expect(outbox.load().detours.get('server.poll')).toBe(2);
});

const place = { scroll: { at: 'message', messageId: 'm7', line: 2 }, selectedId: 'm8' } as const;

test('the position in a thread is saved when moving has paused, and shown by the next start', async () => {
  const world = syncWorld();
  await world.clock.advance(1_000);
  world.store.setState(setScroll('c1', place.scroll));
  world.store.setState(selectMessage('c1', 'm8'));
  world.store.setState((state) => ({
    ...state,
    view: { ...state.view, list: { ...state.view.list, view: 'unread' } },
  }));
  await world.clock.advance(100);
  expect(world.outbox.load().savedPlaces.size).toBe(0);
  await world.clock.advance(600);
  const saved = world.outbox.load();
  expect(saved.savedPlaces).toEqual(new Map([['c1', place]]));
  const { view } = restorePlaces(initialState({ local: saved }));
  expect([view.places.get('c1'), view.list.view]).toEqual([place, 'unread']);
});

test('how long messages are shown is saved with the position, and marks are not', async () => {
  const world = syncWorld();
  await world.clock.advance(1_000);
  const shown = { part: { messageId: 'm6', starts: [4_000] }, rawId: 'm8', unfolded: ['m5', 'm7'] };
  world.store.setState((state) => setPlace(state, 'c1', { ...place, ...shown, marked: ['m7'] }));
  await world.clock.advance(600);
  expect(world.outbox.load().savedPlaces.get('c1')).toEqual({ ...place, ...shown });
});

test('nothing is written while the user goes on scrolling', async () => {
  const world = syncWorld();
  await world.clock.advance(1_000);
  for (let line = 0; line < 20; line++) {
    world.store.setState(setScroll('c1', { ...place.scroll, line }));
    await world.clock.advance(100);
  }
  expect(world.outbox.load().savedPlaces.size).toBe(0);
  await world.clock.advance(500);
  expect(world.outbox.load().savedPlaces.get('c1')?.scroll).toEqual({ ...place.scroll, line: 19 });
});

test('no position is saved in a thread that is read at its end, nor at a message that is not sent', async () => {
  const world = syncWorld();
  await world.clock.advance(1_000);
  world.store.setState(setScroll('c1', place.scroll));
  await world.clock.advance(600);
  world.store.setState(setScroll('c1', { at: 'bottom' }));
  world.store.setState(selectMessage('c2', 'op:u1'));
  await world.clock.advance(600);
  expect(world.outbox.load().savedPlaces.size).toBe(0);
});

test('what is not saved yet is saved when the engine stops', async () => {
  const world = syncWorld();
  await world.clock.advance(1_000);
  world.store.setState(setScroll('c1', place.scroll));
  await world.engine.stop();
  expect(world.outbox.load().savedPlaces.get('c1')?.scroll).toEqual(place.scroll);
});

test('a thousand positions are kept, the most recently left ones', async () => {
  const world = syncWorld();
  await world.clock.advance(1_000);
  world.store.setState((state) => {
    const places = Array.from({ length: mostPlaces + 10 }, (_, index) => [`c${index}`, place] as const);
    return { ...state, view: { ...state.view, places: new Map(places) } };
  });
  await world.clock.advance(600);
  world.store.setState(setScroll('c10', { ...place.scroll, line: 3 }));
  world.store.setState(setScroll('new', place.scroll));
  await world.clock.advance(600);
  const kept = world.outbox.load().savedPlaces;
  expect(kept.size).toBe(mostPlaces);
  expect(['c9', 'c10', 'c11', 'c12', 'new'].map((id) => kept.has(id))).toEqual([false, true, false, true, true]);
});
