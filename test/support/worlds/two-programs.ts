/** Two engines on one outbox file, as two programs of one profile have them, against one server. */
import { insert } from '../../../src/state/composer/draft-edit.ts';
import { draftOf, updateDraft } from '../../../src/state/composer/drafts.ts';
import { type AppStore, createAppStore, initialState } from '../../../src/state/store.ts';
import { openOutbox } from '../../../src/storage/outbox/open.ts';
import { createEngine, type Engine } from '../../../src/sync/engine/engine.ts';
import { temporaryDirectory } from '../../storage/builders.ts';
import { type FakeClock, fakeClock } from '../clocks/fake-clock.ts';
import { type FakeService, fakeService } from '../servers/fake-service.ts';
import { memoryCache } from './memory-disks.ts';

export interface Program {
  readonly store: AppStore;
  readonly engine: Engine;
  readonly outbox: ReturnType<typeof openOutbox>;
  open(id: string): void;
  type(id: string, text: string): void;
  attach(id: string, name: string): void;
  send(text: string): void;
  /** Sends what the composer holds; false where it was not accepted. */
  sendDraft(id: string): boolean;
  states(): readonly string[];
  /** The conversations that the engine has reported as created. */
  readonly created: readonly string[];
  /** It does nothing more, and the lock is free. */
  die(): void;
  /** It does nothing for a while, and the lock is not free; `isReported`: the system says that it was stopped. */
  stop(isReported: boolean): void;
}

interface Pair {
  readonly clock: FakeClock;
  readonly service: FakeService;
  readonly first: Program;
  readonly second: Program;
  readonly directory: string;
  /** Starts one more program. */
  another(): Program;
  /** Each program takes over twice what the other one has put on disk, and saves its own. */
  exchange(): Promise<void>;
  /** What is on disk of the draft in `c1`; undefined where there is none. */
  draftOnDisk(): string | undefined;
}

let uuids = 0;

export async function twoPrograms(): Promise<Pair> {
  const clock = fakeClock();
  const service = fakeService(clock);
  service.addConversation('c1');
  service.addConversation('c2');
  service.say('c1', 'earlier');
  const directory = temporaryDirectory();
  const cache = memoryCache();
  let holder: object | null = null;
  let isStopped = false;
  const program = (isSender: boolean): Program => {
    const me = {};
    let isAlive = true;
    const outbox = openOutbox(directory, { role: isSender ? 'sender' : 'reader', now: clock.now });
    if (isSender) holder = me;
    const store = createAppStore(initialState({ local: outbox.load(), settings: { revealReading: false } }));
    const created: string[] = [];
    const engine = createEngine({
      onCreated: (id) => void created.push(id),
      keyOf: (id) => (id === 'text.yank' ? 'Alt-y' : ''),
      client: service.client,
      paging: service.paging,
      store,
      outbox,
      cache,
      clock: { ...clock, after: (ms, callback) => clock.after(ms, () => (isAlive ? callback() : undefined)) },
      random: () => 0.5,
      newUuid: () => `u${++uuids}`,
      beginsAsSender: isSender,
      takeSenderRole: () => {
        if (holder !== null) return false;
        holder = me;
        outbox.becomeSender();
        return true;
      },
      otherSender: () => (holder === me ? null : { pid: 4321, isStopped }),
    });
    engine.start();
    return {
      store,
      engine,
      outbox,
      created,
      open: (id) => {
        store.setState((state) => ({ ...state, view: { ...state.view, openId: id } }));
        engine.openConversation(id);
      },
      attach: (id, name) =>
        store.setState(
          updateDraft(id, (draft) => ({ ...draft, attachments: [...(draft.attachments ?? []), { name }] })),
        ),
      type: (id, text) => store.setState(updateDraft(id, (draft) => insert(draft, text))),
      sendDraft: (conversationId) => {
        const { text } = draftOf(store.getState(), conversationId);
        return engine.enqueue({ kind: 'message.send', conversationId, text }, { draftOf: conversationId });
      },
      send: (text) => void engine.enqueue({ kind: 'message.send', conversationId: 'c1', text }, { draftOf: 'c1' }),
      states: () => store.getState().local.outbox.map((op) => op.state),
      stop: (isReported) => {
        isAlive = false;
        isStopped = isReported;
      },
      die: () => {
        isAlive = false;
        if (holder === me) holder = null;
      },
    };
  };
  const first = program(true);
  const second = program(false);
  await clock.advance(1_000);
  return {
    clock,
    service,
    first,
    second,
    directory,
    another: () => program(false),
    async exchange() {
      for (const { engine } of [second, first, second, first]) {
        engine.refreshOutbox();
        await clock.advance(600);
      }
    },
    draftOnDisk: () => openOutbox(directory, { role: 'reader' }).load().drafts.get('c1')?.text,
  };
}

/**
 * Both programs have `c1` open, and in it a text of their own, "mine" in the first and "theirs" in the second one. Each knows
 * the text of the other. `begins`: the one that has written first.
 */
export async function bothWriting(begins: 'first' | 'second'): Promise<Pair> {
  const pair = await twoPrograms();
  const texts = [
    ['first', 'mine'],
    ['second', 'theirs'],
  ] as const;
  pair.first.open('c1');
  pair.second.open('c1');
  for (const [name, text] of begins === 'first' ? texts : texts.toReversed()) {
    pair[name].type('c1', text);
    if (name === begins) await pair.clock.advance(600);
  }
  await pair.exchange();
  return pair;
}
