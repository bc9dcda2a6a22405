/** Two programs of one profile: what one writes the other sends and shows; see `test/support/two-programs`. */
import { describe, expect, test } from 'vitest';
import { setText, undo } from '../../../src/state/composer/draft.ts';
import { killToStart } from '../../../src/state/composer/draft-edit.ts';
import { draftOf, startEditing, updateDraft } from '../../../src/state/composer/drafts.ts';
import { markUnread } from '../../../src/state/local/read-lines.ts';
import type { OpAction } from '../../../src/state/model/op.ts';
import { openOutbox } from '../../../src/storage/outbox/open.ts';
import { apiFault } from '../../support/servers/fake-service.ts';
import { bothWriting, twoPrograms } from '../../support/worlds/two-programs.ts';

describe('two programs of one profile', () => {
  test('show and send what the second one writes through the first, once', async () => {
    const { clock, service, first, second } = await twoPrograms();
    second.send('from the second');
    expect(second.states()).toEqual(['queued']);
    first.engine.refreshOutbox();
    expect(first.states()).toEqual(['queued']);
    await clock.advance(2_000);
    expect(service.postsOf('from the second')).toBe(1);
    second.engine.refreshOutbox();
    expect(first.states()).toEqual([]);
    expect(second.states()).toEqual([]);
  });

  test.each([true, false])(
    'say why nothing leaves while the sending one hangs, with its process id (stopped: %s)',
    async (isReported) => {
      const { clock, service, first, second } = await twoPrograms();
      const said = (): readonly string[] =>
        second.store.getState().screen.notices.flatMap(({ about, text }) => (about === 'sender waits' ? [text] : []));
      await clock.advance(30_000);
      expect(second.store.getState().view.otherSender).toEqual({ pid: 4321, isStopped: false });
      expect(said()).toEqual([]);
      first.stop(isReported);
      second.send('waiting');
      second.engine.refreshOutbox();
      expect(said()).toHaveLength(isReported ? 1 : 0);
      await clock.advance(61_000);
      expect(said()).toEqual([expect.stringContaining('process 4321')]);
      expect(said()[0]?.includes('is stopped')).toBe(isReported);
      expect(service.postsOf('waiting')).toBe(0);
      first.die();
      await clock.advance(61_000);
      expect(said()).toEqual([]);
      expect(second.store.getState().view.otherSender).toBeNull();
      expect(service.postsOf('waiting')).toBe(1);
    },
  );

  test('do not blame the sending one for what waits for another reason', async () => {
    const { clock, service, first, second } = await twoPrograms();
    const isSaid = (): boolean => second.store.getState().screen.notices.some(({ about }) => about === 'sender waits');
    service.fault = (operation) =>
      operation === 'sendMessage' ? { applies: false, error: apiFault('timeout', 'ambiguous') } : null;
    first.send('unsure');
    await clock.advance(5_000);
    second.send('behind it');
    await clock.advance(90_000);
    expect(second.states()).toEqual(['unsure', 'queued']);
    expect(isSaid()).toBe(false);
  });

  test('show no message that the other one has deleted, while lists still have it', async () => {
    const { clock, service, first, second, exchange } = await twoPrograms();
    for (const program of [first, second]) program.open('c1');
    await clock.advance(5_000);
    const shown = () =>
      second.store
        .getState()
        .cache.threads.get('c1')
        ?.messages.map(({ text }) => text);
    expect(shown()).toEqual(['earlier']);
    const [message] = service.messages.values();
    if (message === undefined) throw new Error('no message');
    const { id: messageId, createdAt } = message;
    second.engine.enqueue({
      kind: 'message.delete',
      conversationId: 'c1',
      messageId,
      ...(createdAt !== null && { createdAt }),
    });
    first.engine.refreshOutbox();
    await clock.advance(100);
    expect(service.messages.has(messageId)).toBe(false);
    // The lists of a replica that lags.
    service.messages.set(messageId, message);
    await exchange();
    await clock.advance(60_000);
    expect(shown()).toEqual([]);
  });

  test('send first what the other one entered first, even if the sender has not noticed it yet', async () => {
    const { clock, service, first, second } = await twoPrograms();
    second.send('one');
    first.send('two');
    second.send('three');
    await clock.advance(10_000);
    expect([...service.messages.values()].map(({ text }) => text)).toEqual(['earlier', 'one', 'two', 'three']);
    expect(first.states()).toEqual([]);
  });

  test('ask the server at once for what the other one has queued, however long they would still wait after an outage', async () => {
    const { clock, service, first, second } = await twoPrograms();
    service.fault = () => ({ applies: false, error: apiFault('network', 'not-applied') });
    await clock.advance(400_000);
    service.fault = () => null;
    second.send('now');
    first.engine.refreshOutbox();
    await clock.advance(2_000);
    expect(service.copiesOf('now')).toBe(1);
    // Of a server that is still away, it asks no oftener than any program may.
    service.fault = () => ({ applies: false, error: apiFault('network', 'not-applied') });
    await clock.advance(400_000);
    const before = service.requests.length;
    for (let count = 0; count < 30; count++) {
      second.send(`again ${count}`);
      first.engine.refreshOutbox();
      await clock.advance(1_000);
    }
    expect(service.requests.length - before).toBeLessThanOrEqual(12);
  });

  test('have the last version of a draft, whichever wrote it', async () => {
    const { clock, service, first, second } = await twoPrograms();
    second.engine.enqueue({ kind: 'conversation.mute', conversationId: 'c1', value: true });
    first.engine.enqueue({ kind: 'conversation.mute', conversationId: 'c1', value: false });
    await clock.advance(10_000);
    expect(service.conversations.get('c1')?.isMuted).toBe(false);
    expect(first.states()).toEqual([]);
  });

  test('take over a change with the next poll if the file system reports none', async () => {
    const { clock, service, second } = await twoPrograms();
    second.send('hi');
    await clock.advance(70_000);
    expect(service.copiesOf('hi')).toBe(1);
    expect(second.states()).toEqual([]);
  });

  test('have the same state of a message, and only the sender decides it', async () => {
    const { clock, service, first, second } = await twoPrograms();
    second.open('c1');
    service.fault = (operation) =>
      operation === 'sendMessage' ? { applies: false, error: apiFault('timeout', 'ambiguous') } : null;
    first.send('lost');
    await clock.advance(60_000);
    second.engine.refreshOutbox();
    expect(first.states()).toEqual(['unsure']);
    expect(second.store.getState().local.outbox).toEqual(first.store.getState().local.outbox);
    const scans = first.store.getState().local.outbox[0]?.scans ?? 0;
    second.engine.pollNow();
    await clock.advance(100);
    expect(first.outbox.load().outbox[0]?.scans).toBe(scans);
    second.engine.discard(first.store.getState().local.outbox[0]?.uuid ?? '');
    first.engine.refreshOutbox();
    expect(first.states()).toEqual([]);
  });

  test('read at once what the other one has sent, so that an edit, a deletion or a pin does not seem undone until the next poll', async () => {
    const { clock, service, first, second } = await twoPrograms();
    second.open('c1');
    first.send('helo');
    await clock.advance(600_000);
    const texts = () =>
      second.store
        .getState()
        .cache.threads.get('c1')
        ?.messages.map(({ text }) => text);
    const messageId = [...service.messages.values()].find(({ text }) => text === 'helo')?.id ?? '';
    const done = async (action: OpAction): Promise<void> => {
      second.engine.enqueue(action);
      first.engine.refreshOutbox();
      await clock.advance(100);
      second.engine.refreshOutbox();
      expect(second.states()).toEqual([]);
      await clock.advance(100);
    };
    await done({ kind: 'message.edit', conversationId: 'c1', messageId, base: 'helo', text: 'hello' });
    expect(texts()).toEqual(['earlier', 'hello']);
    await done({ kind: 'message.delete', conversationId: 'c1', messageId });
    expect(texts()).toEqual(['earlier']);
    await done({ kind: 'conversation.pin', conversationId: 'c2', value: true });
    expect(second.store.getState().cache.conversations.get('c2')?.isPinned).toBe(true);
  });

  test('do not send what the other one has taken back, even before noticing it', async () => {
    const { clock, service, first, second } = await twoPrograms();
    service.fault = (operation) =>
      operation === 'sendMessage' ? { applies: false, error: apiFault('network', 'not-applied') } : null;
    first.send('regretted');
    await clock.advance(100);
    second.engine.refreshOutbox();
    const posts = service.postsOf('regretted');
    expect(second.engine.discard(second.store.getState().local.outbox[0]?.uuid ?? '')).toBe(true);
    service.fault = () => null;
    first.engine.pollNow();
    await clock.advance(3_000);
    expect(service.postsOf('regretted')).toBe(posts);
    expect(first.states()).toEqual([]);
    expect(first.store.getState().screen.notices.filter(({ tone }) => tone === 'error')).toEqual([]);
  });

  test('cannot take back a message that the other one is sending', async () => {
    const { clock, service, first, second } = await twoPrograms();
    // The pages of the start are read again after a second, and then the outbox is looked at.
    await clock.advance(2_000);
    let answer = (): void => undefined;
    service.hold = (operation) =>
      operation === 'sendMessage' ? new Promise((resolve) => (answer = () => resolve())) : null;
    first.send('on its way');
    second.engine.refreshOutbox();
    await clock.advance(100);
    const uuid = second.store.getState().local.outbox[0]?.uuid ?? '';
    expect(second.states()).toEqual(['queued']);
    expect(second.engine.discard(uuid)).toBe(false);
    expect(second.states()).toEqual(['sending']);
    answer();
    await clock.advance(100);
    expect(service.copiesOf('on its way')).toBe(1);
    expect(first.states()).toEqual([]);
  });

  test('let the other one take over, search the history and report when the sender dies in the middle of a send', async () => {
    const { clock, service, first, second } = await twoPrograms();
    service.hold = (operation) => (operation === 'sendMessage' ? new Promise(() => undefined) : null);
    first.send('half way');
    await clock.advance(100);
    first.die();
    service.hold = () => null;
    second.send('after it');
    await clock.advance(35_000);
    expect(second.store.getState().local.outbox[0]).toMatchObject({ state: 'unsure' });
    expect(second.states()).toEqual(['unsure', 'queued']);
    expect(service.postsOf('half way')).toBe(1);
    expect(second.engine.discard(second.store.getState().local.outbox[0]?.uuid ?? '')).toBe(true);
    await clock.advance(10_000);
    expect(service.copiesOf('after it')).toBe(1);
  });

  test('let the other one carry out the change when the sender dies in the middle of it', async () => {
    const { clock, service, first, second } = await twoPrograms();
    await clock.advance(2_000);
    service.hold = (operation) => (operation === 'updateConversation' ? new Promise(() => undefined) : null);
    first.engine.enqueue({ kind: 'conversation.mute', conversationId: 'c1', value: true });
    await clock.advance(100);
    second.engine.refreshOutbox();
    expect(second.states()).toEqual(['sending']);
    first.die();
    service.hold = () => null;
    await clock.advance(70_000);
    expect(service.conversations.get('c1')?.isMuted).toBe(true);
    expect(second.states()).toEqual([]);
  });

  test('show when the sender role is taken over', async () => {
    const { clock, first, second } = await twoPrograms();
    const said = new Set<string>();
    second.store.subscribe(({ screen }) => {
      for (const { text } of screen.notices) said.add(text);
    });
    first.die();
    await clock.advance(35_000);
    expect([...said].join()).toContain('this one sends now');
  });

  test('share read lines, names and the identity of the user', async () => {
    const { clock, first, second } = await twoPrograms();
    first.open('c1');
    await clock.advance(100);
    first.send('hello');
    await clock.advance(3_000);
    first.store.setState(markUnread('c1'));
    // Written after the frame.
    await clock.advance(100);
    second.engine.refreshOutbox();
    expect(second.store.getState().local.me).toEqual(first.store.getState().local.me);
    expect(second.store.getState().local.readLines).toEqual(first.store.getState().local.readLines);
    expect(second.store.getState().local.opened).toBe(null);
  });
});

