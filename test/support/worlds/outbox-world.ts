/** An engine that can die at any write to its disk, on a server that can do anything to a POST; everything goes on record. */

import type { Client } from '../../../src/api/operations.ts';
import type { SentContent } from '../../../src/protocol/same-text.ts';
import { emptyDraft } from '../../../src/state/composer/draft.ts';
import { canResend } from '../../../src/state/local/resend-rule.ts';
import type { Op } from '../../../src/state/model/app-state.ts';
import type { ResendRule } from '../../../src/state/model/settings.ts';
import { type AppStore, createAppStore, initialState } from '../../../src/state/store.ts';
import { createEngine, type Engine } from '../../../src/sync/engine/engine.ts';
import type { FaultSites } from '../campaigns/fault-sites.ts';
import type { HistoryEvent, Violation } from '../campaigns/history-checker.ts';
import { type FakeClock, fakeClock } from '../clocks/fake-clock.ts';
import { apiFault, type FakeService, fakeService, me } from '../servers/fake-service.ts';
import { type MemoryOutbox, memoryCache, memoryOutbox } from './memory-disks.ts';
import { type Decision, isRefused, lostDecisions, type OtherProgram, otherProgram, siteOf } from './other-program.ts';
import { provesNothingApplied, type SendFault } from './send-faults.ts';

export interface CrashPoint {
  /** Dies at the so many-th write from now on. */
  readonly write: number;
  readonly when: 'before' | 'after';
}

export interface OutboxWorld {
  readonly clock: FakeClock;
  readonly service: FakeService;
  readonly outbox: MemoryOutbox;
  readonly events: HistoryEvent[];
  /** What is wrong without the checker: bugs that would end the program, words sent from nowhere. */
  readonly problems: string[];
  store: AppStore;
  engine: Engine;
  /** What becomes of the next POSTs. */
  nextFault: () => SendFault;
  /** The next so many reads fail. */
  failReads(count: number): void;
  crashAt(point: CrashPoint): void;
  /** The disk is full from the so many-th write from now on. */
  fillAt(write: number): void;
  setOutage(isOn: boolean): void;
  /** Somebody sets the clock of this machine, not that of the server. */
  shiftClock(ms: number): void;
  die(): void;
  /** Starts a new process when the last one is dead. */
  ensureAlive(): void;
  enter(content: SentContent, conversationId: string): void;
  resend(): void;
  letPass(): void;
  discard(): void;
  /** The user decides in another program of this profile; unless it `looks` before, by the picture that it has. */
  decideElsewhere(choice: Decision['choice'], looks: boolean): void;
  /** What the clock of this machine says. */
  now(): number;
  /** After this nothing of the past is still on its way. */
  quietAt(): number;
}

/** A text for the history: what the message says, and what is attached to it. */
const contentKey = ({ text, attachments }: { readonly text: string; readonly attachments?: unknown }): string =>
  attachments === undefined ? text : `${text} ${JSON.stringify(attachments)}`;

class DeadProcess extends Error {}

type Logged = HistoryEvent extends infer One ? (One extends HistoryEvent ? Omit<One, 'at'> : never) : never;

/** Drafts, read lines and what else is saved by the way are no crash points of their own. */
const isWrite = (method: string): boolean => !/^(load|claims|ops|close|save|has)/.test(method);

