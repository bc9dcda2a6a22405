/** Determines what the shell offers for a half-typed command line. */
import { readdirSync } from 'node:fs';
import type { Command } from 'commander';
import { type Config, loadConfig } from '../../config/file.ts';
import { currentPaths, type ProfileDirectories } from '../../config/paths.ts';
import { rowOf, settingIds, settingOf } from '../../config/settings-table.ts';
import { isThemeFile, themeNames } from '../../config/theme.ts';
import { themeDirectory } from '../../config/theme-file.ts';
import { sanitizeLine } from '../../text/safe/sanitize.ts';
import { choicesOf } from '../config/setting-entries.ts';
import { capabilityNames } from '../health/capability-words.ts';
import { directoriesOfAccount } from '../sign-in/account-directories.ts';
import { accountEnvironment, chosenProfile } from '../sign-in/chosen-profile.ts';
import type { Candidate, Offer } from './candidate.ts';
import { type ExpectedValue, expectedAfter } from './expected.ts';

interface Asking {
  readonly word: string;
  readonly value: ExpectedValue;
  readonly known: () => Promise<Known>;
}

type Source = (asking: Asking) => Offer | Promise<Offer>;

const words = (candidates: readonly Candidate[]): Offer => ({ kind: 'words', candidates });
const named = (names: readonly string[]): Offer => words(names.map((value) => ({ value, about: '' })));
const files: Source = () => ({ kind: 'files', candidates: [] });
const directories: Source = () => ({ kind: 'directories', candidates: [] });

type Live = typeof import('./live-names.ts');

/** Candidates from the files of the account; none where no account is set up. */
const live =
  (read: (live: Live, files: ProfileDirectories, asking: Asking) => readonly Candidate[]): Source =>
  async (asking) => {
    const account = await asking.known();
    return words(account.files === null ? [] : read(await import('./live-names.ts'), account.files, asking));
  };

const conversation = live(({ conversationCandidates }, account, { word }) => conversationCandidates(account, word));
const person = live(({ personCandidates }, account, { word }) => personCandidates(account, word));
const message = live(({ messageCandidates }, account, { value }) =>
  messageCandidates(account, value.operands[0] ?? '', ['edit', 'delete'].includes(value.command.name())),
);

const profile: Source = async ({ known }) => {
  const profiles = [...((await known()).config?.profiles.values() ?? [])];
  return words(profiles.map(({ name, server }) => ({ value: name, about: sanitizeLine(server) })));
};

const emoji: Source = async ({ word }) => {
  const { quickReactions, searchEmoji } = await import('../../text/emoji/emoji.ts');
  if (word === '') return named(quickReactions);
  const found = searchEmoji(word, 200).filter(({ name }) => name.startsWith(word));
  return words(found.map(({ name, glyph }) => ({ value: name, about: glyph })));
};

const settingValue: Source = async ({ known, value }) => {
  const { configFile } = await known();
  return words(settingValueCandidates(value.operands[0] ?? '', () => themesIn(configFile)));
};

function themesIn(configFile: string): readonly string[] {
  try {
    return [...themeNames, ...readdirSync(themeDirectory(configFile)).filter(isThemeFile)];
  } catch {
    return themeNames;
  }
}

/** The sources of candidates by the name of the value in the help; others, such as a text or a number, have none. */
const sources: Readonly<Record<string, Source>> = {
  conversation,
  person,
  contact: person,
  'contact|group': person,
  message,
  op: live(({ opCandidates }, account) => opCandidates(account)),
  emoji,
  profile,
  setting: () => named(settingIds),
  value: settingValue,
  capability: () => named(capabilityNames),
  theme: async ({ known }) => named(themesIn((await known()).configFile)),
  file: files,
  path: files,
  archive: files,
  directory: directories,
  folder: directories,
};

function sourceOf({ option, name }: ExpectedValue): Source | undefined {
  return option === '--profile' ? profile : Object.hasOwn(sources, name) ? sources[name] : undefined;
}

/** @param typed the words after the name of the program; the last one is at the cursor */
export async function offerFor(program: Command, typed: readonly string[]): Promise<Offer> {
  const { word, prefix, commands, options, value, given } = expectedAfter(program, typed);
  const rest = word.slice(prefix.length);
  // `delete --conversation` takes no message.
  const isAsked = value !== null && !(value.name === 'message' && given.has('--conversation'));
  const offered = isAsked ? await valuesOf(value, rest, given.get('--profile') ?? null) : words([]);
  if (offered.kind !== 'words') return offered;
  const candidates = [
    ...commands.map((command) => ({ value: command.name(), about: command.description() })),
    ...options.flatMap(({ long, short, description }) => ({ value: long ?? short ?? '', about: description })),
    ...offered.candidates.map((candidate) => ({ ...candidate, value: prefix + candidate.value })),
  ];
  const isNear = ({ value: text }: Candidate): boolean => text.toLowerCase().startsWith(word.toLowerCase());
  return words(candidates.filter((candidate) => isNear(candidate) && isOneLine(candidate.value)));
}

async function valuesOf(value: ExpectedValue, word: string, profileName: string | null): Promise<Offer> {
  if (value.choices.length > 0) return named(value.choices);
  const source = sourceOf(value);
  return source === undefined ? words([]) : source({ word, value, known: () => knownAccount(profileName) });
}

/** Whether the text has no character that could control a terminal or end a line. */
const isOneLine = (text: string): boolean => text !== '' && !/[\p{Cc}\u2028\u2029\p{Cs}]/u.test(text);

/** The account whose cached names are offered. It is found by files alone, and nothing that is wrong with them is reported. */
export interface Known {
  readonly config: Config | null;
  readonly configFile: string;
  /** Null where no account is set up, or its directory is named after a token that is not known. */
  readonly files: ProfileDirectories | null;
}

/** @param name the name of the profile on the command line */
async function knownAccount(name: string | null): Promise<Known> {
  const paths = currentPaths();
  const { configFile } = paths;
  let config: Config | null = null;
  try {
    config = await loadConfig(configFile);
    const environment = accountEnvironment(name === null ? {} : { profile: name });
    const profile = chosenProfile(config, environment);
    return { config, configFile, files: profile && (await directoriesOfAccount(paths, environment, profile)) };
  } catch {
    // What is wrong is reported by the command itself.
    return { config, configFile, files: null };
  }
}

/** Finds values of a setting for the completion of `msg-tui config set`. */
function settingValueCandidates(name: string, themes: () => readonly string[]): readonly Candidate[] {
  const id = settingOf(name);
  if (id === null) return [];
  const { default: fallback } = rowOf(id);
  const values = id === 'theme' ? themes() : (choicesOf(id) ?? []);
  return values.flatMap((value) =>
    value === null ? [] : { value: String(value), about: value === fallback ? 'default' : '' },
  );
}
