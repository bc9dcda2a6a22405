/** Names the files of a folder with an archive for each conversation. */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { ConversationId } from '../../protocol/types.ts';
import { failure } from '../archive/write-archive.ts';
import { endingOf, type Format } from './export-options.ts';

const longestWord = 40;

/**
 * `ann-wells-1a2b3c4d.jsonl`: letters and digits of the name, and a hash of the id, which itself never becomes part of a
 * file name. A file of an earlier export keeps its name, whatever the conversation is called now.
 * @throws ExitError where the folder cannot be used
 */
export function fileNameIn(folder: string, name: string, id: ConversationId, format: Format): string {
  const end = `-${createHash('sha256').update(id).digest('hex').slice(0, 8)}.${endingOf(format)}`;
  try {
    if (!existsSync(folder)) mkdirSync(folder, { mode: 0o700 });
    const held = readdirSync(folder).find((one) => one.endsWith(end));
    return join(folder, held ?? `${wordOf(name)}${end}`);
  } catch (error) {
    throw failure(folder, error);
  }
}

const wordOf = (name: string): string =>
  name
    .normalize('NFC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .slice(0, longestWord)
    .toWellFormed()
    .replace(/^-+|-+$/g, '') || 'conversation';
