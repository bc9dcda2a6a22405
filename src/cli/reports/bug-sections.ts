/** Makes the parts of a report that come from this machine: program, terminal, settings, and the checks of `doctor`. */
import { release } from 'node:os';
import type { Environment } from '../../config/environment.ts';
import { inspectConfig, readConfigText } from '../../config/file.ts';
import { rowOf } from '../../config/settings-table.ts';
import { themeNames } from '../../config/theme.ts';
import { isCode } from '../../storage/ledger/debug-log.ts';
import { initialCapabilities } from '../../terminal/capabilities.ts';
import { type SettingValue, settingValues } from '../config/setting-values.ts';
import type { Check } from '../output/check.ts';
import { terminalFacts } from '../process/terminal-session.ts';
import { version } from '../process/version.ts';

export const programFacts = () => ({
  msg_tui: version,
  node: process.version,
  platform: process.platform,
  arch: process.arch,
  system: isCode(release()) ? release() : null,
});

/** A variable of the environment is taken over where it is a short word, as names and versions of terminals are. */
const word = (text: string): string | null => (text === '' ? '' : isCode(text) ? text : null);

export function terminalReport(environment: Environment) {
  const { term, colorTerm, program, programVersion, locale, tmux, screen, ssh, windowsTerminal, host } =
    environment.terminal;
  const { isTty, columns, rows } = { ...process.stdout, isTty: process.stdout.isTTY === true };
  const { colours, isUnicode, isDumb } = initialCapabilities({ ...terminalFacts(environment), isTty: true });
  return {
    term: word(term),
    color_term: word(colorTerm),
    program: word(program),
    program_version: word(programVersion),
    locale: word(locale),
    ...{ tmux, screen, ssh, windows_terminal: windowsTerminal, host, no_color: environment.noColor },
    size: isTty ? { columns, rows } : null,
    seen_as: { colours, is_unicode: isUnicode, is_dumb: isDumb },
  };
}

/** The names of the settings that are set, and the values of those that can only be a number, a switch or a fixed word. */
export async function settingsReport(file: string, environment: Environment) {
  try {
    const inspected = await inspectConfig(file, readConfigText(file));
    const settings = settingValues(inspected, environment).map((one) => [one.id, shownValue(one)] as const);
    const { problems, profiles } = inspected;
    return { values: Object.fromEntries(settings), profiles: profiles.size, problems: problems.length };
  } catch {
    return { values: null, profiles: null, problems: 1 };
  }
}

function shownValue({ id, value, source }: SettingValue): unknown {
  if (source.from === 'default') return 'default';
  const { type } = rowOf(id).schema;
  const isOpen = type === 'picklist' || typeof value === 'boolean' || typeof value === 'number';
  const isTheme = id === 'theme' && themeNames.some((name) => name === value);
  return isOpen || isTheme ? value : 'set (not shown)';
}

/** The checks whose text consists of words of msg-tui, numbers and versions while nothing is wrong. */
const openChecks = new Set([
  ...['Program msg-tui', 'Program node', 'Program sqlite', 'Terminal size', 'Terminal colours', 'Terminal characters'],
  ...['Server reached', 'Server clock', 'Files free space', 'Keys profile', 'Keys terminal'],
  ...['Outbox outbox.db', 'Outbox waiting', 'Outbox set aside', 'Cache cache.db', 'Cache holds'],
]);

/** The text of any other check may name a file, a server or a person, and is left out. */
export const checkReport = ({ section, name, verdict, text }: Check) => ({
  section,
  name,
  verdict,
  ...(verdict === 'ok' && openChecks.has(`${section} ${name}`) ? { text } : {}),
});