describe('drafts in two programs', () => {
  test('that belong to a conversation given to somebody else are set aside once', async () => {
    const { clock, service, first, second } = await twoPrograms();
    second.open('c1');
    second.type('c1', 'for Ann only');
    await clock.advance(600);
    first.engine.refreshOutbox();
    service.addConversation('c1', { contactId: 'zed' });
    await clock.advance(70_000);
    for (const { store } of [first, second]) expect(draftOf(store.getState(), 'c1').text).toBe('');
    expect(first.outbox.load().outbox).toMatchObject([{ state: 'failed', action: { text: 'for Ann only' } }]);
    expect(first.outbox.load().drafts.size).toBe(0);
  });

  test('that belong to a conversation given to somebody else are set aside by the program that notices it, open there or not', async () => {
    const { clock, service, first, second } = await twoPrograms();
    first.type('c1', 'for Ann only');
    await clock.advance(600);
    second.engine.refreshOutbox();
    first.stop(true);
    service.addConversation('c1', { contactId: 'zed' });
    await clock.advance(70_000);
    expect(second.outbox.load().outbox).toMatchObject([{ state: 'failed', action: { text: 'for Ann only' } }]);
    expect(second.outbox.load().drafts.size).toBe(0);
  });

  test('that are not changed here follow the other program', async () => {
    const { clock, first, second } = await twoPrograms();
    first.open('c1');
    first.type('c1', 'a long story');
    await clock.advance(600);
    second.engine.refreshOutbox();
    expect(draftOf(second.store.getState(), 'c1').text).toBe('a long story');
    second.open('c1');
    first.send('a long story');
    second.engine.refreshOutbox();
    expect(draftOf(second.store.getState(), 'c1').text).toBe('');
  });

  test('keep what was cut, and what can be undone, when the other program writes something else', async () => {
    const { clock, first, second } = await twoPrograms();
    first.open('c1');
    first.type('c1', 'put aside');
    first.store.setState(updateDraft('c1', killToStart));
    await clock.advance(600);
    first.open('c2');
    for (const value of [true, false]) {
      second.engine.enqueue({ kind: 'conversation.mute', conversationId: 'c2', value });
      first.engine.refreshOutbox();
      await clock.advance(600);
    }
    const draft = draftOf(first.store.getState(), 'c1');
    expect([draft.kill, undo(draft).text]).toEqual(['put aside', 'put aside']);
  });

  test('that are taken over are not written back', async () => {
    const { clock, first, second } = await twoPrograms();
    first.type('c1', 'once');
    await clock.advance(600);
    first.engine.refreshOutbox();
    second.engine.refreshOutbox();
    await clock.advance(600);
    expect(first.outbox.hasForeignChanges()).toBe(false);
  });

  test('that are being typed are not replaced, and neither text is lost', async () => {
    const { clock, first, second, draftOnDisk } = await twoPrograms();
    first.open('c1');
    second.open('c1');
    second.type('c1', 'theirs');
    first.type('c1', 'mine');
    await clock.advance(600);
    first.engine.refreshOutbox();
    second.engine.refreshOutbox();
    expect(draftOf(first.store.getState(), 'c1').text).toBe('mine');
    expect(draftOf(second.store.getState(), 'c1').text).toBe('mine\ntheirs');
    const notified = [first, second].filter(({ store }) =>
      store.getState().screen.notices.some(({ text }) => text.endsWith('too; Alt-y puts its text here.')),
    );
    expect(notified.length).toBeGreaterThan(0);
    await first.engine.stop();
    await second.engine.stop();
    const kept = draftOnDisk() ?? '';
    expect(kept).toContain('mine');
    expect(kept).toContain('theirs');
  });

  test('keep the text of both, each once, after a signal, which leaves no time to stop', async () => {
    const { clock, first, second, draftOnDisk } = await twoPrograms();
    first.open('c1');
    second.type('c1', 'theirs');
    await clock.advance(600);
    first.type('c1', 'mine');
    first.engine.refreshOutbox();
    first.engine.flush();
    expect(draftOnDisk()).toBe('mine\ntheirs');
    second.engine.refreshOutbox();
    await clock.advance(600);
    await first.engine.stop();
    expect(draftOnDisk()).toBe('mine\ntheirs');
  });

  test('keep the text of both where one saves between the look of the other at the disk and its writing', async () => {
    const { first, second, draftOnDisk, exchange } = await twoPrograms();
    for (const program of [first, second]) program.open('c1');
    first.type('c1', 'a0 a1');
    second.type('c1', 'b0 b1');
    const { saveRecords } = second.outbox;
    second.outbox.saveRecords = (changes, ifCurrent) => {
      const isOfDrafts = changes.some(([kind]) => kind === 'drafts');
      if (isOfDrafts) second.outbox.saveRecords = saveRecords;
      if (isOfDrafts) first.engine.flush();
      return saveRecords.call(second.outbox, changes, ifCurrent);
    };
    second.engine.flush();
    expect(draftOnDisk()?.split('\n').toSorted()).toEqual(['a0 a1', 'b0 b1']);
    await exchange();
    expect(draftOnDisk()?.split('\n').toSorted()).toEqual(['a0 a1', 'b0 b1']);
  });

  test('what both have written is kept once, when one has ended and then the other', async () => {
    const { clock, first, second, draftOnDisk } = await bothWriting('first');
    await first.engine.stop();
    expect(draftOnDisk()).toBe('theirs\nmine');
    second.engine.refreshOutbox();
    await clock.advance(600);
    second.type('c1', ' and more');
    await second.engine.stop();
    expect(draftOnDisk()).toBe('theirs and more\nmine');
  });

  test('it stays on disk beside another one where all that was written was erased', async () => {
    const { clock, first, second, draftOnDisk } = await twoPrograms();
    first.open('c1');
    second.open('c1');
    second.type('c1', 'theirs');
    await clock.advance(600);
    second.store.setState(updateDraft('c1', (draft) => setText(draft, '')));
    await clock.advance(600);
    first.engine.refreshOutbox();
    first.type('c1', 'mine');
    await clock.advance(600);
    second.engine.refreshOutbox();
    await clock.advance(600);
    first.die();
    expect(draftOnDisk()).toBe('mine');
  });

  test('it is on disk again after the other one has sent from the same conversation', async () => {
    const { clock, first, second, draftOnDisk } = await bothWriting('first');
    second.send('theirs');
    first.engine.refreshOutbox();
    await clock.advance(600);
    first.die();
    expect(draftOnDisk()).toBe('mine');
  });

  test.each([0, 450])('what the other one has sent does not come back at the end of this one (%i ms)', async (ms) => {
    const { clock, first, second, exchange, draftOnDisk } = await bothWriting('first');
    second.send('theirs');
    first.engine.refreshOutbox();
    await clock.advance(ms);
    await exchange();
    first.send('mine');
    await exchange();
    await second.engine.stop();
    await first.engine.stop();
    expect(draftOnDisk()).toBeUndefined();
  });

  test.each([0, 450, 1000])(
    'it stays after the other one has sent its own, also in a conversation that is not open any more (%i ms)',
    async (ms) => {
      const { clock, first, second, exchange, draftOnDisk } = await bothWriting('second');
      second.open('c2');
      await exchange();
      expect(first.sendDraft('c1')).toBe(true);
      if (ms < 1000) second.engine.refreshOutbox();
      await clock.advance(ms);
      await exchange();
      expect(second.store.getState().local.drafts.get('c1')?.text).toBe('theirs');
      await second.engine.stop();
      await first.engine.stop();
      expect(draftOnDisk()).toBe('theirs');
    },
  );

  test('it stays after the other one has sent its own and goes on writing', async () => {
    const { clock, first, second, draftOnDisk } = await bothWriting('second');
    second.open('c2');
    first.sendDraft('c1');
    first.type('c1', 'next');
    await clock.advance(600);
    second.engine.refreshOutbox();
    await clock.advance(600);
    await second.engine.stop();
    await first.engine.stop();
    expect(draftOnDisk()).toBe('next\ntheirs');
  });

  test('follow the chat in which the text is finished and sent, also where it was begun and is still open', async () => {
    const { clock, first, second, exchange, draftOnDisk } = await twoPrograms();
    first.open('c1');
    first.type('c1', 'cut');
    first.store.setState(updateDraft('c1', killToStart));
    first.type('c1', 'half');
    await clock.advance(600);
    second.open('c1');
    second.engine.refreshOutbox();
    second.type('c1', ' and the rest');
    await exchange();
    expect(draftOf(first.store.getState(), 'c1').text).toBe('half and the rest');
    expect(second.sendDraft('c1')).toBe(true);
    await exchange();
    for (const { store } of [first, second]) expect(draftOf(store.getState(), 'c1').text).toBe('');
    expect(draftOf(first.store.getState(), 'c1').kill).toBe('cut');
    await first.engine.stop();
    await second.engine.stop();
    expect(draftOnDisk()).toBeUndefined();
  });

  test('are not sent from this chat by an Enter that comes just after the other one has sent or changed them', async () => {
    const { clock, service, first, second, exchange } = await twoPrograms();
    for (const { open } of [first, second]) open('c1');
    first.type('c1', 'once');
    await exchange();
    expect(first.sendDraft('c1')).toBe(true);
    expect(second.sendDraft('c1')).toBe(false);
    expect(second.store.getState().screen.notices.at(-1)?.text).toMatch(/^Nothing was sent/);
    await clock.advance(2_000);
    expect(service.postsOf('once')).toBe(1);
    first.type('c1', 'more');
    await exchange();
    first.type('c1', ' words');
    await clock.advance(600);
    expect(second.sendDraft('c1')).toBe(false);
    expect(draftOf(second.store.getState(), 'c1').text).toBe('more words');
    first.attach('c1', 'photo.png');
    await clock.advance(600);
    expect(second.sendDraft('c1')).toBe(false);
    expect(second.sendDraft('c1')).toBe(true);
  });

  test('are sent once where this chat has typed on in them before it noticed that the other one sent them', async () => {
    const { service, first, second, exchange } = await twoPrograms();
    for (const { open } of [first, second]) open('c1');
    first.type('c1', 'once');
    await exchange();
    second.type('c1', ' more');
    expect(first.sendDraft('c1')).toBe(true);
    expect(second.sendDraft('c1')).toBe(false);
    expect(draftOf(second.store.getState(), 'c1')).toMatchObject({ text: 'more', cursor: 4 });
    expect(second.store.getState().screen.notices.map(({ text }) => text)).toContainEqual(
      expect.stringMatching(/^Another msg-tui has sent or erased what stood here before/),
    );
    second.type('c1', ' words');
    await exchange();
    expect(second.sendDraft('c1')).toBe(true);
    await exchange();
    expect([service.postsOf('once'), service.postsOf('more words')]).toEqual([1, 1]);
  });

  test('are not taken for those of another program where this one wrote them with a message', async () => {
    const { clock, service, first, second, exchange, draftOnDisk } = await twoPrograms();
    service.fault = () => ({ applies: false, error: apiFault('network', 'not-applied') });
    first.open('c1');
    const writeElsewhere = async (value: boolean): Promise<void> => {
      second.engine.enqueue({ kind: 'conversation.mute', conversationId: 'c2', value });
      first.engine.refreshOutbox();
      await clock.advance(100);
    };
    first.type('c1', 'no');
    await clock.advance(600);
    expect(first.sendDraft('c1')).toBe(true);
    first.type('c1', 'no, wait');
    await writeElsewhere(true);
    expect(draftOf(first.store.getState(), 'c1').text).toBe('no, wait');
    await clock.advance(600);
    const [sent] = first.store.getState().local.outbox.filter(({ action }) => action.kind === 'message.send');
    const draft = setText(draftOf(first.store.getState(), 'c1'), 'no');
    expect(first.engine.discard(sent?.uuid ?? '', { conversationId: 'c1', draft })).toBe(true);
    first.type('c1', ' more');
    await writeElsewhere(false);
    expect(first.store.getState().screen.notices.filter(({ about }) => about === 'draft c1')).toEqual([]);
    expect(first.sendDraft('c1')).toBe(true);
    await exchange();
    expect(draftOnDisk()).toBeUndefined();
  });

  test('what is erased after the other one has sent its own does not come back', async () => {
    const { clock, first, second, draftOnDisk } = await bothWriting('second');
    second.send('theirs');
    first.engine.refreshOutbox();
    await clock.advance(600);
    first.store.setState(updateDraft('c1', (draft) => setText(draft, '')));
    await clock.advance(600);
    second.engine.refreshOutbox();
    await second.engine.stop();
    await first.engine.stop();
    expect(draftOnDisk()).toBeUndefined();
  });

  test('the words of one that has ended are kept also after this one went to another conversation', async () => {
    const { clock, first, second, draftOnDisk } = await bothWriting('first');
    await first.engine.stop();
    second.engine.refreshOutbox();
    await clock.advance(600);
    second.open('c2');
    second.type('c2', 'elsewhere');
    await clock.advance(600);
    second.engine.refreshOutbox();
    await clock.advance(600);
    await second.engine.stop();
    expect(draftOnDisk()).toBe('theirs\nmine');
  });

  test('is kept although the other one has written over it, shown that, and written more', async () => {
    const { first, second, exchange, draftOnDisk } = await bothWriting('first');
    first.open('c2');
    await exchange();
    second.store.setState(updateDraft('c1', (draft) => setText(draft, '')));
    await exchange();
    second.type('c1', 'new');
    await exchange();
    expect(draftOf(first.store.getState(), 'c1').text).toBe('new\nmine');
    first.open('c1');
    first.type('c1', ' and more');
    await exchange();
    await first.engine.stop();
    await second.engine.stop();
    expect(draftOnDisk()).toContain('mine');
    expect(draftOnDisk()).toContain('new and more');
  });

  test.each([0, 600])('is read before this one writes, even if it has not been noticed yet (%i ms)', async (ms) => {
    const { clock, first, second, draftOnDisk } = await twoPrograms();
    first.open('c1');
    first.type('c1', 'mine');
    await clock.advance(600);
    first.die();
    second.open('c1');
    second.type('c1', 'theirs');
    await clock.advance(ms);
    await second.engine.stop();
    expect(draftOnDisk()).toBe('theirs\nmine');
  });

  test('takes one place among what was cut, however often it changes', async () => {
    const { clock, first, second } = await bothWriting('second');
    first.store.setState(updateDraft('c1', killToStart));
    for (const word of ['a', 'b', 'c']) {
      second.type('c1', word);
      await clock.advance(300);
      first.type('c1', word);
      await clock.advance(200);
      first.engine.refreshOutbox();
      await clock.advance(600);
      second.engine.refreshOutbox();
    }
    const { kill, earlierKills } = draftOf(first.store.getState(), 'c1');
    expect([kill, earlierKills]).toEqual([expect.stringMatching(/theirs/), ['mine']]);
    expect(kill).not.toBe('theirs');
  });

  test('are kept for later if the other program edits a message in the same conversation', async () => {
    const { clock, first, second, directory } = await twoPrograms();
    first.open('c1');
    second.open('c1');
    second.type('c1', 'theirs');
    await clock.advance(600);
    second.die();
    first.store.setState(updateDraft('c1', (draft) => startEditing(draft, 'm1', 'earlier', 'earlier, edited')));
    first.engine.refreshOutbox();
    await clock.advance(600);
    await first.engine.stop();
    const kept = openOutbox(directory, { role: 'reader' }).load().drafts.get('c1');
    expect([kept?.text, kept?.editing?.stash]).toEqual(['earlier, edited', 'theirs']);
  });

  test('keep the attachments of both, also if neither ends properly', async () => {
    const { clock, first, second, directory } = await twoPrograms();
    const kept = (): readonly unknown[] =>
      openOutbox(directory, { role: 'reader' })
        .load()
        .drafts.get('c1')
        ?.attachments?.map(({ name }) => name)
        .sort() ?? [];
    for (const { open } of [first, second]) open('c1');
    second.attach('c1', 'theirs.png');
    first.type('c1', 'mine');
    first.attach('c1', 'mine.png');
    await clock.advance(600);
    for (let looks = 0; looks < 4; looks++) {
      first.engine.refreshOutbox();
      second.engine.refreshOutbox();
      await clock.advance(600);
    }
    expect(kept()).toEqual(['mine.png', 'theirs.png']);
    // They are at rest: the two do not write for ever because of each other.
    expect([first, second].map(({ outbox }) => outbox.hasForeignChanges())).toEqual([false, false]);
    await first.engine.stop();
    await second.engine.stop();
    expect(kept()).toEqual(['mine.png', 'theirs.png']);
  });

  test('do not get an attachment back that was removed here with the text of the other', async () => {
    const { clock, first, second } = await twoPrograms();
    first.open('c1');
    first.attach('c1', 'wrong.png');
    await clock.advance(600);
    second.engine.refreshOutbox();
    second.open('c1');
    second.type('c1', 'theirs');
    await clock.advance(600);
    first.store.setState(updateDraft('c1', (draft) => ({ ...draft, text: 'mine', attachments: [] })));
    first.engine.refreshOutbox();
    expect(draftOf(first.store.getState(), 'c1').attachments).toEqual([]);
  });
});

