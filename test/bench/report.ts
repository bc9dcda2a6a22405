/** The tables of a run, and what is different from the run that was kept. */
import { medianOf, type Results, ratioOf } from './results.ts';
import { median } from './statistics.ts';

const floors = ['node', 'echo', 'weechat', 'irssi'];
const subject = 'msg-tui';
/** Smaller differences are the machine's. */
const noise = 0.15;

export function tables(results: Results): string {
  const names = Object.keys(results.figures);
  const others = names.filter((name) => name !== subject && !floors.includes(name));
  const main = names.filter((name) => name === subject || floors.includes(name));
  const parts = [
    names.includes(subject) || main.length > 0 ? mainTable(results, main) : '',
    others.length > 0 ? `msg-tui under other loads:\n\n${table(results, others, [])}` : '',
    ...ratioLines(results),
    ...Object.entries(results.missing).map(([name, why]) => `${name} is left out: ${why}.`),
    ...results.notes,
  ];
  return parts.filter((part) => part !== '').join('\n\n');
}

const mainTable = (results: Results, names: readonly string[]): string =>
  table(
    results,
    names,
    ['echo', 'weechat', 'irssi'].filter((base) => names.includes(base) && names.includes(subject)),
  );

/** Rows: labels; columns: programs, then the ratios of msg-tui to the bases. What is zero everywhere is one line below. */
function table(results: Results, names: readonly string[], bases: readonly string[]): string {
  const longestFirst = [...names].sort((a, b) => labelsOf(results, b).length - labelsOf(results, a).length);
  const all = [...new Set(longestFirst.flatMap((name) => labelsOf(results, name)))];
  const isNothing = (label: string): boolean =>
    names.every((name) => results.figures[name]?.[label] === undefined || medianOf(results, name, label) === 0);
  const labels = all.filter((label) => !isNothing(label));
  const nothing = all.filter(isNothing);
  const head = ['', ...names, ...bases.map((base) => `× ${base}`)];
  const body = labels.map((label) => [
    label,
    ...names.map((name) => numeral(medianOf(results, name, label))),
    ...bases.map((base) => {
      const ratio = ratioOf(results, subject, base, label);
      return ratio === null ? '' : `×${numeral(ratio)}`;
    }),
  ]);
  return `${markdown(head, body)}${nothing.length > 0 ? `\n\n0 in each: ${nothing.join(', ')}.` : ''}`;
}

const labelsOf = (results: Results, name: string): string[] => Object.keys(results.figures[name] ?? {});

function ratioLines(results: Results): string[] {
  const page = ratioOf(results, 'long history', 'short history', 'page p50 ms');
  const pages =
    page === null ? [] : [`A page in the long history against one in the short history: ×${numeral(page)} (p50).`];
  return [...pages, ...codeLine(results), ...switcherLine(results)];
}

/** Of the same program and round, so that the two are compared as its own labels. */
function codeLine({ figures }: Results): string[] {
  const { code } = figures;
  const kinds = ['first page p50 ms', 'page p50 ms', 'page CPU ms/key'].flatMap((label) => {
    const ratios = (code?.[`code ${label}`] ?? []).flatMap((value, round) => {
      const prose = code?.[`prose ${label}`]?.[round];
      return value === null || prose == null ? [] : [value / prose];
    });
    return ratios.length === 0 ? [] : [`${label} ×${numeral(median(ratios))}`];
  });
  return kinds.length === 0 ? [] : [`A page of highlighted code against one of prose: ${kinds.join(', ')}.`];
}

function switcherLine(results: Results): string[] {
  const kinds = ['open', 'letter', 'step'].flatMap((kind) =>
    [50, 95].flatMap((share) => {
      const ratio = ratioOf(results, 'switcher: many', 'switcher', `switcher ${kind} p${share} ms`);
      return ratio === null ? [] : [`${kind} p${share} ×${numeral(ratio)}`];
    }),
  );
  return kinds.length === 0 ? [] : [`The switcher with very many conversations against 200: ${kinds.join(', ')}.`];
}

/** One line for every figure of msg-tui that moved; ratios to the echo program where it has the figure. */
export function comparison(now: Results, kept: Results): string {
  if (now.isQuick !== kept.isQuick) return 'The kept run was of another size (--quick): nothing to compare with.';
  const lines = Object.keys(now.figures).flatMap((name) =>
    floors.includes(name) ? [] : labelsOf(now, name).flatMap((label) => difference(now, kept, name, label)),
  );
  const since = `since the run kept on ${kept.date.slice(0, 10)} (${kept.machine.processor})`;
  return lines.length === 0 ? `Nothing moved ${since}.` : `Moved ${since}:\n\n${lines.join('\n')}`;
}

function difference(now: Results, kept: Results, name: string, label: string): string[] {
  const after = medianOf(now, name, label);
  const before = medianOf(kept, name, label);
  if (after === null || before === null || after === before) return [];
  const scaled = [ratioOf(now, name, 'echo', label), ratioOf(kept, name, 'echo', label)] as const;
  const change = scaled[0] !== null && scaled[1] ? scaled[0] / scaled[1] : after / before;
  if (Math.abs(change - 1) < noise) return [];
  return [`- ${name}, ${label}: ${numeral(before)} → ${numeral(after)} (×${numeral(change)})`];
}

/** Three significant digits at most, and no more than the figure deserves. */
function numeral(value: number | null): string {
  if (value === null) return '–';
  if (value !== 0 && Math.abs(value) < 10) return String(Number(value.toPrecision(value < 1 ? 2 : 3)));
  return Math.abs(value) < 100 ? String(Math.round(value * 10) / 10) : String(Math.round(value));
}

function markdown(head: readonly string[], body: readonly (readonly string[])[]): string {
  const widths = head.map((cell, x) => Math.max(cell.length, ...body.map((row) => (row[x] ?? '').length), 3));
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell, x) => (x === 0 ? cell.padEnd(widths[x] ?? 0) : cell.padStart(widths[x] ?? 0))).join(' | ')} |`;
  const rule = widths.map((width, x) => (x === 0 ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`));
  return [line(head), line(rule), ...body.map(line)].join('\n');
}
