/** Prints lines, people and JSON lists for the commands of `serve`. */
import type { PersonRow } from '../../server/store/people.ts';
import { isoTime, jsonDocument, processOutput } from '../output/print.ts';
import { forLocale } from '../process/ascii-output.ts';

export interface ListOptions {
  readonly json?: true;
}

export const printPerson = (person: PersonRow): void => print(`${person.id}\t${person.username}`);

/** Writes a time of the database, which is in seconds. */
export const timeOf = (seconds: number | null): string | null => isoTime(seconds === null ? null : seconds * 1000);

/** The fields of a contact as the API has them. */
const personJson = ({ id, username, phone_number, avatar_url, last_active_at, created_at }: PersonRow) => ({
  id,
  username,
  phone_number,
  avatar_url,
  last_active_at: timeOf(last_active_at),
  created_at: timeOf(created_at),
});

/** Prints one JSON document whose field `name` is the list. */
export const printJson = (name: string, list: readonly unknown[]): void =>
  processOutput().json(jsonDocument({ [name]: list }));

export function printPeople(name: string, people: readonly PersonRow[], { json }: ListOptions): void {
  if (json === true) printJson(name, people.map(personJson));
  else people.forEach(printPerson);
}

// Names come from a database that others may have written to: nothing of them may control the terminal.
export const oneLine = (text: string): string => text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ');
const cell = (text: string): string => forLocale(oneLine(text));
export const print = (line: string): void => void process.stdout.write(`${line.split('\t').map(cell).join('\t')}\n`);
export const complain = (line: string): void => void process.stderr.write(`${cell(line)}\n`);
