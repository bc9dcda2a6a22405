/**
 * Two chats on one profile in which a user types, pauses, sends, erases, changes the conversation and has chats killed, in
 * random order: nothing that was saved is lost, and nothing that was sent is unsent again.
 */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { setText } from '../../../src/state/composer/draft.ts';
import { yank } from '../../../src/state/composer/draft-edit.ts';
import { draftOf, updateDraft } from '../../../src/state/composer/drafts.ts';
import { openOutbox } from '../../../src/storage/outbox/open.ts';
import { campaignSize, countFrom, isFullRun } from '../../support/campaigns/partition.ts';
import { type Program, twoPrograms } from '../../support/worlds/two-programs.ts';

const kinds = ['type', 'type', 'pause', 'pause', 'look', 'send', 'erase', 'yank', 'leave', 'return', 'kill'] as const;

interface Step {
  readonly kind: (typeof kinds)[number];
  readonly chat: 0 | 1;
  /** How long nothing happens after it. */
  readonly ms: number;
}

const steps = fc.array(
  fc.record<Step>({
    kind: fc.constantFrom(...kinds),
    chat: fc.constantFrom(0, 1),
    ms: fc.constantFrom(0, 0, 10, 200, 600, 2_500),
  }),
  { minLength: 4, maxLength: 30 },
);

const composed = ({ store }: Program): string => draftOf(store.getState(), 'c1').text;
/** Each word that is typed exists once. */
const wordsOf = (text: string): readonly string[] => text.match(/<\d+>/g) ?? [];

const repeatedIn = (text: string): string =>
  wordsOf(text)
    .filter((word, at, all) => all.indexOf(word) !== at)
    .join('');

/** What has become of the words. */
class Words {
  #typed = 0;
  readonly #saved = new Set<string>();
  readonly #erased = new Set<string>();
  readonly #sent = new Set<string>();

  next = (): string => `<${++this.#typed}>`;

  noteSaved(record: string): void {
    for (const word of wordsOf(record)) this.#saved.add(word);
  }

  erase(text: string): void {
    for (const word of wordsOf(text)) this.#erased.add(word);
  }

  /** @param others texts that hold some of the words because both chats were typed in at the same time: they stay */
  send(text: string, others: string): void {
    const shared = new Set(wordsOf(others));
    for (const word of wordsOf(text)) {
      this.#erased.add(word);
      if (!shared.has(word)) this.#sent.add(word);
    }
  }

  /** Words that the user puts back, or types on before this chat has noticed that they were sent, may be sent again. */
  putBack(text: string): void {
    for (const word of wordsOf(text)) this.#sent.delete(word);
  }

  lost = (record: string): readonly string[] =>
    [...this.#saved].filter((word) => !this.#erased.has(word) && !wordsOf(record).includes(word));

  sentIn = (text: string): readonly string[] => wordsOf(text).filter((word) => this.#sent.has(word));
}

async function carryOut(plan: readonly Step[]): Promise<void> {
  const world = await twoPrograms();
  const disk = openOutbox(world.directory, { role: 'reader' });
  const record = (): string => disk.load().drafts.get('c1')?.text ?? '';
  const words = new Words();
  const chats: [Program, Program] = [world.first, world.second];
  const typedAt: [number, number] = [-10_000, -10_000];
  const act = ({ kind, chat }: Step): void => {
    const program = chats[chat];
    const isHere = program.store.getState().view.openId === 'c1';
    const change = (text: string): void => {
      typedAt[chat] = world.clock.now();
      program.store.setState(updateDraft('c1', (draft) => setText(draft, text)));
    };
    if (kind === 'type' && isHere) {
      typedAt[chat] = world.clock.now();
      words.putBack(composed(program));
      program.type('c1', words.next());
    } else if (kind === 'erase' && isHere) {
      words.erase(composed(program));
      change('');
    } else if (kind === 'yank' && isHere) {
      typedAt[chat] = world.clock.now();
      program.store.setState(updateDraft('c1', yank));
      words.putBack(composed(program));
    } else if (kind === 'send' && isHere && composed(program) !== '') {
      const other = chats[1 - chat] as Program;
      const isTypedOn = world.clock.now() - (typedAt[1 - chat] ?? 0) < 500;
      const text = composed(program);
      const others = repeatedIn(record()) + (isTypedOn ? composed(other) : '');
      if (program.sendDraft('c1')) words.send(text, others);
    } else if (kind === 'look') {
      program.engine.refreshOutbox();
      expect(words.sentIn(composed(program))).toEqual([]);
    } else if (kind === 'leave') program.open('c2');
    else if (kind === 'return') program.open('c1');
    else if (kind === 'kill') {
      program.die();
      chats[chat] = world.another();
      chats[chat].open('c1');
      typedAt[chat] = -10_000;
    }
  };
  for (const chat of chats) chat.open('c1');
  for (const step of plan) {
    act(step);
    words.noteSaved(record());
    await world.clock.advance(step.ms);
    words.noteSaved(record());
  }
  for (let looks = 0; looks < 6; looks++) {
    for (const { engine } of chats) engine.refreshOutbox();
    await world.clock.advance(600);
  }
  expect({ lost: words.lost(record()), sent: words.sentIn(record()) }).toEqual({ lost: [], sent: [] });
  for (const chat of chats) expect(words.sentIn(composed(chat))).toEqual([]);
  // They are at rest: the two do not write for ever because of each other.
  expect(chats.map(({ outbox }) => outbox.hasForeignChanges())).toEqual([false, false]);
  for (const chat of chats) await chat.engine.stop();
  expect({ lost: words.lost(record()), sent: words.sentIn(record()) }).toEqual({ lost: [], sent: [] });
  disk.close();
}

test('two chats that are written in lose nothing that was saved, and bring nothing back that was sent', {
  timeout: 480_000,
}, async () => {
  const seed = countFrom('MSG_TUI_SEED', isFullRun ? 1 + (Date.now() % 900_000_000) : 1);
  const numRuns = countFrom('MSG_TUI_RUNS', campaignSize(25, 2_000));
  await fc.assert(fc.asyncProperty(steps, carryOut), { seed, numRuns });
});
