/** Everything a user does in a day, done against one kind of server, and what came of it. */
import type { OpAction } from '../../src/state/model/app-state.ts';
import type { Quirks } from '../support/quirk-server/quirks.ts';
import type { StoredMessage } from '../support/quirk-server/world.ts';
import { agree, damage } from './agree.ts';
import { type Cast, seedCast } from './cast.ts';
import { type Ended, type Rig, startRig } from './rig.ts';

export interface Findings {
  /** Something is not as the client shows it, or others lost something. */
  readonly problems: readonly string[];
  /** What the client said that it could not do, by step. */
  readonly admitted: readonly string[];
}

export interface WalkState {
  readonly rig: Rig;
  readonly cast: Cast;
  readonly problems: string[];
  readonly admitted: string[];
  /** Reactions that the user gives at some time. */
  readonly given: Set<string>;
}

export async function walk(quirks: Quirks): Promise<Findings> {
  let cast: Cast | null = null;
  const rig = await startRig(quirks, (server, now) => {
    cast = seedCast(server, now);
  });
  try {
    if (cast === null) throw new Error('no cast');
    const state: WalkState = { rig, cast, problems: [], admitted: [], given: new Set() };
    const others = damage(rig.server.world, cast);
    await readAll(state);
    await write(state);
    await react(state);
    await arrange(state);
    actElsewhere(state);
    const isDelayed = quirks.listLag + quirks.readLag + quirks.lateApply > 0;
    // A message whose answer named it by another id is taken away once lists cannot lag any more.
    if (quirks.sentId === 'provisional') await rig.until(() => false, 160_000);
    await rig.until(() => false, isDelayed ? 130_000 + (quirks.listLag + quirks.lateApply) * 1000 : 45_000);
    state.problems.push(...agree(rig, state.cast), ...others(), ...unwished(state), ...rig.server.violations);
    return { problems: state.problems, admitted: state.admitted };
  } finally {
    await rig.close();
  }
}

async function readAll({ rig, cast, problems, admitted }: WalkState): Promise<void> {
  const { store, server, engine } = rig;
  const all = server.world.conversations;
  const hasAll = (): boolean => all.size <= store.getState().cache.conversations.size;
  await rig.until(() => store.getState().view.connection.listComplete || hasAll(), 60_000);
  if (!hasAll()) {
    if (store.getState().view.connection.listComplete) problems.push('the list counts as complete and is not');
    else admitted.push('list');
  }
  await rig.open(cast.main.id);
  const thread = () => store.getState().cache.threads.get(cast.main.id);
  for (let asked = 0; asked < 30; asked += 1) {
    const older = thread()?.older;
    if (older === 'end' || older === 'unreachable') break;
    const length = thread()?.messages.length;
    engine.needOlder(cast.main.id);
    await rig.until(() => thread()?.messages.length !== length || thread()?.older !== older, 30_000);
  }
  // A thread with more unread messages than a window opens where unread begins, and is read from there to its end.
  const seen = new Set(thread()?.messages.map(({ id }) => id));
  for (let asked = 0; asked < 30 && thread()?.newer === 'disk'; asked += 1) {
    engine.needNewer(cast.main.id);
    for (const { id } of thread()?.messages ?? []) seen.add(id);
  }
  if (thread()?.newer === 'end') engine.markReadToEnd(cast.main.id);
  const expected = [...server.world.messages.values()].filter((row) => row.conversationId === cast.main.id);
  const missing = expected.filter((row) => !seen.has(row.id));
  if (missing.length === 0) return;
  const isSaid = thread()?.older === 'unreachable' || store.getState().view.connection.failures.has(cast.main.id);
  if (isSaid) admitted.push('history');
  else problems.push(`${missing.length} messages of history missing, its start counts as '${thread()?.older}'`);
}

/** `isDone` looks at the server: a settled op must have done it. */
async function step(
  state: WalkState,
  label: string,
  action: OpAction,
  isDone: () => boolean,
  isUndone: () => boolean = () => true,
): Promise<Ended> {
  return judge(state, label, await state.rig.act(action), isDone, isUndone);
}

function judge(
  state: WalkState,
  label: string,
  ended: Ended,
  isDone: () => boolean,
  isUndone: () => boolean = () => true,
): Ended {
  if (ended.how === 'settled') {
    if (!isDone()) state.problems.push(`${label}: settled, but not so on the server`);
  } else {
    if (ended.how === 'stuck' || ended.said === '') state.problems.push(`${label}: ${ended.how}, ${ended.said}`);
    if (!isUndone()) state.problems.push(`${label}: done, but the client says ${ended.how}: ${ended.said}`);
    state.admitted.push(`${label} ${ended.how}`);
  }
  return ended;
}

