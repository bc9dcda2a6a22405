import { describe, expect, test } from 'vitest';
import { markUnread } from '../../../../src/state/local/read-lines.ts';
import type { ScrollPlace } from '../../../../src/state/model/app-state.ts';
import { setScroll } from '../../../../src/state/view/thread-place.ts';
import { openInView, peekInView, setFocus, setSize } from '../../../../src/state/view/view.ts';
import { apiFault, me } from '../../../support/servers/fake-service.ts';
import { syncWorld, type WorldOptions } from '../../../support/worlds/sync-world.ts';

const line = (world: ReturnType<typeof syncWorld>) => world.store.getState().local.readLines.get('c1')?.messageId;

const newLineAfter = (world: ReturnType<typeof syncWorld>) =>
  world.store.getState().cache.threads.get('c1')?.newLineAfter;

describe('the "new" line', () => {
  test.each([true, false])('is before what came while the program was closed, focused: %s', async (isFocused) => {
    const world = syncWorld();
    world.service.addConversation('c1');
    world.service.say('c1', 'earlier');
    const last = world.service.say('c1', 'mine', me);
    world.open('c1');
    await world.clock.advance(20_000);
    expect(newLineAfter(world)).toBeNull();
    world.service.say('c1', 'news');
    world.service.say('c1', 'more');
    world.restart();
    world.engine.setFocused(isFocused);
    world.open('c1');
    await world.clock.advance(1_000);
    expect(world.texts()).toEqual(['earlier', 'mine', 'news', 'more']);
    expect(newLineAfter(world)).toBe(last.id);
  });

  test('is before the answers to a message of the user, not before that message', async () => {
    const world = syncWorld();
    for (const id of ['c1', 'c2']) world.service.addConversation(id);
    world.service.say('c1', 'earlier');
    world.open('c1');
    await world.clock.advance(5_000);
    world.send('question');
    await world.clock.advance(5_000);
    world.open('c2');
    await world.clock.advance(5_000);
    for (const text of ['answer', 'more']) world.service.say('c1', text);
    await world.clock.advance(60_000);
    expect(world.store.getState().cache.unread.get('c1')).toBe(2);
    world.open('c1');
    await world.clock.advance(1_000);
    const messages = world.store.getState().cache.threads.get('c1')?.messages ?? [];
    expect(messages.find(({ id }) => id === newLineAfter(world))?.text).toBe('question');
  });

  test('is before what arrives while the thread is scrolled up, also when more arrives and once the end is seen', async () => {
    const world = syncWorld();
    world.service.addConversation('c1');
    world.service.say('c1', 'earlier');
    world.open('c1');
    await world.clock.advance(5_000);
    const scrollTo = (scroll: ScrollPlace) => world.store.setState(setScroll('c1', scroll));
    const arrive = async () => {
      world.service.say('c1', 'news');
      await world.clock.advance(120_000);
      return [world.store.getState().cache.unread.get('c1'), newLineAfter(world)];
    };
    scrollTo({ at: 'message', messageId: 'm1', line: 0 });
    expect(await arrive()).toEqual([1, 'm1']);
    expect(await arrive()).toEqual([2, 'm1']);
    scrollTo({ at: 'bottom' });
    world.engine.markReadToEnd('c1');
    expect(await arrive()).toEqual([undefined, 'm1']);
    scrollTo({ at: 'message', messageId: 'm1', line: 0 });
    expect(await arrive()).toEqual([1, 'm4']);
  });

  test('is before what the first reading after the opening returns, and not before what comes later', async () => {
    const world = syncWorld();
    for (const id of ['c1', 'c2']) world.service.addConversation(id);
    const last = world.service.say('c1', 'earlier');
    world.open('c1');
    await world.clock.advance(20_000);
    world.open('c2');
    await world.clock.advance(100);
    world.service.say('c1', 'news');
    world.open('c1');
    await world.clock.advance(1_000);
    expect(newLineAfter(world)).toBe(last.id);
    world.open('c2');
    await world.clock.advance(20_000);
    world.open('c1');
    await world.clock.advance(1_000);
    world.service.say('c1', 'while it is looked at');
    await world.clock.advance(20_000);
    expect(world.texts()).toContain('while it is looked at');
    expect(newLineAfter(world)).toBeNull();
  });
});

