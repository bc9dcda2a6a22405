/** What the commands of `serve` print. */
import type { PersonRow } from '../../server/store/people.ts';
import { plain } from '../ascii-output.ts';

export const printPerson = (person: PersonRow): void => print(`${person.id}\t${person.username}`);
export const isoTime = (seconds: number): string => new Date(seconds * 1000).toISOString();
// Names come from a file that others may have written to: nothing of them may drive the terminal.
export const oneLine = (text: string): string => text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ');
const cell = (text: string): string => plain(oneLine(text));
export const print = (line: string): void => void process.stdout.write(`${line.split('\t').map(cell).join('\t')}\n`);
export const complain = (line: string): void => void process.stderr.write(`${cell(line)}\n`);