const stored = (state: WalkState, message: StoredMessage): StoredMessage | undefined =>
  state.rig.server.world.messages.get(message.id);

async function write(state: WalkState): Promise<void> {
  const { rig, cast } = state;
  const { world } = rig.server;
  const { id: conversationId } = cast.main;
  const copies = (text: string): number =>
    [...world.messages.values()].filter((row) => looksLike(row.text, text) && row.senderId === world.me.id).length;
  const texts = ['hello there', 'ok', 'ok', 'a < b && "c" > d é ', '  cafe\u0301  '];
  for (const [at, text] of texts.entries()) {
    const before = copies(text);
    const isOne = (): boolean => copies(text) === before + 1;
    await step(state, `send ${at + 1}`, { kind: 'message.send', conversationId, text }, isOne);
    if (copies(text) > before + 1) state.problems.push(`'${text}' was posted more than once`);
  }
  const inGroup = { kind: 'message.send', conversationId: cast.group.id, text: 'to all' } as const;
  await step(state, 'send to group', inGroup, () => copies('to all') === 1);
  const long = 'a long story '.repeat(400);
  const sendLong = { kind: 'message.send', conversationId, text: long } as const;
  await step(state, 'send long', sendLong, () => copies(long) === 1);
  if (copies(long) > 1) state.problems.push('the long story was posted more than once');
  const edit = async (label: string, row: StoredMessage, text: string): Promise<void> => {
    const action = { kind: 'message.edit', conversationId, messageId: row.id, base: row.text, text } as const;
    const isDone = (): boolean => looksLike(stored(state, row)?.text ?? '', text);
    const ended = await rig.act(action);
    const isAsked = ended.how === 'failed' && ended.said.includes('may drop');
    // Where it would cost others something the user says no.
    judge(state, label, isAsked && !takesReactions(rig.quirks) ? await rig.retry() : ended, isDone, () => !isDone());
  };
  await edit('edit', cast.ownPlain, 'better');
  await edit('edit with file', cast.ownWithFile, 'better <b>still</b>');
  await edit(
    'edit with file again',
    { ...cast.ownWithFile, text: stored(state, cast.ownWithFile)?.text ?? '' },
    'best',
  );
  const doomed = { kind: 'message.delete', conversationId, messageId: cast.ownDoomed.id } as const;
  const isGone = (): boolean => stored(state, cast.ownDoomed) === undefined;
  await step(state, 'delete', doomed, isGone, () => !isGone());
}

/** What is not sent goes, and others' reactions cannot be put back. */
const takesReactions = ({ put, reactionOwner }: Quirks): boolean => put === 'full-replace' && reactionOwner !== 'any';

/** Reactions in the user's name that were never given and are not reported. */
function unwished({ rig: { server, notices }, given }: WalkState): readonly string[] {
  const { world } = server;
  const me = world.stringOf(world.me);
  if (notices.some((text) => text.includes('under your name now'))) return [];
  return [...world.messages.values()].flatMap((row) =>
    row.reactions
      .filter(({ name, by }) => by.includes(me) && !given.has(`${name} to ${row.id}`))
      .map(({ name }) => `reaction ${name} to ${row.id} was not given`),
  );
}

/** Allowing for what servers do to texts. */
function looksLike(stored: string, sent: string): boolean {
  const plain = (text: string): string =>
    text
      .replaceAll('&lt;', '<')
      .replaceAll('&gt;', '>')
      .replaceAll('&quot;', '"')
      .replaceAll('&amp;', '&')
      .normalize('NFC')
      .trim();
  return plain(stored) === plain(sent);
}

