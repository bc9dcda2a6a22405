/** Whether client and server have the same in the end, and whether others still have what was theirs. */
import type { World } from '../support/quirk-server/world.ts';
import type { Cast } from './cast.ts';
import type { Rig } from './rig.ts';

/** Differences between what the client shows and what the server holds. */
export function agree(rig: Rig, cast: Cast): string[] {
  const { cache, view } = rig.store.getState();
  const { world } = rig.server;
  const problems: string[] = [];
  for (const [id, row] of world.conversations) {
    const held = cache.conversations.get(id);
    if (held === undefined) {
      if (view.connection.listComplete) problems.push(`conversation ${id} is not shown`);
      continue;
    }
    const differs =
      held.isPinned !== row.isPinned ||
      held.isMuted !== row.isMuted ||
      held.pinnedMessageId !== (row.pinnedMessageId || null) ||
      (held.archivedAt === null) !== (row.archivedAt === null);
    if (differs) problems.push(`conversation ${id} differs: ${JSON.stringify(held)} ${JSON.stringify(row)}`);
  }
  for (const id of cache.conversations.keys())
    if (!world.conversations.has(id) && view.connection.listComplete) problems.push(`conversation ${id} is a ghost`);
  return [...problems, ...agreeOnThread(rig, cast.main.id), ...agreeOnOrder(rig, cast.main.id)];
}

function agreeOnThread({ store, server }: Rig, id: string): string[] {
  const problems: string[] = [];
  const shown = store.getState().cache.threads.get(id)?.messages ?? [];
  const known = new Map(shown.map((message) => [message.id, message]));
  for (const row of server.world.messages.values()) {
    const held = known.get(row.id);
    if (row.conversationId !== id || held === undefined) continue;
    if (held.text !== row.text) problems.push(`message ${row.id} reads '${held.text}', not '${row.text}'`);
    const mine = flat(held.reactions);
    const theirs = flat(row.reactions);
    if (mine !== theirs) problems.push(`message ${row.id} shows reactions ${mine}, not ${theirs}`);
    if (held.attachments.length !== row.attachments.length)
      problems.push(`message ${row.id} shows ${held.attachments.length} of ${row.attachments.length} files`);
  }
  for (const message of shown)
    if (!server.world.messages.has(message.id)) problems.push(`message ${message.id} is a ghost`);
  return problems;
}

/** Where the server's own order is one of time and its list was read, ties are in its order. */
function agreeOnOrder({ store, server, quirks }: Rig, id: string): string[] {
  const shown = (store.getState().cache.threads.get(id)?.messages ?? []).map((message) => message.id);
  const isRead = !store.getState().view.connection.failures.has(id);
  const isTimely = isRead && (quirks.order === 'new-first' || quirks.order === 'old-first');
  const expected = [...server.world.messages.values()]
    .filter((row) => shown.includes(row.id))
    .sort((a, b) => Math.floor(a.createdAt / 1000) - Math.floor(b.createdAt / 1000) || a.seq - b.seq)
    .map((row) => row.id);
  return !isTimely || expected.join() === shown.join() ? [] : ['the thread is in another order'];
}

/** Each string once: how often an appending server repeats one is its own affair. An empty one names nobody. */
function flat(reactions: readonly { readonly name: string; readonly by: readonly string[] }[]): string {
  return [
    ...new Set(reactions.flatMap(({ name, by }) => by.filter((one) => one !== '').map((one) => `${name}:${one}`))),
  ]
    .sort()
    .join(' ');
}

/** What others have now; the returned function reports what they have lost since. */
export function damage(world: World, cast: Cast): () => string[] {
  const me = world.stringOf(world.me);
  const theirs = (): ReadonlySet<string> =>
    new Set(
      [...world.messages.values()].flatMap((row) => [
        ...(row.senderId === world.me.id ? [] : [`text of ${row.id}: ${row.text}`]),
        ...row.attachments.map((file) => `file ${file.id} of ${row.id}`),
        ...row.reactions.flatMap(({ name, by }) =>
          by.filter((one) => one !== me).map((one) => `reaction ${name} of ${one} to ${row.id}`),
        ),
      ]),
    );
  const before = theirs();
  const doomed = [cast.ownDoomed.id, cast.annsDoomed.id];
  return () => {
    const after = theirs();
    return [...before]
      .filter((one) => !after.has(one) && !doomed.some((id) => one.includes(` ${id}`)))
      .map((one) => `lost: ${one}`);
  };
}
