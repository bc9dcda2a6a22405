/** `msg-tui __complete SHELL LINE`: what the scripts of the shells call. It prints candidates, and never an error. */
import type { Command } from 'commander';
import type { Candidate, Offer } from './candidate.ts';
import { offerFor } from './offer.ts';
import { type Shell, shells, wordSeparator } from './scripts.ts';
import { quotedForBash, quotedForPowerShell, readBashLine } from './shell-line.ts';

type CommandTree = () => Promise<Command>;

/** The program ends after this time: a later answer does not help somebody who is typing. */
const longestWaitMs = 2_000;

/** @param commandTree makes the tree of all commands */
export async function complete(
  commandTree: CommandTree,
  [shell, line = '', breaks = '']: readonly string[],
): Promise<void> {
  // A cache on a network drive that does not answer must not block the shell.
  setTimeout(() => process.exit(0), longestWaitMs).unref();
  const known = shells.find((one) => one === shell);
  if (known === undefined) return;
  const text = await completionOf(await commandTree(), known, line, breaks);
  process.stdout.write(text);
}

/** The lines for the script of this shell. */
export async function completionOf(program: Command, shell: Shell, line: string, breaks: string): Promise<string> {
  if (shell === 'bash') {
    const { words, quote, kept, isRedirection } = readBashLine(line, breaks);
    if (isRedirection) return 'files\n';
    const offer = await offerFor(program, words.slice(1));
    const values = offer.candidates.map(({ value }) => value).filter((value) => value.startsWith(kept));
    return linesOf(
      offer,
      values.map((value) => quotedForBash(value.slice(kept.length), quote)),
    );
  }
  const offer = await offerFor(program, line.split(wordSeparator).slice(1));
  return linesOf(offer, offer.candidates.map(shell === 'powershell' ? forPowerShell : withAbout));
}

const linesOf = ({ kind }: Offer, candidates: readonly string[]): string =>
  `${[kind, ...candidates].map((line) => `${line}\n`).join('')}`;

const withAbout = ({ value, about }: Candidate): string => (about === '' ? value : `${value}\t${oneLine(about)}`);

/** The line for PowerShell: the text to insert, the text in the list, and the tip, which may not be empty. */
const forPowerShell = ({ value, about }: Candidate): string =>
  [quotedForPowerShell(value), value, oneLine(about) || value].join('\t');

const oneLine = (text: string): string => text.replaceAll(/[\t\n]+/g, ' ');
