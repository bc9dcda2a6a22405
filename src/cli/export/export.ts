/** `msg-tui export`: writes conversations of the cache into files. */
import { createReadStream, existsSync } from 'node:fs';
import { join } from 'node:path';
import type { ConversationId, Millis } from '../../protocol/types.ts';
import type { AppState } from '../../state/model/app-state.ts';
import { selectConversationName } from '../../state/select/names.ts';
import { type ArchiveSource, entriesOf, listed, type Selection } from '../archive/entries.ts';
import type { Entry } from '../archive/entry.ts';
import { htmlOf } from '../archive/html.ts';
import { type Earlier, jsonLines, nothingEarlier, readEarlier } from '../archive/jsonl.ts';
import { markdownOf } from '../archive/markdown.ts';
import { type Names, namesOf } from '../archive/readable.ts';
import { openSource } from '../archive/source.ts';
import { failure, printArchive, writeArchive } from '../archive/write-archive.ts';
import { type Account, withAccount } from '../headless/account.ts';
import { lookUpConversation } from '../names/look-up.ts';
import { processOutput } from '../output/print.ts';
import { ExitError, exitCodes } from '../process/exit.ts';
import { completeHistory } from './complete.ts';
import { type CheckedOptions, checkedOptions, type ExportOptions, type Format } from './export-options.ts';
import { Counter, ExportReport } from './export-report.ts';
import { fileNameIn } from './file-name.ts';

/** Rejects with ExitError: 2 for options that do not fit together, 5 for an unknown conversation, 1 for a failure. */
export async function runExport(typed: readonly string[], options: ExportOptions): Promise<void> {
  const wanted = checkedOptions(typed, options);
  await withAccount(options, async (account) => {
    const picked = new Set<ConversationId>();
    for (const name of typed)
      picked.add((await lookUpConversation(account, name, { isCacheEnough: options.complete !== true })).id);
    const conversations = options.all === true ? null : [...picked];
    const unreached = options.complete === true ? await complete(account, conversations, wanted.since) : null;
    await exportFrom(account, conversations, { ...wanted, isAsked: options.complete === true && unreached === null });
    if (unreached !== null) throw unreached;
  });
}

/** Resolves to the error where the server was not reached, or not in time: the cached messages are exported nevertheless. */
async function complete(
  account: Account,
  conversations: readonly ConversationId[] | null,
  since: Millis | null,
): Promise<ExitError | null> {
  try {
    await completeHistory(account, conversations, since);
    return null;
  } catch (error) {
    if (!(error instanceof ExitError) || error.code !== exitCodes.notReached) throw error;
    return new ExitError(error.code, `${error.message}; the export has what is cached`);
  }
}

interface WantedExport extends CheckedOptions {
  /** Whether the server was asked for everything that is exported. */
  readonly isAsked: boolean;
}

async function exportFrom(
  account: Account,
  conversations: readonly ConversationId[] | null,
  wanted: WantedExport,
): Promise<void> {
  const state = account.store.getState();
  if (!existsSync(join(account.opened.cacheDirectory, 'cache.db')))
    throw new ExitError(exitCodes.failure, 'there is nothing to export, as no messages are kept on disk here');
  const report = new ExportReport(processOutput(), wanted.isJson, wanted.isAsked);
  const source = openSource(account.opened.cacheDirectory, account.opened.server, state, wanted.isAsked);
  try {
    const { output, since } = wanted;
    if (output === null || !wanted.isFolder) {
      await exportFile({ source, state, selection: { conversations, since }, wanted, report }, output);
      return report.end();
    }
    const chosen = listed(source, conversations);
    for (const { id } of chosen) {
      const path = fileNameIn(output, selectConversationName(state, id), id, wanted.format);
      await exportFile({ source, state, selection: { conversations: [id], since }, wanted, report }, path);
    }
    const rest = { conversations: [], since, hasEverybody: true };
    if (conversations === null)
      await finishFolder({ source, state, selection: rest, wanted, report }, output, chosen.length);
    report.end();
  } finally {
    source.close();
  }
}

interface Job {
  readonly source: ArchiveSource;
  readonly state: AppState;
  readonly selection: Selection;
  readonly wanted: WantedExport;
  readonly report: ExportReport;
}

/** No conversation has this id, and its hash makes sure that no file of the user is replaced. */
const noConversation = '';

/**
 * Writes everybody in the contact book into a file of its own, in the one format that has people, and says what the
 * folder holds and whether conversations may be missing.
 */
async function finishFolder(job: Job, folder: string, conversations: number): Promise<void> {
  const { format } = job.wanted;
  const count = new Counter();
  const entries = count.over(entriesOf(job.source, job.selection));
  if (format === 'jsonl') await write(job, entries, fileNameIn(folder, 'people', noConversation, format));
  // Only entries that are read are counted.
  else Array.from(entries);
  job.report.folder(folder, conversations, count);
}

async function exportFile(job: Job, path: string | null): Promise<void> {
  const count = new Counter();
  const entries = count.over(entriesOf(job.source, job.selection));
  const isWritten = await write(job, entries, path);
  if (path !== null) job.report.file(path, isWritten, count);
}

/** Returns false where there is nothing new. @param path null: stdout */
async function write(
  { source, state, selection, wanted }: Job,
  entries: Iterable<Entry>,
  path: string | null,
): Promise<boolean> {
  const earlier = path !== null && wanted.isIncremental ? await earlierIn(path, source) : null;
  const titles = listed(source, selection.conversations).map(({ id }) => selectConversationName(state, id));
  const text = written(wanted.format, entries, namesOf(state), titles, earlier ?? nothingEarlier());
  if (path !== null) return writeArchive(path, text, { keeps: earlier !== null });
  await printArchive(text);
  return true;
}

function written(
  format: Format,
  entries: Iterable<Entry>,
  names: Names,
  titles: readonly string[],
  earlier: Earlier,
): Iterable<string> {
  if (format === 'jsonl') return jsonLines(entries, earlier);
  return format === 'markdown' ? markdownOf(entries, names) : htmlOf(entries, names, titles);
}

/**
 * What an earlier export has written into the file; null where there is no file yet. Rejects with ExitError where it is of
 * another account than this one: a file of two servers could not be imported any more, and in one of two accounts nobody
 * could tell whose conversations they are.
 */
async function earlierIn(path: string, { server, me }: ArchiveSource): Promise<Earlier | null> {
  if (!existsSync(path)) return null;
  const earlier = await readEarlier(createReadStream(path), path).catch((error: unknown) => {
    throw error instanceof ExitError ? error : failure(path, error);
  });
  if (earlier.server !== server)
    throw ofAnotherAccount(path, `is an export from ${earlier.server}, and this account is on ${server}`);
  if (earlier.me !== null && me !== null && earlier.me !== me.contactId)
    throw ofAnotherAccount(path, `is an export of another account on ${server}`);
  return earlier;
}

const ofAnotherAccount = (path: string, what: string): ExitError =>
  new ExitError(exitCodes.failure, `${path} ${what}; choose another file`);
