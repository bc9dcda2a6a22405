/** SQL of people, tokens and groups. */
import type { Sql } from './database.ts';

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

export function createPeopleStore(sql: Sql) {
  return {
    add: (person: Omit<PersonRow, 'seq' | 'last_active_at'>): number => sql.insert('people', person),
    set: (seq: number, columns: Partial<Pick<PersonRow, 'is_user' | 'last_active_at'>>) =>
      sql.update('people', seq, columns),
    bySeq: (seq: number) => sql.get<PersonRow>('SELECT * FROM people WHERE seq = ?', seq),
    byId: (id: string) => sql.get<PersonRow>('SELECT * FROM people WHERE id = ?', id),
    byUsername: (username: string) => sql.get<PersonRow>('SELECT * FROM people WHERE username = ?', username),
    list: (isUser: 0 | 1) => sql.all<PersonRow>('SELECT * FROM people WHERE is_user = ? ORDER BY seq', isUser),

    addToken: (token: Omit<TokenRow, 'seq'>) => sql.insert('tokens', token),
    tokenByDigest: (digest: Uint8Array) => sql.get<TokenRow>('SELECT * FROM tokens WHERE digest = ?', digest),
    tokens: () =>
      sql.all<TokenRow & { readonly username: string }>(
        'SELECT t.*, p.username FROM tokens t JOIN people p ON p.seq = t.person_seq ORDER BY t.seq',
      ),
    removeToken: (id: string): boolean =>
      sql.get<{ seq: number }>('DELETE FROM tokens WHERE id = ? RETURNING seq', id) !== undefined,

    addGroup: (group: Omit<GroupRow, 'seq'>): number => sql.insert('chat_groups', group),
    groupById: (id: string) => sql.get<GroupRow>('SELECT * FROM chat_groups WHERE id = ?', id),
    groupByName: (name: string) => sql.get<GroupRow>('SELECT * FROM chat_groups WHERE name = ?', name),
    groups: () => sql.all<GroupRow>('SELECT * FROM chat_groups ORDER BY seq'),
    addMember: (groupSeq: number, personSeq: number) =>
      sql.run('INSERT OR IGNORE INTO group_members (group_seq, person_seq) VALUES (?, ?)', groupSeq, personSeq),
    isMember: (groupSeq: number, personSeq: number): boolean =>
      sql.get('SELECT 1 FROM group_members WHERE group_seq = ? AND person_seq = ?', groupSeq, personSeq) !== undefined,
    members: (groupSeq: number) =>
      sql.all<PersonRow>(
        'SELECT p.* FROM group_members g JOIN people p ON p.seq = g.person_seq WHERE g.group_seq = ? ORDER BY p.seq',
        groupSeq,
      ),
  };
}

export type PeopleStore = ReturnType<typeof createPeopleStore>;
