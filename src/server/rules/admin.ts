/**
 * The rules for people, tokens and groups, which the API has no operations for: the server's command line uses them.
 */
import type { GroupRow, PersonRow } from '../store/people.ts';
import { digestOf, newId, newToken } from '../store/secrets.ts';
import { checkGroupName, checkUsername, groupOf, notThere, personOf, taken } from './named.ts';
import { createRemoval, removeMember } from './removal.ts';
import type { ServiceContext } from './service-context.ts';
import { badParameter } from './service-error.ts';

export interface PersonDetails {
  readonly username: string;
  readonly phoneNumber?: string;
  readonly avatarUrl?: string;
}

export interface CreatedToken {
  /** Names the token in lists and for revoking; not secret. */
  readonly id: string;
  /** Shown once: only its digest is kept. */
  readonly token: string;
}

export type Admin = ReturnType<typeof createAdmin>;

/**
 * Every name is a username or a group's name, as people write them. Rejects with a `ServiceError` that is one clear
 * sentence.
 */
export function createAdmin(context: ServiceContext) {
  const { store, transaction } = context;
  return {
    ...createRemoval(context),
    /** Turns a contact of that name into a user when there is one. */
    createUser: (details: PersonDetails) => transaction((inside) => createUser(inside, details)),
    createContact: (details: PersonDetails) =>
      transaction(async (inside) => {
        if ((await inside.store.people.byUsername(details.username)) !== undefined) throw taken(details.username);
        return addPerson(inside, details, 0);
      }),
    users: () => store.people.list(1),
    contacts: () => store.people.list(0),
    person: (username: string) => personOf(context, username),
    createToken: (username: string, label = '') => transaction((inside) => createToken(inside, username, label)),
    tokens: () => store.people.tokens(),
    revokeToken: (id: string) =>
      transaction(async (inside) => {
        if (!(await inside.store.people.removeToken(id))) throw notThere('token', id);
      }),
    createGroup: (name: string, members: readonly string[] = []) =>
      transaction((inside) => createGroup(inside, name, members)),
    addMember: (name: string, username: string) => transaction((inside) => addMember(inside, name, username)),
    /** Makes all of the changes; none where one of them is refused. */
    changeMembers: (name: string, added: readonly string[], removed: readonly string[]) =>
      transaction(async (inside) => {
        for (const username of added) await addMember(inside, name, username);
        for (const username of removed) await removeMember(inside, name, username);
      }),
    groups: () => store.people.groups(),
    group: (name: string) => groupOf(context, name),
    members: async (name: string) => store.people.members((await groupOf(context, name)).seq),
  };
}

async function createUser(context: ServiceContext, details: PersonDetails): Promise<PersonRow> {
  const { people, versions } = context.store;
  const present = await people.byUsername(details.username);
  if (present === undefined) return addPerson(context, details, 1);
  if (present.is_user === 1) throw taken(details.username);
  const { phoneNumber = present.phone_number, avatarUrl = present.avatar_url } = details;
  // Both are a part of each message of this person.
  if (phoneNumber !== present.phone_number || avatarUrl !== present.avatar_url) await versions.bumpAll();
  await people.set(present.seq, { is_user: 1, phone_number: phoneNumber, avatar_url: avatarUrl });
  return personOf(context, details.username);
}

async function addPerson(context: ServiceContext, details: PersonDetails, isUser: 0 | 1): Promise<PersonRow> {
  checkUsername(details.username);
  await context.store.people.add({
    id: newId(context.random),
    username: details.username,
    phone_number: details.phoneNumber ?? '',
    avatar_url: details.avatarUrl ?? '',
    is_user: isUser,
    created_at: context.now(),
  });
  return personOf(context, details.username);
}

async function addMember(context: ServiceContext, name: string, username: string): Promise<void> {
  const group = await groupOf(context, name);
  await context.store.people.addMember(group.seq, (await personOf(context, username)).seq);
}

async function createToken(context: ServiceContext, username: string, label: string): Promise<CreatedToken> {
  const { store, now, random } = context;
  // Who removes the user locks the same counter first. So a user found after it is still one when the token is stored.
  await store.versions.bump([(await personOf(context, username)).seq]);
  const owner = await personOf(context, username);
  if (owner.is_user !== 1) throw badParameter('user', `${username} is a contact and not a user`);
  const id = newId(random).slice(0, 8);
  const token = newToken(random);
  await store.people.addToken({ id, digest: digestOf(token), person_seq: owner.seq, label, created_at: now() });
  return { id, token };
}

async function createGroup(context: ServiceContext, name: string, members: readonly string[]): Promise<GroupRow> {
  const { store, now, random } = context;
  checkGroupName(name);
  if ((await store.people.groupByName(name)) !== undefined) throw taken(name);
  const seq = await store.people.addGroup({ id: newId(random), name, created_at: now() });
  for (const member of members) await store.people.addMember(seq, (await personOf(context, member)).seq);
  return groupOf(context, name);
}
