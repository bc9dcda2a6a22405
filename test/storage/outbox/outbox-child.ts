/** A process of its own for the crash tests: does what its first argument says on the directory of its second. */
import { writeSync } from 'node:fs';
import { emptyDraft } from '../../../src/state/composer/draft.ts';
import type { OpAction } from '../../../src/state/model/app-state.ts';
import { createOp } from '../../../src/state/model/op-state.ts';
import { openCache } from '../../../src/storage/cache/open.ts';
import { openOutbox } from '../../../src/storage/outbox/open.ts';
import { openOutboxWithRole } from '../../../src/storage/outbox/role.ts';
import { acquireSenderLock } from '../../../src/storage/outbox/sender-lock.ts';
import { StorageError } from '../../../src/storage/sqlite/errors.ts';

const [, , task, directory = '', name = ''] = process.argv;
const say = (line: string) => writeSync(1, `${line}\n`);

function anOp(uuid: string) {
  const action: OpAction = { kind: 'message.send', conversationId: 'c1', text: `words of ${uuid} `.repeat(20) };
  return createOp(uuid, action, { now: 1, holdMs: 0 });
}

/** Says a uuid only after `enqueue` has returned, and takes every third one out again. */
function writeForEver() {
  const outbox = openOutbox(directory);
  for (let i = 0; ; i++) {
    outbox.enqueue(anOp(`u${i}`), null);
    say(`+u${i}`);
    if (i % 3 !== 0) continue;
    say(`-u${i}`);
    outbox.settle(`u${i}`, `m${i}`);
  }
}

/** Every message is taken back into a draft at once, and its uuid said before that. */
function takeBackForEver() {
  const outbox = openOutbox(directory);
  for (let i = 0; ; i++) {
    const uuid = `u${i}`;
    outbox.enqueue(anOp(uuid), null);
    say(uuid);
    outbox.withdraw(uuid, { conversationId: uuid, draft: { ...emptyDraft, text: `words of ${uuid}` } }, () => true);
  }
}

function writeSome() {
  const outbox = openOutbox(directory, { role: 'reader' });
  for (let i = 0; i < 30; i++) say(String(outbox.enqueue(anOp(`${name}${i}`), null).seq));
  outbox.close();
}

/** Under a limit on the size of files: until the disk takes no more. */
function fillUp() {
  const outbox = openOutbox(directory);
  let count = 0;
  try {
    for (; count < 100_000; count++) outbox.enqueue(anOp(`u${count}`), null);
  } catch (error) {
    const { kind, message } = error as StorageError;
    say(
      JSON.stringify({
        isOurs: error instanceof StorageError,
        kind,
        message,
        count,
        kept: outbox.load().outbox.length,
      }),
    );
  }
}

function fillCache() {
  const troubles: string[] = [];
  const cache = openCache(directory, { onTrouble: ({ kind }) => troubles.push(kind) });
  const message = { contact: null, isTruncated: false, reactions: [], attachments: [], readAt: null, updatedAt: null };
  for (let i = 0; i < 2000; i++) {
    const text = 'x'.repeat(500);
    cache.saveMessages('c1', [{ ...message, id: `m${i}`, conversationId: 'c1', text, createdAt: i, rank: 0 }]);
  }
  say(JSON.stringify({ troubles, held: cache.history('c1', 'newest', 5000).messages.length }));
}

function holdLock() {
  say(JSON.stringify('release' in acquireSenderLock(directory)));
  setInterval(() => {}, 1000);
}

/** Says what it got, and whether words are taken. */
function openProfile() {
  const { outbox, isSender, troubles, close } = openOutboxWithRole(directory);
  let refusal: string | null = null;
  try {
    outbox.enqueue(anOp('words'), null);
  } catch (error) {
    refusal = String(error instanceof Error ? error.message : error);
  }
  say(JSON.stringify({ isSender, troubles, refusal }));
  close();
}

/** One of several that start at the same time on a new profile: says what was confirmed. */
function enterFive() {
  const { outbox, close } = openOutboxWithRole(directory);
  for (let i = 0; i < 5; i++) say(outbox.enqueue(anOp(`${name}${i}`), null).uuid);
  close();
}

const tasks: Readonly<Record<string, () => void>> = {
  writeForEver,
  takeBackForEver,
  writeSome,
  fillUp,
  fillCache,
  holdLock,
  openProfile,
  enterFive,
};
tasks[task ?? '']?.();