describe('marking as read', () => {
  test('an unknown conversation is read first and marked then, so that unread has a beginning', async () => {
    const world = syncWorld({ revealReading: true });
    world.service.addConversation('c1');
    world.service.say('c1', 'mine', me);
    world.service.say('c1', 'news');
    world.open('c1');
    await world.clock.advance(1_000);
    const asked = world.service.requests.filter((request) => /^(listMessages|retrieveConversation)/.test(request));
    expect(asked.findIndex((one) => one.startsWith('listMessages'))).toBe(0);
    expect(asked.filter((one) => one.startsWith('retrieveConversation'))).toHaveLength(1);
    expect(world.store.getState().cache.threads.get('c1')?.newLineAfter).toBe('m1');
  });

  async function unread(options: WorldOptions) {
    const world = syncWorld(options);
    world.service.addConversation('c1');
    world.service.addConversation('c2');
    world.service.say('c1', 'earlier');
    await world.clock.advance(100);
    world.service.say('c1', 'news');
    await world.clock.advance(20_000);
    expect(world.store.getState().cache.unread.get('c1')).toBeGreaterThan(0);
    return world;
  }
  const retrieved = (world: ReturnType<typeof syncWorld>) =>
    world.service.requests.filter((request) => request.startsWith('retrieveConversation'));

  test("a peek changes neither the server's read state nor the read line, however long it lasts", async () => {
    const world = await unread({ revealReading: true });
    const before = line(world);
    world.store.setState(peekInView('c1'));
    world.engine.openConversation('c1', { isPeek: true });
    await world.clock.advance(60_000);
    world.service.say('c1', 'more');
    await world.clock.advance(60_000);
    expect(world.texts()).toContain('more');
    expect(line(world)).toBe(before);
    expect(world.store.getState().cache.unread.get('c1')).toBeGreaterThan(1);
    expect(retrieved(world)).toEqual([]);
  });

  test('opening changes both, or only the read line when reading is not revealed', async () => {
    for (const revealReading of [true, false]) {
      const world = await unread({ revealReading });
      world.open('c1');
      await world.clock.advance(5_000);
      expect(world.store.getState().cache.unread.has('c1')).toBe(false);
      expect(retrieved(world).length > 0).toBe(revealReading);
    }
  });

  const up = { at: 'message', messageId: 'm1', line: 0 } as const;
  const count = (world: ReturnType<typeof syncWorld>) => world.store.getState().cache.unread.get('c1');

  test('a thread that opens above its end is read, here and on the server, once its end is in sight', async () => {
    for (const revealReading of [true, false]) {
      const world = await unread({ revealReading, openingPlace: () => up });
      const before = line(world);
      world.open('c1');
      await world.clock.advance(5_000);
      expect(world.store.getState().view.places.get('c1')?.scroll).toBe(up);
      expect([line(world), count(world)]).toEqual([before, 2]);
      expect(retrieved(world)).toEqual([]);
      world.engine.markReadToEnd('c1');
      await world.clock.advance(1_000);
      expect([line(world), count(world)]).toEqual(['m2', undefined]);
      expect(retrieved(world)).toHaveLength(revealReading ? 1 : 0);
      world.engine.markReadToEnd('c1');
      await world.clock.advance(1_000);
      expect(retrieved(world)).toHaveLength(revealReading ? 1 : 0);
    }
  });

  test('a position that was kept stays, and nothing is marked as read there', async () => {
    const world = await unread({ revealReading: true });
    world.store.setState(setScroll('c1', up));
    world.open('c1');
    await world.clock.advance(5_000);
    expect(world.store.getState().view.places.get('c1')?.scroll).toBe(up);
    expect([count(world), retrieved(world)]).toEqual([2, []]);
  });

  test('messages of the first reading are scrolled to as well, and are not read before they are in sight', async () => {
    const world = syncWorld({
      revealReading: true,
      openingPlace: ({ cache }) => ((cache.threads.get('c1')?.messages.length ?? 0) < 3 ? null : up),
    });
    world.service.addConversation('c1');
    world.service.say('c1', 'mine', me);
    for (const text of ['news', 'more']) world.service.say('c1', text);
    world.open('c1');
    await world.clock.advance(5_000);
    expect(world.store.getState().view.places.get('c1')?.scroll).toBe(up);
    expect([newLineAfter(world), count(world), retrieved(world)]).toEqual(['m1', 2, []]);
  });

  test('a conversation that is open at its end stays there when it is opened again', async () => {
    let asked = 0;
    const openingPlace = (): null => {
      asked += 1;
      return null;
    };
    const world = await unread({ openingPlace });
    world.open('c1');
    await world.clock.advance(5_000);
    const before = asked;
    expect(before).toBeGreaterThan(0);
    world.open('c1');
    expect(asked).toBe(before);
  });

  test('a jump to a message marks nothing as read before the message is scrolled to', async () => {
    const world = await unread({ revealReading: true });
    world.store.setState(openInView('c1'));
    world.engine.openConversation('c1', { isJump: true });
    world.store.setState(setScroll('c1', up));
    await world.clock.advance(5_000);
    expect([count(world), retrieved(world)]).toEqual([2, []]);
  });

  test('a message that arrives in sight is reported to the server as read, if the user allows', async () => {
    for (const revealReading of [true, false]) {
      const world = await unread({ revealReading });
      world.open('c1');
      await world.clock.advance(5_000);
      world.service.requests.length = 0;
      world.service.say('c1', 'in sight');
      await world.clock.advance(10_000);
      expect([count(world), retrieved(world).length]).toEqual([undefined, revealReading ? 1 : 0]);
    }
  });

  test('what is read while the server cannot be reached is reported once it can', async () => {
    const world = await unread({ revealReading: true });
    world.service.fault = () => ({ applies: false, error: apiFault('network', 'not-applied') });
    world.open('c1');
    await world.clock.advance(5_000);
    expect(count(world)).toBeUndefined();
    world.service.fault = () => null;
    world.service.requests.length = 0;
    await world.clock.advance(120_000);
    expect(retrieved(world)).toHaveLength(1);
  });

  test('a message that arrives in sight is reported also if the messages before it cannot be read', async () => {
    const world = await unread({ revealReading: true });
    world.open('c1');
    await world.clock.advance(5_000);
    world.service.requests.length = 0;
    let failures = 1;
    world.service.fault = (operation) =>
      operation === 'olderMessages' && failures-- > 0
        ? { applies: false, error: apiFault('server', 'not-applied', { status: 500 }) }
        : null;
    for (let number = 1; number <= 55; number += 1) world.service.say('c1', `news ${number}`);
    await world.clock.advance(120_000);
    expect([count(world), failures < 1, retrieved(world).length]).toEqual([undefined, true, 1]);
  });

  describe('messages that arrive at the end of the open conversation while nobody can see them', () => {
    async function reading(options: WorldOptions = {}) {
      const world = syncWorld({ revealReading: true, ...options });
      world.service.addConversation('c1');
      world.service.say('c1', 'earlier');
      world.open('c1');
      await world.clock.advance(5_000);
      world.service.requests.length = 0;
      return world;
    }
    const arrive = async (world: ReturnType<typeof syncWorld>): Promise<void> => {
      world.service.say('c1', 'news');
      await world.clock.advance(120_000);
      expect(world.texts()).toEqual(['earlier', 'news']);
    };
    const narrow = setSize({ columns: 60, rows: 24 });

    test('are not reported as read where they are the first ones of the conversation', async () => {
      const world = syncWorld({ revealReading: true });
      world.service.addConversation('c1');
      world.open('c1');
      await world.clock.advance(5_000);
      world.engine.setFocused(false);
      world.service.say('c1', 'hello');
      await world.clock.advance(120_000);
      expect([world.texts(), count(world), retrieved(world)]).toEqual([['hello'], 1, []]);
    });

    test('are unread after the "new" line until the terminal has the focus again', async () => {
      const world = await reading();
      world.engine.setFocused(false);
      await arrive(world);
      expect([count(world), newLineAfter(world), retrieved(world)]).toEqual([1, 'm1', []]);
      world.engine.setFocused(true);
      expect([count(world), line(world), newLineAfter(world)]).toEqual([undefined, 'm2', 'm1']);
      await world.clock.advance(1_000);
      expect(retrieved(world)).toHaveLength(1);
    });

    test('are unread while a narrow screen shows the list, until it shows the thread', async () => {
      const world = await reading();
      world.store.setState((state) => setFocus('list')(narrow(state)));
      await arrive(world);
      expect([count(world), retrieved(world)]).toEqual([1, []]);
      world.store.setState(setFocus('composer'));
      await world.clock.advance(1_000);
      expect([count(world), line(world)]).toEqual([undefined, 'm2']);
    });

    test('are scrolled to where unread begins when they do not fit, and stay unread there', async () => {
      const world = await reading({
        openingPlace: ({ cache }) => (cache.threads.get('c1')?.messages.length === 2 ? up : null),
      });
      world.engine.setFocused(false);
      await arrive(world);
      expect(world.store.getState().view.places.get('c1')?.scroll).toBe(up);
      world.engine.setFocused(true);
      await world.clock.advance(60_000);
      expect([count(world), retrieved(world)]).toEqual([1, []]);
    });

    test('are scrolled to where unread begins when the screen has become too small for them', async () => {
      let fits = true;
      const world = await reading({ openingPlace: () => (fits ? null : up) });
      world.engine.setFocused(false);
      await arrive(world);
      fits = false;
      world.engine.setFocused(true);
      await world.clock.advance(1_000);
      expect(world.store.getState().view.places.get('c1')?.scroll).toBe(up);
      expect([count(world), retrieved(world)]).toEqual([1, []]);
    });

    test('are added to what the user has marked as unread, also in sight', async () => {
      const world = await reading();
      world.store.setState(markUnread('c1'));
      await arrive(world);
      expect([count(world), retrieved(world)]).toEqual([2, []]);
      world.open('c1');
      expect(count(world)).toBeUndefined();
    });

    test('do not mark a conversation as read that the user has marked as unread', async () => {
      const world = await reading();
      world.store.setState(markUnread('c1'));
      world.engine.setFocused(false);
      const earlier = world.service.messages.get('m1');
      if (earlier !== undefined) world.service.messages.set('m1', { ...earlier, text: 'edited' });
      await world.clock.advance(120_000);
      expect(world.texts()).toEqual(['edited']);
      world.engine.setFocused(true);
      await world.clock.advance(1_000);
      expect(count(world)).toBe(1);
    });
  });

  test('a conversation that is opened on a screen on which nothing is drawn is read once the screen has grown', async () => {
    const world = await unread({ revealReading: true });
    world.store.setState((state) => setFocus('composer')(setSize({ columns: 30, rows: 8 })(state)));
    world.open('c1');
    await world.clock.advance(5_000);
    expect([count(world), retrieved(world)]).toEqual([2, []]);
    world.store.setState(setSize({ columns: 100, rows: 30 }));
    await world.clock.advance(1_000);
    expect(count(world)).toBeUndefined();
    expect(retrieved(world)).toHaveLength(1);
  });

  test('an unknown conversation is not marked as read on the server while nobody sees its first page', async () => {
    const world = syncWorld({ revealReading: true });
    world.service.addConversation('c1');
    world.service.say('c1', 'mine', me);
    world.service.say('c1', 'news');
    world.open('c1');
    world.engine.setFocused(false);
    await world.clock.advance(5_000);
    expect([count(world), retrieved(world)]).toEqual([1, []]);
    world.engine.setFocused(true);
    await world.clock.advance(1_000);
    expect(count(world)).toBeUndefined();
    expect(retrieved(world)).toHaveLength(1);
  });

  test('a conversation that the user marks as unread at its end stays unread, whatever a reading returns', async () => {
    const world = await unread({ revealReading: true });
    world.open('c1');
    await world.clock.advance(5_000);
    world.store.setState(markUnread('c1'));
    const earlier = world.service.messages.get('m1');
    if (earlier !== undefined) world.service.messages.set('m1', { ...earlier, text: 'edited' });
    await world.clock.advance(60_000);
    expect(world.texts()).toContain('edited');
    expect(count(world)).toBe(1);
    world.service.say('c1', 'more');
    await world.clock.advance(60_000);
    expect(count(world)).toBe(2);
  });
});

