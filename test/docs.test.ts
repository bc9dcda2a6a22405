/** What comments and tests cite exists in docs/. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { expect, test } from 'vitest';

const root = resolve(import.meta.dirname, '..');
const read = (file: string): string => readFileSync(join(root, file), 'utf8');

const sources = ['src', 'test', 'scripts']
  .flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((name) => `${folder}/${name}`),
  )
  .filter((file) => /\.(tsx?|mjs|cjs)$/.test(file) && file !== 'test/docs.test.ts')
  .map((file) => ({ file, text: read(file).replaceAll(/\n\s*\*? ?/g, ' ') }));

const cited = (pattern: RegExp): readonly (readonly [file: string, what: string])[] =>
  sources.flatMap(({ file, text }) => [...text.matchAll(pattern)].map((match) => [file, match[1] ?? ''] as const));

test('every requirement that is cited is listed in docs/requirements.md', () => {
  const listed = new Set(
    [...read('docs/requirements.md').matchAll(/^\| ([A-Z][A-Z0-9-]*) \|/gm)].map((match) => match[1]),
  );
  const found = cited(/\b(R-[A-Z]+(?:-\d+)?|TP\d+)\b/g);
  expect(found.length).toBeGreaterThan(40);
  expect(found.filter(([, id]) => !listed.has(id))).toEqual([]);
});

test('every difference between servers that is cited is a heading of docs/server-differences.md', () => {
  const headings = [...read('docs/server-differences.md').matchAll(/^## (.+)$/gm)].map((match) => match[1] ?? '');
  const found = cited(/server-differences: ([^;)]+)/g);
  expect(found.length).toBeGreaterThan(10);
  expect(found.filter(([, heading]) => !headings.includes(heading.trim()))).toEqual([]);
});

test('no comment cites a page that is not in the repository', () => {
  const found = cited(/\b((?:api-silences|design|product|findings|ink-notes|house)(?:\.md\b|: invariant))/g);
  expect(found).toEqual([]);
});

test('every file that a page names exists', () => {
  const pages = readdirSync(join(root, 'docs'), { encoding: 'utf8' }).filter((name) => name.endsWith('.md'));
  const named = pages.flatMap((page) =>
    [...read(`docs/${page}`).matchAll(/`((?:src|test|scripts|docs)\/[\w./-]+\.(?:tsx?|mjs|cjs|md))`/g)].map(
      (match) => [page, match[1] ?? ''] as const,
    ),
  );
  expect(named.length).toBeGreaterThan(20);
  expect(named.filter(([, file]) => !existsSync(join(root, file)))).toEqual([]);
});

test('every feature that exists names a test that exists', () => {
  const rows = [...read('docs/features.md').matchAll(/^\| (.+) \| `(test\/.+?)`: (.+) \|$/gm)];
  expect(rows.length).toBeGreaterThan(20);
  const missing = rows.filter(
    ([, , file = '', title = '']) =>
      !existsSync(join(root, file)) || title.split(' › ').some((part) => !read(file).includes(`'${part}`)),
  );
  expect(missing.map(([row]) => row)).toEqual([]);
});

test('every feature that other clients and msg-tui have names a test that exists', () => {
  const rows = [...read('docs/comparison.md').matchAll(/^\| (.+) \| yes \| `(test\/.+?)`: (.+?) \| .*\|$/gm)];
  expect(rows.length).toBeGreaterThan(60);
  const missing = rows.filter(
    ([, , file = '', title = '']) =>
      !existsSync(join(root, file)) || title.split(' › ').some((part) => !read(file).includes(`'${part}`)),
  );
  expect(missing.map(([row]) => row)).toEqual([]);
});

const architecture = read('docs/ARCHITECTURE.md');
const section = (title: string): string => architecture.split(/^## /m).find((text) => text.startsWith(title)) ?? '';

test('the glossary of docs/ARCHITECTURE.md is short enough to be read as a whole', () => {
  const terms = section('Glossary').match(/^\| (?!word \|)[a-z]/gm) ?? [];
  expect(terms.length).toBeGreaterThan(20);
  expect(terms.length).toBeLessThanOrEqual(40);
});

test('the rooms of docs/ARCHITECTURE.md are folders, and every folder of src is a row', () => {
  const rows = [
    ...(section('Folders') + section('Rooms')).matchAll(/^\| (?!(?:folder|room) \|)([a-z][\w/., -]*) \|/gm),
  ];
  const named = rows.flatMap(([, cell = '']) => {
    const [first = '', ...others] = cell.split(', ');
    const parent = first.includes('/') ? `${first.slice(0, first.lastIndexOf('/'))}/` : '';
    return [first, ...others.map((name) => (name.includes('.') ? name : parent + name))];
  });
  const paths = named.map((name) => (name.startsWith('test/') ? name : `src/${name}`));
  expect(paths.length).toBeGreaterThan(50);
  expect(paths.filter((path) => !existsSync(join(root, path)))).toEqual([]);
  const folders = readdirSync(join(root, 'src'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => relative(root, join(entry.parentPath, entry.name)));
  expect(folders.filter((folder) => !paths.includes(folder))).toEqual([]);
});

test('every path in docs/ARCHITECTURE.md exists', () => {
  const named = [...architecture.matchAll(/`((?:[a-z][\w-]*\/)+[\w.-]*)`/g)].map((match) => match[1] ?? '');
  const bases = ['', 'src/'];
  const endings = ['', '.ts', '.tsx'];
  const exists = (path: string): boolean =>
    bases.some((base) => endings.some((ending) => existsSync(join(root, base + path + ending))));
  expect(named.length).toBeGreaterThan(60);
  expect(named.filter((path) => !exists(path))).toEqual([]);
});

test('every name that docs/ARCHITECTURE.md finds in a file is there', () => {
  const named = [...architecture.matchAll(/`#?(\w+)`(?: and `#?(\w+)`)? in `(src\/[\w/.-]+\.tsx?)`/g)];
  const found = named.flatMap(([, first, second, path]) =>
    [first, second].flatMap((name) => (name === undefined ? [] : [[name, path ?? ''] as const])),
  );
  expect(found.length).toBeGreaterThan(40);
  expect(found.filter(([name, path]) => !new RegExp(`\\b${name}\\b`).test(read(path)))).toEqual([]);
});

test('the picture of the README is well-formed, needs no other file, can be shown without motion and is small', () => {
  const picture = read('docs/screen.svg');
  expect(read('README.md')).toMatch(/!\[[^\]]{40,}\]\(docs\/screen\.svg\)/);
  expect(picture.length).toBeLessThan(400_000);
  expect(picture).not.toMatch(/<script|<foreignObject|<image|@import|@font-face|\son\w+=|javascript:/i);
  expect(picture).not.toMatch(/(?:href|src)\s*=\s*["'](?!#)|url\((?!#)/i);
  expect(picture.replace('xmlns="http://www.w3.org/2000/svg"', '')).not.toMatch(/xmlns="/);
  expect(picture).toContain('@media (prefers-reduced-motion:no-preference){.f{animation:');
  const frames = [...picture.matchAll(/<g class="f" id="f\d+"( visibility="hidden")?>/g)].map(([, hidden]) => hidden);
  expect(frames.length).toBeGreaterThan(20);
  expect(frames.filter((hidden) => hidden === undefined)).toHaveLength(1);
  expect(faultsOfMarkup(picture)).toEqual([]);
  const ids = [...picture.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
  expect(new Set(ids).size).toBe(ids.length);
  const known = new Set(ids);
  expect([...picture.matchAll(/href="#([^"]+)"/g)].filter(([, id]) => !known.has(id))).toEqual([]);
});

/** Tags that are not closed in order, and text that is not escaped. */
function faultsOfMarkup(markup: string): string[] {
  const open: string[] = [];
  const faults: string[] = [];
  const rest = markup.replace(/<(\/?)(\w+)((?: [\w:-]+="[^"<]*")*)(\/?)>/g, (tag, closes, name: string, _, isEmpty) => {
    if (closes === '/' && open.pop() !== name) faults.push(tag);
    else if (closes === '' && isEmpty === '') open.push(name);
    return '';
  });
  const unescaped = [...rest.matchAll(/[<]|&(?!(?:amp|lt|gt|quot|#\d+);)/g)].map(([text]) => text);
  return [...faults, ...open, ...unescaped];
}
