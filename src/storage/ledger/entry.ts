/** The lines of the ledger: what left this machine, and which commands of the user were run. */

export interface RequestEntry {
  readonly kind: 'request';
  /** Milliseconds of the wall clock. */
  readonly at: number;
  readonly method: string;
  readonly host: string;
  readonly path: string;
  readonly status: number | null;
  readonly problem: string | null;
  readonly sent: number;
  readonly received: number;
  readonly durationMs: number;
  readonly reason: string;
}

/** The reason of a request for messages of the conversation that is open. @param reason that of other conversations */
export const ofOpenConversation = (reason: string): string => `${reason} of the open conversation`;

/** The reason of a request that a command made, whose answer no screen showed. @param reason that of the same request of a chat */
export const ofCommand = (reason: string): string => `${reason}, for a command`;

/** The reason of the first request of a chat: before it, there may have been no chat. @param reason that of the same request later */
export const atStart = (reason: string): string => `${reason}, at the start`;

export const isAtStart = ({ reason }: Pick<RequestEntry, 'reason'>): boolean => reason.endsWith(atStart(''));

export const isOfCommand = ({ reason }: Pick<RequestEntry, 'reason'>): boolean => reason.endsWith(ofCommand(''));

export interface HookEntry {
  readonly kind: 'hook';
  readonly at: number;
  /** The setting that names the command, such as `hooks.arrival`. */
  readonly reason: string;
  /** The program without its arguments, which may hold secrets. */
  readonly program: string;
  /** Why it failed, in one word; null when it worked. */
  readonly problem: string | null;
  /** Bytes that it was given on its standard input. */
  readonly sent: number;
  readonly durationMs: number;
}

/** Lines that could not be written, for example because the disk was full. */
export interface LossEntry {
  readonly kind: 'lost';
  readonly at: number;
  readonly count: number;
}

export type LedgerEntry = RequestEntry | HookEntry | LossEntry;

/** In bytes of JSON: four texts with the rest of the line are less than 4 KB. */
const longestText = 900;
/** One UTF-16 unit is no more bytes in JSON, in which it may be an escape. */
const longestUnit = 6;

/** One line of JSON under 4 KB; names as `msg-tui ledger --json` prints them. */
export function lineOf(entry: LedgerEntry): string {
  return `${JSON.stringify(rowOf(entry))}\n`;
}

/** The entry with the names and the time format of JSON output. */
export function rowOf(entry: LedgerEntry): Readonly<Record<string, string | number | null>> {
  const { kind, at } = entry;
  const head = { time: new Date(at).toISOString(), kind };
  if (entry.kind === 'lost') return { ...head, count: entry.count };
  const { reason, problem, sent, durationMs } = entry;
  const tail = { reason: cut(reason), problem: problem === null ? null : cut(problem), sent };
  if (entry.kind === 'hook') return { ...head, program: cut(entry.program), ...tail, duration_ms: durationMs };
  const { method, host, path, status, received } = entry;
  return { ...head, method, host: cut(host), path: cut(path), status, ...tail, received, duration_ms: durationMs };
}

/** The beginning of the text, in whole characters. */
function cut(text: string): string {
  if (text.length * longestUnit <= longestText) return text;
  let [bytes, end] = [0, 0];
  for (const character of text) {
    bytes += Buffer.byteLength(JSON.stringify(character)) - 2;
    if (bytes > longestText) break;
    end += character.length;
  }
  return text.slice(0, end);
}

/** Null for a line that is no entry, such as the end of a line that a crash cut off. */
export function entryOf(line: string): LedgerEntry | null {
  let row: unknown;
  try {
    row = JSON.parse(line);
  } catch {
    return null;
  }
  if (typeof row !== 'object' || row === null) return null;
  const values = new Map<string, unknown>(Object.entries(row));
  const text = (name: string): string => String(values.get(name) ?? '');
  const number = (name: string): number => Number(values.get(name)) || 0;
  const orNull = <T>(name: string, read: (name: string) => T): T | null =>
    (values.get(name) ?? null) === null ? null : read(name);
  const at = Date.parse(text('time'));
  if (Number.isNaN(at)) return null;
  const kind = values.get('kind');
  if (kind === 'lost') return { kind, at, count: number('count') };
  const what = { at, reason: text('reason'), problem: orNull('problem', text), sent: number('sent') };
  const durationMs = number('duration_ms');
  if (kind === 'hook') return { kind, ...what, program: text('program'), durationMs };
  if (kind !== 'request') return null;
  const where = { method: text('method'), host: text('host'), path: text('path') };
  return { kind, ...what, ...where, status: orNull('status', number), received: number('received'), durationMs };
}