describe('while a page is on its way', () => {
  /** The next page of `c1` waits until the returned function is called. */
  function holdPage({ service }: ReturnType<typeof syncWorld>): () => void {
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    service.hold = (operation, subject) => (operation === 'listMessages' && subject === 'c1' ? held : null);
    return () => {
      service.hold = () => null;
      release();
    };
  }
  const up = { at: 'message', messageId: 'm2', line: 0 } as const;

  test('a conversation that is opened then begins where unread begins, though the page was requested before', async () => {
    const world = syncWorld({ openingPlace: ({ cache }) => (cache.unread.has('c1') ? up : null) });
    for (const id of ['c1', 'c2']) world.service.addConversation(id);
    world.service.say('c1', 'earlier', me);
    world.open('c2');
    await world.clock.advance(20_000);
    for (const text of ['news', 'more']) world.service.say('c1', text);
    const release = holdPage(world);
    await world.clock.advance(60_000);
    world.open('c1');
    await world.clock.advance(100);
    expect(world.texts()).toEqual(['earlier']);
    release();
    await world.clock.advance(5_000);
    const { cache, view } = world.store.getState();
    expect([view.places.get('c1')?.scroll, cache.unread.get('c1'), newLineAfter(world)]).toEqual([up, 2, 'm1']);
  });

  test.each([true, false])(
    'its messages are read if the terminal has the focus when they come: %s',
    async (isFocused) => {
      const world = syncWorld();
      world.service.addConversation('c1');
      world.service.say('c1', 'earlier');
      world.open('c1');
      await world.clock.advance(5_000);
      world.engine.setFocused(!isFocused);
      const release = holdPage(world);
      world.service.say('c1', 'news');
      await world.clock.advance(120_000);
      expect(world.texts()).toEqual(['earlier']);
      world.engine.setFocused(isFocused);
      release();
      await world.clock.advance(100);
      expect(world.texts()).toEqual(['earlier', 'news']);
      expect(world.store.getState().cache.unread.has('c1')).toBe(!isFocused);
    },
  );
});

