/** Checks the options of `msg-tui export`. */
import { statSync } from 'node:fs';
import type { Millis } from '../../protocol/types.ts';
import type { WithAccountOptions } from '../headless/account.ts';
import { momentOf } from '../input/moment.ts';
import { ExitError, exitCodes } from '../process/exit.ts';

const formats = ['jsonl', 'markdown', 'html'] as const;
export type Format = (typeof formats)[number];

export const endingOf = (format: Format): string => (format === 'markdown' ? 'md' : format);

export interface ExportOptions extends WithAccountOptions {
  readonly all?: boolean;
  readonly format?: string;
  readonly output?: string;
  readonly incremental?: boolean;
  readonly complete?: boolean;
  readonly since?: string;
  readonly json?: boolean;
}

/** The options of `msg-tui export` once it is known that they fit together. */
export interface CheckedOptions {
  readonly format: Format;
  /** The path of the file or folder; null: stdout. */
  readonly output: string | null;
  /** Whether each conversation gets a file in the folder `output`. */
  readonly isFolder: boolean;
  readonly isIncremental: boolean;
  readonly since: Millis | null;
  /** Whether a JSON document says what was written. */
  readonly isJson: boolean;
}

/** @throws ExitError 2 for options that do not fit together */
export function checkedOptions(typed: readonly string[], options: ExportOptions): CheckedOptions {
  const usage = (message: string): ExitError => new ExitError(exitCodes.usage, message);
  const { output = '-', incremental = false } = options;
  if (typed.length > 0 && options.all === true) throw usage('give the names of conversations or --all, not both');
  if (typed.length === 0 && options.all !== true)
    throw usage('name the conversations to export, or give --all for all of them');
  const format = formats.find((one) => one === (options.format ?? formatOf(output)));
  if (format === undefined) throw usage(`--format is one of ${formats.join(', ')}`);
  const since = options.since === undefined ? null : momentOf('--since', options.since, Date.now());
  if (incremental && format !== 'jsonl')
    throw usage('--incremental needs --format jsonl; other formats are written whole');
  if (incremental && output === '-') throw usage('--incremental needs --output with the file to add to');
  if (options.json === true && output === '-')
    throw usage('--json needs --output, as it describes the files; without --output, stdout has the export itself');
  const isFolder = output !== '-' && (/[/\\]$/.test(output) || isDirectory(output));
  return {
    format,
    output: output === '-' ? null : output,
    isFolder,
    isIncremental: incremental,
    since,
    isJson: options.json === true,
  };
}

const endings: Readonly<Record<string, Format>> = { md: 'markdown', markdown: 'markdown', html: 'html', htm: 'html' };

const formatOf = (output: string): Format => endings[/\.(\w+)$/.exec(output)?.[1]?.toLowerCase() ?? ''] ?? 'jsonl';

const isDirectory = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