async function react(state: WalkState): Promise<void> {
  const { rig, cast } = state;
  const { world } = rig.server;
  const me = world.stringOf(world.me);
  const conversationId = cast.main.id;
  const turn = async (label: string, row: StoredMessage, name: string, present: boolean): Promise<void> => {
    const has = (): boolean =>
      stored(state, row)?.reactions.some((one) => one.name === name && one.by.includes(me)) === true;
    state.given.add(`${name} to ${row.id}`);
    const action = {
      kind: 'message.react',
      conversationId,
      messageId: row.id,
      name,
      present,
      confirmed: false,
    } as const;
    const asked = await rig.act(action);
    if (asked.how === 'settled' && has() !== present)
      state.problems.push(`${label}: settled, but not so on the server`);
    if (asked.how === 'settled') return;
    if (!asked.said.includes('React again to confirm')) {
      if (asked.said === '') state.problems.push(`${label}: ${asked.how} without a word`);
      state.admitted.push(`${label} ${asked.how}`);
      return;
    }
    await step(state, label, { ...action, confirmed: true }, () => has() === present);
  };
  await turn('react', cast.ownPlain, 'tada', true);
  await turn('react twice', cast.ownPlain, 'ok', true);
  await turn('unreact', cast.ownPlain, 'tada', false);
  await turn('react beside others', cast.ownReacted, 'heart', true);
  await turn('unreact beside others', cast.ownReacted, 'heart', false);
  await turn("react to another's", cast.annsReacted, 'joy', true);
  await turn("react to another's twice", cast.annsReacted, 'eyes', true);
  await turn("unreact another's", cast.annsReacted, 'joy', false);
  await turn("react to another's with files", cast.annsWithFile, 'heart', true);
}

async function arrange(state: WalkState): Promise<void> {
  const { rig, cast } = state;
  const { world } = rig.server;
  const { id: conversationId } = cast.main;
  const now = () => world.conversations.get(conversationId);
  const messageId = cast.annsReacted.id;
  const dayMs = 86_400_000;
  const isNow = (at: number | null | undefined): boolean => Math.abs((at ?? 0) - rig.clock.now()) < dayMs;
  const pinned = { kind: 'conversation.pin', conversationId, value: true } as const;
  await step(
    state,
    'pin',
    pinned,
    () => now()?.isPinned === true,
    () => now()?.isPinned === false,
  );
  const muted = { kind: 'conversation.mute', conversationId, value: true } as const;
  await step(
    state,
    'mute',
    muted,
    () => now()?.isMuted === true,
    () => now()?.isMuted === false,
  );
  const pin = (id: string | null) => ({ kind: 'conversation.pinMessage', conversationId, messageId: id }) as const;
  const isPinned = (): boolean => now()?.pinnedMessageId === messageId;
  await step(state, 'pin message', pin(messageId), isPinned, () => !isPinned());
  if (now()?.isPinned !== true || now()?.isMuted !== true) state.problems.push('pin and mute were lost on the way');
  await step(state, 'unpin message', pin(null), () => !isPinned(), isPinned);
  const archive = (at: number | null) => ({ kind: 'conversation.archive', conversationId, at }) as const;
  await step(state, 'archive', archive(rig.clock.now()), () => isNow(now()?.archivedAt));
  // Long enough for two lists without it, where the plain list leaves it out.
  if (rig.quirks.archived === 'left-out') await rig.until(() => false, 65_000);
  if (!rig.store.getState().cache.conversations.has(conversationId)) state.problems.push('the archived one is gone');
  const isActive = (): boolean => now()?.archivedAt === null;
  await step(state, 'unarchive', archive(null), isActive, () => !isActive());
  await step(state, 'unmute', { ...muted, value: false }, () => now()?.isMuted === false);
  await step(state, 'unpin', { ...pinned, value: false }, () => now()?.isPinned === false);
  await makeAndBreak(state);
}

/** What others do reaches the client by polls. */
function actElsewhere({ rig, cast }: WalkState): void {
  const { world } = rig.server;
  const messages = new Map(world.messages);
  messages.delete(cast.annsDoomed.id);
  world.change(messages, world.conversations);
}

async function makeAndBreak(state: WalkState): Promise<void> {
  const { rig, cast } = state;
  const { world } = rig.server;
  const withPerson = (id: string): number =>
    [...world.conversations.values()].filter((row) => row.contactId === id).length;
  const create = (contactId: string) => ({ kind: 'conversation.create', contactId, groupId: null }) as const;
  await step(state, 'create', create(cast.stranger.id), () => withPerson(cast.stranger.id) === 1);
  await step(state, 'create again', create(cast.bob.id), () => withPerson(cast.bob.id) === 1);
  if (withPerson(cast.stranger.id) > 1) state.problems.push('two conversations were created');
  const doomed = cast.quiet[3]?.id ?? '';
  const isGone = (): boolean => !world.conversations.has(doomed);
  const remove = { kind: 'conversation.delete', conversationId: doomed } as const;
  await step(state, 'delete conversation', remove, isGone, () => !isGone());
}