test('a conversation is marked as unread before the last message of others, also if that is not in memory', async () => {
  const world = syncWorld();
  for (const id of ['c1', 'c2']) world.service.addConversation(id);
  world.service.say('c1', 'earlier');
  world.service.say('c1', 'question');
  world.service.say('c1', 'answer', me);
  await world.clock.advance(60_000);
  world.open('c2');
  const unread = () => world.store.getState().cache.unread.get('c1');
  expect([unread(), world.store.getState().cache.threads.has('c1')]).toEqual([undefined, false]);
  world.engine.markUnread('c1');
  expect([unread(), line(world)]).toEqual([1, 'm1']);
  world.service.say('c1', 'another question');
  await world.clock.advance(60_000);
  expect(unread()).toBe(2);
});

test('a lagging copy in a retrieval does not undo a setting', async () => {
  const world = syncWorld({ revealReading: true });
  for (const id of ['c1', 'c2']) world.service.addConversation(id);
  await world.clock.advance(5_000);
  world.service.say('c1', 'hello');
  const isMuted = () => world.store.getState().cache.conversations.get('c1')?.isMuted;
  const unmuted = world.service.conversations.get('c1');
  world.engine.enqueue({ kind: 'conversation.mute', conversationId: 'c1', value: true });
  await world.clock.advance(5_000);
  const muted = world.service.conversations.get('c1');
  await world.clock.advance(20_000);
  if (unmuted === undefined || muted === undefined) throw new Error('c1 is not there');
  expect([isMuted(), muted.isMuted]).toEqual([true, true]);

  let retrievals = 0;
  world.service.fault = (operation, subject) => {
    if (operation !== 'retrieveConversation' || subject !== 'c1') return null;
    retrievals += 1;
    world.service.conversations.set('c1', unmuted);
    return null;
  };
  world.service.hold = async (operation) => {
    if (operation === 'retrieveConversation') world.service.conversations.set('c1', muted);
  };
  world.open('c2');
  await world.clock.advance(5_000);
  world.open('c1');
  await world.clock.advance(5_000);
  expect([retrievals, isMuted()]).toEqual([1, true]);
});

