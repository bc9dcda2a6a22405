/**
 * The rules for removing and renaming people and groups. What other people have is never taken from them with a person:
 * messages stay with everybody else who has them, and show who wrote them.
 */
import type { PersonRow } from '../store/people.ts';
import { checkGroupName, checkUsername, groupOf, personOf, taken } from './named.ts';
import type { ServiceContext } from './service-context.ts';
import { badParameter } from './service-error.ts';

export interface RemovedUser {
  readonly tokens: number;
  readonly conversations: number;
}

/** Every name is written by an administrator. Rejects with a `ServiceError` that is one clear sentence. */
export function createRemoval({ transaction }: ServiceContext) {
  return {
    /** The user becomes a contact: their tokens, their conversations and their memberships are removed. */
    removeUser: (username: string) => transaction((inside) => removeUser(inside, username)),
    /** Removes a contact whom no message shows and to whom none was written. */
    removeContact: (username: string) => transaction((inside) => removeContact(inside, username)),
    renamePerson: (kind: 'user' | 'contact', username: string, newName: string) =>
      transaction((inside) => renamePerson(inside, kind, username, newName)),
    /** Removes a group with the conversations and messages of everybody; resolves to how many messages there were. */
    removeGroup: (name: string) => transaction((inside) => removeGroup(inside, name)),
    renameGroup: (name: string, newName: string) => transaction((inside) => renameGroup(inside, name, newName)),
    /** The person keeps the conversation, and gets and writes no more messages in it. */
    removeMember: (name: string, username: string) => transaction((inside) => removeMember(inside, name, username)),
  };
}

async function personOfKind(context: ServiceContext, kind: 'user' | 'contact', username: string): Promise<PersonRow> {
  const person = await personOf(context, username);
  const actual = person.is_user === 1 ? 'user' : 'contact';
  if (actual !== kind) throw badParameter(kind, `${person.username} is a ${actual} and not a ${kind}`);
  return person;
}

async function removeUser(context: ServiceContext, username: string): Promise<RemovedUser> {
  const { people, removal, versions } = context.store;
  const { seq } = await personOfKind(context, 'user', username);
  // Which messages are deleted depends on who else has them.
  await versions.bump([seq, ...(await removal.peopleBeside(seq))]);
  const tokens = await removal.removeTokens(seq);
  await removal.removeMemberships(seq);
  const conversations = await removal.removeConversations(seq);
  await people.set(seq, { is_user: 0 });
  return { tokens, conversations };
}

async function removeContact(context: ServiceContext, username: string): Promise<void> {
  const { removal, versions } = context.store;
  const { seq } = await personOfKind(context, 'contact', username);
  await versions.bump(await removal.partnersOf(seq));
  const uses = await removal.usesOf(seq);
  if (uses > 0)
    throw badParameter(
      'contact',
      `there are messages or reactions of ${username} (${uses}); rename the contact instead`,
    );
  await removal.removePerson(seq);
}

async function renamePerson(
  context: ServiceContext,
  kind: 'user' | 'contact',
  username: string,
  newName: string,
): Promise<PersonRow> {
  const { people, versions } = context.store;
  const { seq } = await personOfKind(context, kind, username);
  checkUsername(newName);
  const present = await people.byUsername(newName);
  if (present !== undefined && present.seq !== seq) throw taken(newName);
  // The name is a part of each message and reaction of this person.
  await versions.bumpAll();
  await people.rename(seq, newName);
  return personOf(context, newName);
}

async function removeGroup(context: ServiceContext, name: string): Promise<number> {
  const { conversations, people, removal, versions } = context.store;
  const { seq } = await groupOf(context, name);
  const thread = await conversations.threadOfGroup(seq);
  const members = (await people.members(seq)).map((member) => member.seq);
  await versions.bump([...members, ...(await removal.peopleWithConversation(thread))]);
  const messages = await removal.removeThread(thread);
  await removal.removeGroup(seq);
  return messages;
}

async function renameGroup(context: ServiceContext, name: string, newName: string): Promise<void> {
  const { people } = context.store;
  const { seq } = await groupOf(context, name);
  checkGroupName(newName);
  const present = await people.groupByName(newName);
  if (present !== undefined && present.seq !== seq) throw taken(newName);
  await people.renameGroup(seq, newName);
}

export async function removeMember(context: ServiceContext, name: string, username: string): Promise<void> {
  const { removal, versions } = context.store;
  const group = await groupOf(context, name);
  const person = await personOf(context, username);
  await versions.bump([person.seq]);
  if (!(await removal.removeMember(group.seq, person.seq)))
    throw badParameter('member', `${person.username} is not in ${group.name}`);
}
