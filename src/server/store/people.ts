/** SQL of people, tokens and groups. */
import { batched } from './batch.ts';
import type { Sql } from './sql.ts';

export interface PersonRow {
  readonly seq: number;
  readonly id: string;
  readonly username: string;
  readonly phone_number: string;
  readonly avatar_url: string;
  readonly is_user: number;
  readonly last_active_at: number | null;
  readonly created_at: number;
}

/** The owner of a token, and how often what they can see had changed when the token was read. */
export interface Caller extends PersonRow {
  readonly version: number;
}

export interface GroupRow {
  readonly seq: number;
  readonly id: string;
  readonly name: string;
  readonly created_at: number;
}

export interface TokenRow {
  readonly seq: number;
  readonly id: string;
  readonly digest: Uint8Array;
  readonly person_seq: number;
  readonly label: string;
  readonly created_at: number;
}

/** As `lower` does in both engines: the letters A to Z alone, whatever the locale of the database is. */
const inLowerCase = (name: string): string => name.replace(/[A-Z]/g, (letter) => letter.toLowerCase());

export function createPeopleStore(sql: Sql) {
  return {
    ...createTokenStore(sql),
    ...createGroupStore(sql),
    add: async (person: Omit<PersonRow, 'seq' | 'last_active_at'>): Promise<number> => {
      const seq = await sql.insert('people', person);
      await sql.run('INSERT INTO versions (person_seq) VALUES (?)', seq);
      return seq;
    },
    set: (
      seq: number,
      columns: Partial<Pick<PersonRow, 'is_user' | 'last_active_at' | 'phone_number' | 'avatar_url'>>,
    ) => sql.update('people', seq, columns),
    rename: (seq: number, username: string) => sql.update('people', seq, { username }),
    bySeq: (seq: number) => sql.get<PersonRow>('SELECT * FROM people WHERE seq = ?', seq),
    byId: (id: string) => sql.get<PersonRow>('SELECT * FROM people WHERE id = ?', id),
    byUsername: (username: string) =>
      sql.get<PersonRow>('SELECT * FROM people WHERE lower(username) = ?', inLowerCase(username)),
    /** When these people were last active. */
    lastActive: (ids: readonly string[]) =>
      sql.all<Pick<PersonRow, 'id' | 'last_active_at'>>(
        `SELECT p.id, p.last_active_at FROM ${sql.dialect.pairsTable} n JOIN people p ON p.id = n.text`,
        sql.dialect.pairs(ids.map((id) => [0, id])),
      ),
    list: (isUser: 0 | 1) => sql.all<PersonRow>('SELECT * FROM people WHERE is_user = ? ORDER BY seq', isUser),
  };
}

/** Resolves to the owner of the token with this digest; null when there is no such token. */
type OwnerOfToken = (digest: Uint8Array) => Promise<Caller | null>;

function createOwnerOfToken(sql: Sql): OwnerOfToken {
  const { name, joinInOrder, pairsTable, pairs } = sql.dialect;
  const joinOwner = `${joinInOrder} people p ON p.seq = t.person_seq ${joinInOrder} versions v ON v.person_seq = p.seq`;
  // On SQLite a statement for each token takes less time than a list as JSON; on PostgreSQL each one is a round trip.
  if (name === 'sqlite') {
    const select = `SELECT p.*, v.version FROM tokens t ${joinOwner} WHERE t.digest = ?`;
    return async (digest) => (await sql.get<Caller>(select, digest)) ?? null;
  }
  const selectAll = `
SELECT n.number AS place, p.*, v.version FROM ${pairsTable} n JOIN tokens t ON t.digest = decode(n.text, 'hex') ${joinOwner}`;
  return batched(async (digests) => {
    const listed = digests.map((digest, place) => [place, Buffer.from(digest).toString('hex')] as const);
    const rows = await sql.all<Caller & { readonly place: number }>(selectAll, pairs(listed));
    const owners = new Map(rows.map(({ place, ...owner }) => [place, owner]));
    return digests.map((_, place) => owners.get(place) ?? null);
  });
}

function createTokenStore(sql: Sql) {
  return {
    addToken: (token: Omit<TokenRow, 'seq'>) => sql.insert('tokens', token),
    ownerOfToken: createOwnerOfToken(sql),
    tokens: () =>
      sql.all<TokenRow & { readonly username: string }>(
        'SELECT t.*, p.username FROM tokens t JOIN people p ON p.seq = t.person_seq ORDER BY t.seq',
      ),
    removeToken: async (id: string): Promise<boolean> =>
      (await sql.get('DELETE FROM tokens WHERE id = ? RETURNING seq', id)) !== undefined,
  };
}

function createGroupStore(sql: Sql) {
  return {
    addGroup: (group: Omit<GroupRow, 'seq'>) => sql.insert('chat_groups', group),
    renameGroup: (seq: number, name: string) => sql.update('chat_groups', seq, { name }),
    groupById: (id: string) => sql.get<GroupRow>('SELECT * FROM chat_groups WHERE id = ?', id),
    groupByName: (name: string) => sql.get<GroupRow>('SELECT * FROM chat_groups WHERE name = ?', name),
    groups: () => sql.all<GroupRow>('SELECT * FROM chat_groups ORDER BY seq'),
    addMember: (groupSeq: number, personSeq: number) =>
      sql.run(
        'INSERT INTO group_members (group_seq, person_seq) VALUES (?, ?) ON CONFLICT DO NOTHING',
        groupSeq,
        personSeq,
      ),
    isMember: async (groupSeq: number, personSeq: number): Promise<boolean> => {
      const query = 'SELECT 1 FROM group_members WHERE group_seq = ? AND person_seq = ?';
      return (await sql.get(query, groupSeq, personSeq)) !== undefined;
    },
    members: (groupSeq: number) =>
      sql.all<PersonRow>(
        'SELECT p.* FROM group_members g JOIN people p ON p.seq = g.person_seq WHERE g.group_seq = ? ORDER BY p.seq',
        groupSeq,
      ),
  };
}

export type PeopleStore = ReturnType<typeof createPeopleStore>;
