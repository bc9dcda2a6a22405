/** Checks what the program runs on: Node, SQLite and the terminal. */

import type { Environment } from '../../config/environment.ts';
import { isTooSmall, smallest } from '../../state/select/pane-columns.ts';
import { openDatabase } from '../../storage/sqlite/driver.ts';
import { remedies, StorageError } from '../../storage/sqlite/errors.ts';
import { initialCapabilities, type TerminalCapabilities } from '../../terminal/capabilities.ts';
import { type Check, sectionOf } from '../output/check.ts';
import { messageOf } from '../process/exit.ts';
import { terminalFacts } from '../process/terminal-session.ts';
import { version } from '../process/version.ts';

const program = sectionOf('Program');
const terminal = sectionOf('Terminal');

/** The oldest version of Node that works, as in `engines` of package.json. */
const oldestNode: readonly [major: number, minor: number] = [20, 19];

export function inspectProgram(node: string = process.versions.node): readonly Check[] {
  const [major = 0, minor = 0] = node.split('.').map(Number);
  const isOld = major < oldestNode[0] || (major === oldestNode[0] && minor < oldestNode[1]);
  const text = `${node} on ${process.platform} ${process.arch}`;
  const remedy = `use Node ${oldestNode.join('.')} or later`;
  return [
    program.ok('msg-tui', version),
    isOld ? program.wrong('node', text, remedy) : program.ok('node', text),
    sqlite(),
  ];
}

function sqlite(): Check {
  try {
    const database = openDatabase(':memory:');
    const found = database.prepare('SELECT sqlite_version() AS version').get()?.version;
    database.close();
    return program.ok('sqlite', String(found));
  } catch (error) {
    if (!(error instanceof StorageError) || error.kind !== 'no-sqlite')
      return program.wrong('sqlite', messageOf(error));
    const loss = 'none: the chat keeps nothing on disk; what was not sent is gone when it is closed';
    return program.wrong('sqlite', loss, `${remedies['no-sqlite'].replace(/^.*?; /, '')}`);
  }
}

export interface Size {
  readonly columns: number;
  readonly rows: number;
}

/** `size` is null when the output is no terminal. */
export function inspectTerminal(environment: Environment, size: Size | null): readonly Check[] {
  const facts = { ...terminalFacts(environment), isTty: true };
  const { term, program: name, programVersion, tmux, screen, ssh } = environment.terminal;
  const { isDumb, colours, isUnicode } = initialCapabilities(facts);
  const within = [tmux && name !== 'tmux' ? 'tmux' : '', screen ? 'screen' : '', ssh ? 'ssh' : ''].filter(
    (word) => word !== '',
  );
  const kind = [term === '' ? 'TERM is not set' : term, [name, programVersion].join(' ').trim(), ...within];
  const called = kind.filter((word) => word !== '').join(', ');
  const remedy = 'set TERM to what it is, such as xterm-256color';
  const isWrong = isDumb && size !== null;
  return [
    isWrong ? terminal.wrong('kind', `${called}: it cannot move its cursor`, remedy) : terminal.ok('kind', called),
    sizeCheck(size),
    terminal.ok('colours', colourText(environment, colours)),
    ...(environment.themeProblem === null ? [] : [terminal.note('theme', environment.themeProblem)]),
    isUnicode
      ? terminal.ok('characters', 'Unicode')
      : terminal.note('characters', 'ASCII only', 'set LANG to a UTF-8 locale, such as C.UTF-8'),
  ];
}

function colourText({ noColor, forceColor }: Environment, colours: TerminalCapabilities['colours']): string {
  if (noColor !== null) return `none, as ${noColor} asks`;
  return colours === 'none' && forceColor ? '16, as FORCE_COLOR asks' : colourWords[colours];
}

const colourWords = { truecolor: '16 million', '256': '256', '16': '16', none: 'none' } as const;

function sizeCheck(size: Size | null): Check {
  if (size === null) return terminal.ok('size', 'this output is not a terminal');
  const text = `${size.columns} x ${size.rows}`;
  const need = `the chat needs ${smallest.columns} x ${smallest.rows}`;
  return isTooSmall(size) ? terminal.note('size', text, need) : terminal.ok('size', text);
}