test('six windows stay in memory, those of the most recently left conversations', async () => {
  const world = syncWorld();
  for (let n = 1; n <= 7; n++) world.service.addConversation(`c${n}`);
  for (let n = 1; n <= 7; n++) world.service.say(`c${n}`, 'hello');
  await world.clock.advance(5_000);
  for (const id of ['c1', 'c2', 'c3', 'c4', 'c5', 'c6', 'c1', 'c7']) {
    world.store.setState(openInView(id));
    world.engine.openConversation(id);
    await world.clock.advance(1_000);
  }
  expect([...world.store.getState().cache.threads.keys()].sort()).toEqual(['c1', 'c3', 'c4', 'c5', 'c6', 'c7']);
});

test('an opening that runs into a timeout is reported again', async () => {
  const world = syncWorld({ revealReading: true });
  world.service.addConversation('c1');
  world.service.say('c1', 'earlier');
  await world.clock.advance(5_000);
  const reports = () => world.service.requests.filter((request) => request === 'retrieveConversation c1').length;
  world.service.fault = (operation) =>
    operation === 'retrieveConversation' ? { applies: false, error: apiFault('timeout', 'ambiguous') } : null;
  world.open('c1');
  await world.clock.advance(1_000);
  expect(reports()).toBe(1);
  world.service.fault = () => null;
  await world.clock.advance(60_000);
  expect(reports()).toBe(2);
});
