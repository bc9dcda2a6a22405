/** Finds people and groups by the names that an administrator writes, and checks new names. */
import type { GroupRow, PersonRow } from '../store/people.ts';
import type { ServiceContext } from './service-context.ts';
import { badParameter, ServiceError } from './service-error.ts';

export async function personOf({ store }: ServiceContext, username: string): Promise<PersonRow> {
  const row = await store.people.byUsername(username);
  if (row === undefined) throw notThere('person', username);
  return row;
}

export async function groupOf({ store }: ServiceContext, name: string): Promise<GroupRow> {
  const row = await store.people.groupByName(name);
  if (row === undefined) throw notThere('group', name);
  return row;
}

export const taken = (name: string) => new ServiceError(400, 'name_taken', `the name ${name} is already taken`);

/** As `taken`, the end of the line that a command prints; no request is answered with it. */
export const notThere = (kind: 'person' | 'group' | 'token', name: string) =>
  new ServiceError(404, 'not_found', `there is no ${kind} ${name}`);

/** Usernames are used in reactions and on command lines, so they hold no spaces and no control characters. */
export function checkUsername(username: string): void {
  if (!/^[\p{L}\p{N}][\p{L}\p{M}\p{N}._-]{0,63}$/u.test(username)) {
    throw badParameter(
      'username',
      'must be 1 to 64 letters, digits, dots, dashes or underscores, a letter or digit first',
    );
  }
}

/** Lists print a name on one line, and a terminal obeys control characters. */
const breaksLine = /[\p{Cc}\p{Zl}\p{Zp}]/u;

export function checkGroupName(name: string): void {
  if (name.trim() === '' || name.length > 100) throw badParameter('name', 'must be 1 to 100 characters');
  if (breaksLine.test(name)) throw badParameter('name', 'must not contain a line end or another control character');
}
