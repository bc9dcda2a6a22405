/** Makes the manual page from the commands, variables, files and settings that `msg-tui __commands` prints. */

/** Text for roff: no backslash or character at the beginning of a line is taken for a request. */
const escaped = (text) =>
  text
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replaceAll('`', '')
    .replaceAll(/^([.'])/gm, '\\&$1');

/** Settings are described in Markdown. */
const plain = (text) => text.replaceAll(/\[([^\]]+)\]\([^)]+\)/g, '$1');

const bold = (text) => `\\fB${escaped(text)}\\fR`;
const entry = (term, about) => `.TP\n${bold(term)}\n${escaped(plain(about)) || '\\&'}`;
const verbatim = (lines) => `.PP\n.RS 4\n.nf\n${lines.map((line) => escaped(line) || '\\&').join('\n')}\n.fi\n.RE`;

/** Paragraphs of prose are filled by roff; lines that are indented, or follow a title, are kept. */
function prose(text) {
  return text
    .split(/\n{2,}/)
    .filter((part) => part.trim() !== '')
    .map((part) => {
      const lines = part.split('\n');
      const [first = ''] = lines;
      if (lines.some((line) => line.startsWith(' ')) || first.endsWith(':')) {
        const isTitled = /^(Examples?|Exit codes|More):$/.test(first);
        const rest = verbatim((isTitled ? lines.slice(1) : lines).map((line) => line.replace(/^ {2}/, '')));
        return isTitled ? `.PP\n${escaped(first)}\n${rest}` : rest;
      }
      return `.PP\n${escaped(lines.join('\n'))}`;
    })
    .join('\n');
}

function commandPart({ path, usage, description, arguments: given, options, text }) {
  const listed = [
    ...given.filter(({ about }) => about !== '').map(({ name, about }) => entry(name, about)),
    ...options.filter(({ flags }) => !flags.includes('--help')).map(({ flags, about }) => entry(flags, about)),
  ];
  return [
    `.SS "${escaped(`msg-tui ${path} ${usage}`).replaceAll('"', '\\(dq')}"`,
    escaped(`${description}.`),
    ...listed,
    prose(text),
  ].join('\n');
}

/** @param date of the page, so that it is the same wherever it is made */
export function manPage({ version, commands, variables, files, settings }) {
  const [root, ...others] = commands;
  return `${[
    '.\\" Written by npm run docs.',
    `.TH MSG\\-TUI 1 "" "msg\\-tui ${version}" "msg\\-tui"`,
    '.SH NAME',
    'msg\\-tui \\- a full\\-screen terminal chat client for the Messaging Service API',
    '.SH SYNOPSIS',
    `.B msg\\-tui\n${escaped('[options] [command]')}`,
    '.SH DESCRIPTION',
    escaped(
      'Without a command, msg-tui opens the chat. The commands do what the screen does, on the same files, also while the chat is open. They print text for people and, with --json, documents for programs. Data is printed on standard output, everything else on standard error.',
    ),
    '.SH OPTIONS',
    ...root.options.map(({ flags, about }) => entry(flags, about)),
    '.SH COMMANDS',
    ...others.map(commandPart),
    '.SH ENVIRONMENT',
    ...variables.map(({ names, about }) => entry(names.join(', '), about)),
    '.SH FILES',
    escaped('msg-tui paths prints where these are.'),
    ...files.map(([name, about]) => entry(name, about)),
    '.SH SETTINGS',
    escaped('These are the keys of config.toml. msg-tui config list prints their values and defaults.'),
    ...settings.map(({ id, about }) => entry(id, about)),
    '.SH EXAMPLES AND EXIT STATUS',
    prose(root.text),
  ]
    .join('\n')
    .replaceAll(
      /[^\0-\x7f]/gu,
      (char) => `\\[u${char.codePointAt(0).toString(16).toUpperCase().padStart(4, '0')}]`,
    )}\n`;
}
