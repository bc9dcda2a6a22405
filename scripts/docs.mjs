/** Writes the documents that the program can write by itself; with --check says which are out of date. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { comparisonPage } from './comparison.mjs';
import { featuresPage } from './features.mjs';
import { manPage } from './man-page.mjs';
import { prepare, root } from './prepare.mjs';

prepare();
const program = (...args) =>
  execFileSync(process.execPath, [join(root, 'dist/msg-tui.cjs'), ...args], { encoding: 'utf8' });

/** Replaces the part of a page between two comments, so that the rest can be written by hand. */
function withPart(page, name, text) {
  const [start, end] = [`<!-- ${name}: written by npm run docs -->\n`, `<!-- end of ${name} -->`];
  const [before, rest] = page.split(start);
  return `${before}${start}\n${text.trim()}\n\n${end}${rest.split(end)[1]}`;
}

const about = JSON.parse(program('__commands'));

const commandLinePage = () => {
  const [first, ...others] = about.commands;
  const part = ({ path, help }) => `${path === '' ? '' : `## msg-tui ${path}\n\n`}\`\`\`\n${help.trim()}\n\`\`\`\n`;
  return `# Command line\n\nWritten by \`npm run docs\`. \`man msg-tui\` says the same.\n\n${[first, ...others].map(part).join('\n')}`;
};

const configurationPage = () => {
  const page = readFileSync(join(root, 'docs/configuration.md'), 'utf8');
  const settings = withPart(page, 'settings', program('config', 'list', '--markdown'));
  const rows = about.variables.map(
    ({ names, about: text }) => `| ${names.map((name) => `\`${name}\``).join(' ')} | ${text} |`,
  );
  const withVariables = withPart(settings, 'variables', `| Variable | What it does |\n|---|---|\n${rows.join('\n')}`);
  return withPart(withVariables, 'example', `\`\`\`toml\n${program('config', 'list', '--example').trim()}\n\`\`\``);
};

const keysOf = (profile) => program('keys', '--profile', profile, '--format', 'markdown').trim();
const standard = keysOf('standard');
/** The keys of a profile that differ from the standard ones. */
const differences = (profile) => {
  const known = new Set(standard.split('\n'));
  const [tables] = keysOf(profile).split('\n## Slash commands');
  const rows = tables.split('\n').filter((line) => /^\| .* \| `/.test(line) && !known.has(line));
  return `## Profile ${profile}\n\nThese keys differ from the standard ones.\n\n| Keys | Does | Command |\n|---|---|---|\n${rows.join('\n')}`;
};
const keysIntroduction = readFileSync(join(root, 'scripts/keys-introduction.md'), 'utf8').trim();

const documents = {
  'docs/configuration.md': configurationPage(),
  'docs/comparison.md': comparisonPage(),
  'docs/features.md': featuresPage(),
  'docs/keys.md': `# Keys\n\nWritten by \`npm run docs\` from the command table; \`msg-tui keys\` prints the same.\n\n${keysIntroduction}\n\n${standard}\n\n${differences('vim')}\n\n${differences('emacs')}\n`,
  'docs/command-line.md': commandLinePage(),
  'man/msg-tui.1': manPage(about),
};

const isCheck = process.argv.includes('--check');
let stale = 0;
for (const [file, text] of Object.entries(documents)) {
  const path = join(root, file);
  if (existsSync(path) && readFileSync(path, 'utf8') === text) continue;
  if (isCheck) {
    console.error(`${file} is out of date: run npm run docs`);
    stale++;
  } else {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
    console.log(`wrote ${file}`);
  }
}
process.exit(stale === 0 ? 0 : 1);