describe('capabilities that were learned of the server', () => {
  test('are gone from both programs once they are forgotten, and neither restores them with what it learns later', async () => {
    const { clock, service, first, second, directory } = await twoPrograms();
    service.addConversation('c3', { timeFormat: { kind: 'number', unit: 's' } });
    await clock.advance(70_000);
    second.engine.refreshOutbox();
    expect(first.store.getState().local.capabilities.timeFormat).toBeDefined();
    expect(second.store.getState().local.capabilities.timeFormat).toBeDefined();
    const other = openOutbox(directory, { role: 'reader' });
    // A server that writes its times otherwise now, and gives nothing to learn from.
    for (const [id, one] of service.conversations) service.conversations.set(id, { ...one, timeFormat: null });
    const learned = Object.keys(other.load().capabilities);
    expect(learned).toContain('timeFormat');
    other.saveRecords(learned.map((name) => ['capabilities', name, null]));
    // Before the first one has looked: it still holds what was forgotten, and learns something else.
    first.send('hello');
    await clock.advance(1_000);
    expect(other.load().capabilities.textChange?.value).toBe('none');
    expect(other.load().capabilities.timeFormat).toBeUndefined();
    for (const program of [first, second]) {
      program.engine.refreshOutbox();
      expect(program.store.getState().local.capabilities.timeFormat).toBeUndefined();
      expect(program.store.getState().local.capabilities.textChange).toBeDefined();
    }
    await clock.advance(70_000);
    expect(other.load().capabilities.timeFormat).toBeUndefined();
    for (const [id, one] of service.conversations)
      service.conversations.set(id, { ...one, timeFormat: { kind: 'iso' }, lastActiveAt: clock.now() });
    await clock.advance(70_000);
    expect(other.load().capabilities.timeFormat?.value).toEqual({ kind: 'iso' });
    other.close();
  });
});