export function outboxWorld(sites: FaultSites, resend: ResendRule = 'ask'): OutboxWorld {
  const clock = fakeClock();
  const service = fakeService(clock);
  const outbox = memoryOutbox();
  const cache = memoryCache();
  const events: HistoryEvent[] = [];
  const problems: string[] = [];
  let uuids = 0;
  let life = { isAlive: true };
  let crash: CrashPoint | null = null;
  let writesLeft = Number.POSITIVE_INFINITY;
  let choice: Pick<Decision, 'uuid' | 'choice'> | null = null;
  const decisions: Decision[] = [];
  const repeated = new Set<string>();
  let other: OtherProgram | null = null;
  /** The number of times that the sender may ask before it learns that another program has written. */
  let unseenFor = 0;
  let isOutage = false;
  let quietAt = 0;
  let requestsUnderWay = 0;
  let failingReads = 0;
  let shiftMs = 0;
  const now = (): number => clock.now() + shiftMs;
  const log = (event: Logged): void => void events.push({ at: clock.monotonic(), ...event } as HistoryEvent);
  const disk = (isStart: boolean): void =>
    log({ kind: 'disk', isStart, ops: new Map(outbox.ops().map((op) => [op.uuid, op.state])) });

  const diskOf = (mine: { isAlive: boolean }): MemoryOutbox =>
    new Proxy(outbox, {
      get: (target, key) => {
        const value: unknown = Reflect.get(target, key);
        if (typeof value !== 'function') return value;
        if (key === 'hasForeignChanges') return () => unseenFor > 0 && --unseenFor === 0;
        if (key === 'load') return () => ({ ...outbox.load(), outbox: outbox.ops() });
        return (...args: unknown[]) => {
          if (!mine.isAlive) throw new DeadProcess();
          if (!isWrite(String(key))) return Reflect.apply(value, target, args);
          if (isRefused(outbox, String(key), args)) return Reflect.apply(value, target, args);
          const site = choice === null ? siteOf(outbox, String(key), args) : 'the choice of the user';
          writesLeft -= 1;
          if (writesLeft === 0) outbox.failing = true;
          if (outbox.failing) sites.hit(`full disk at ${site}`);
          if (crash !== null) crash = { ...crash, write: crash.write - 1 };
          const isCrash = crash?.write === 0;
          if (isCrash && crash?.when === 'before') end(`death before ${site}`);
          const result: unknown = Reflect.apply(value, target, args);
          record(String(key), args, result);
          problems.push(...lostDecisions(decisions, outbox.ops()));
          if (isCrash && mine.isAlive) end(`death after ${site}`);
          return result;
        };
      },
    });
  const end = (site: string): never => {
    sites.hit(site);
    crash = null;
    world.die();
    throw new DeadProcess();
  };
  const record = (key: string, args: readonly unknown[], result: unknown): void => {
    if (key === 'settle' && result === true && typeof args[1] === 'string')
      log({ kind: 'sent', uuid: String(args[0]), messageId: args[1] });
    recordRepeated();
    recordChoice();
  };
  /** What the settings choose in the user's place is done when the disk has it. */
  const recordRepeated = (): void => {
    for (const { uuid } of outbox.ops().filter((op) => op.autoResent === true && !repeated.has(op.uuid))) {
      repeated.add(uuid);
      sites.hit(byItselfSite);
      log({ kind: 'by itself', uuid });
    }
  };
  /** A choice is made when the disk has it. */
  const recordChoice = (): void => {
    if (choice === null) return;
    const { uuid } = choice;
    const op = find(uuid);
    const isMade = { resend: op?.state === 'queued', discard: op === undefined, pass: op?.skippedInOrder === true };
    if (!isMade[choice.choice]) return;
    sites.hit(choiceSites[choice.choice]);
    log({ kind: 'choice', ...choice });
    decisions.push({ ...choice, attempts: op?.attempts.length ?? 0 });
    choice = null;
  };
  const choose = (made: NonNullable<typeof choice>, act: () => void): void => {
    choice = made;
    act();
    choice = null;
  };
  const find = (uuid: string): Op | undefined => outbox.ops().find((op) => op.uuid === uuid);

  const sendMessage =
    (mine: { isAlive: boolean }): Client['sendMessage'] =>
    async ({ conversationId, message, attachments, idempotencyKey: uuid }, options) => {
      if (!mine.isAlive) return new Promise(() => undefined);
      log({ kind: 'request' });
      log({ kind: 'post', uuid });
      if (outbox.ops().find((op) => op.uuid === uuid)?.state !== 'sending')
        problems.push(`${uuid} left before it was on disk`);
      const fault = isOutage ? null : world.nextFault();
      if (fault === null) log({ kind: 'not-applied', uuid });
      if (fault === null) throw apiFault('network', 'not-applied');
      sites.hit(fault.name);
      if (provesNothingApplied(fault)) log({ kind: 'not-applied', uuid });
      const commit = () => {
        const said = service.say(conversationId, message, me, attachments);
        const text = contentKey({ text: message, attachments });
        log({ kind: 'commit', uuid, messageId: said.id, conversationId, text });
        quietAt = Math.max(quietAt, clock.monotonic() + fault.lagMs);
        if (fault.lagMs === 0) return said;
        service.messages.delete(said.id);
        clock.after(fault.lagMs, () => service.messages.set(said.id, said));
        return said;
      };
      requestsUnderWay += 1;
      await Promise.resolve();
      const said = fault.appliesAfterMs === 0 ? commit() : null;
      if (fault.appliesAfterMs !== null && fault.appliesAfterMs > 0) {
        quietAt = Math.max(quietAt, clock.monotonic() + fault.appliesAfterMs);
        clock.after(fault.appliesAfterMs, commit);
      }
      if (fault.answer === 'silence')
        await new Promise<void>((_, reject) => {
          options?.signal?.addEventListener('abort', () => reject(apiFault('aborted', 'ambiguous')));
          // The client's own limit for a POST.
          clock.after(60_000, () => reject(apiFault('timeout', 'ambiguous')));
        }).finally(() => (requestsUnderWay -= 1));
      const { thinksMs } = fault;
      if (thinksMs !== undefined) await new Promise<void>((resolve) => clock.after(thinksMs, resolve));
      requestsUnderWay -= 1;
      if (typeof fault.answer === 'object') {
        log({ kind: 'answered', uuid, status: fault.answer.facts.status });
        throw fault.answer;
      }
      if (said === null) throw new Error('a fault that answers applies');
      return { value: said, etag: null };
    };

  service.fault = (operation) => {
    log({ kind: 'request' });
    if (isOutage) return { applies: false, error: apiFault('network', 'not-applied') };
    if (!operation.endsWith('essages') || failingReads === 0) return null;
    failingReads -= 1;
    sites.hit('a read fails');
    return { applies: false, error: apiFault('server', 'ambiguous', { status: 503 }) };
  };

  const begin = (): { store: AppStore; engine: Engine } => {
    const mine = { isAlive: true };
    life = mine;
    requestsUnderWay = 0;
    const local = outbox.load();
    log({ kind: 'disk', isStart: true, ops: new Map(local.outbox.map((op) => [op.uuid, op.state])) });
    if (isOutage) log({ kind: 'outage', isOn: true });
    const held = cache.conversations();
    const conversations = new Map(held.map((one) => [one.id, one]));
    const settings = { revealReading: false, resend };
    const known = { conversations, lastMessages: cache.lastMessages() };
    const store = createAppStore(initialState({ cache: known, local, settings }));
    const engine = createEngine({
      client: { ...service.client, sendMessage: sendMessage(mine) },
      paging: service.paging,
      store,
      outbox: diskOf(mine),
      cache,
      clock: {
        ...clock,
        now,
        after: (delayMs, callback) => clock.after(delayMs, () => (mine.isAlive ? callback() : undefined)),
      },
      random: () => 0.5,
      newUuid: () => `u${++uuids}`,
      onBug: (error) => {
        if (!(error instanceof DeadProcess)) problems.push(`the program ended: ${String(error)}`);
      },
    });
    engine.start();
    store.setState((state) => ({ ...state, view: { ...state.view, openId: 'c1' } }));
    engine.openConversation('c1');
    return { store, engine };
  };

  const world: OutboxWorld = {
    clock,
    service,
    outbox,
    events,
    problems,
    nextFault: () => {
      throw new Error('no fault was chosen');
    },
    failReads: (count) => {
      failingReads = count;
    },
    ...begin(),
    fillAt: (write) => {
      writesLeft = write;
    },
    crashAt: (point) => {
      crash = point;
    },
    setOutage: (isOn) => {
      isOutage = isOn;
      log({ kind: 'outage', isOn });
    },
    shiftClock: (ms) => {
      shiftMs += ms;
    },
    die: () => {
      if (!life.isAlive) return;
      sites.hit(requestsUnderWay > 0 ? 'death while a POST is under way' : 'death at rest');
      life.isAlive = false;
      disk(false);
    },
    ensureAlive: () => {
      if (!life.isAlive) Object.assign(world, begin());
    },
    enter: (content, conversationId) => {
      const draft = { ...emptyDraft, ...content, cursor: content.text.length };
      const text = contentKey(content);
      const drafts = (current: AppStore) => current.getState().local.drafts;
      world.store.setState((state) => ({
        ...state,
        local: { ...state.local, drafts: new Map(state.local.drafts).set(conversationId, draft) },
      }));
      const known = new Set(outbox.ops().map((op) => op.uuid));
      const mine = life;
      world.engine.enqueue({ kind: 'message.send', conversationId, ...content }, { draftOf: conversationId });
      const op = outbox.ops().find(({ uuid }) => !known.has(uuid));
      const left = drafts(world.store).get(conversationId);
      const composer = left === undefined ? '' : contentKey(left);
      // What a dead process shows is of no use to anybody: its words are on disk, or Enter was never answered.
      if (mine.isAlive) log({ kind: 'enter', uuid: op?.uuid ?? null, conversationId, text, composer });
      else if (op !== undefined) log({ kind: 'enter', uuid: op.uuid, conversationId, text, composer: '' });
    },
    resend: () => {
      const op = world.store.getState().local.outbox.find((held) => canResend(held, now()));
      if (op === undefined) return;
      choose({ uuid: op.uuid, choice: 'resend' }, () => world.engine.retry(op.uuid));
    },
    letPass: () => {
      const op = world.store
        .getState()
        .local.outbox.find((held) => held.state === 'unsure' && held.skippedInOrder !== true);
      if (op === undefined) return;
      choose({ uuid: op.uuid, choice: 'pass' }, () => world.engine.letPass(op.uuid));
    },
    discard: () => {
      const isOpen = (op: Op): boolean => op.state === 'unsure' || op.state === 'failed';
      const op = world.store.getState().local.outbox.find(isOpen);
      if (op === undefined) return;
      choose({ uuid: op.uuid, choice: 'discard' }, () => world.engine.discard(op.uuid));
    },
    decideElsewhere: (made, looks) => {
      other ??= otherProgram(outbox, { ...clock, now });
      if (looks) other.look();
      const uuid = other.openTo(made);
      if (uuid === null) return;
      const before = find(uuid);
      choice = { uuid, choice: made };
      other.decide(choice);
      if (find(uuid) !== before) {
        recordChoice();
        sites.hit(elsewhereSites[made]);
        unseenFor = 2;
      }
      choice = null;
    },
    now,
    quietAt: () => quietAt,
  };
  return world;
}

export const byItselfSite = 'sent again by itself';

export const choiceSites = {
  resend: 'the user sends again',
  discard: 'the user discards',
  pass: 'the user lets later ones pass',
} as const;

export const elsewhereSites = {
  resend: 'the user sends again in another program',
  discard: 'the user discards in another program',
  pass: 'the user lets later ones pass in another program',
} as const;

export const violationsOf = (world: OutboxWorld, found: readonly Violation[]): readonly string[] => [
  ...world.problems,
  ...found,
];
