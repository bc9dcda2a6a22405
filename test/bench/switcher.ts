/**
 * "Go to" (Ctrl-K): opening it, a letter in it, all that matches, a step among the rows; in short lists and in very long ones.
 * The palette (`>` in it) and the help (F1), which list commands, in the same way.
 */

import { keyCodes } from './moving.ts';
import { isOnline, untilIdle, within } from './msg-tui.ts';
import { replay } from './replay.ts';
import type { Session } from './session.ts';
import { createDice, percentile } from './statistics.ts';
import { type Figures, measure, since } from './typing.ts';
import type { Sizes, World } from './world.ts';

const openKey = '\x0b';
const helpKey = '\x1bOP';
const escapeKey = '\x1b';
const letters = 'abcdefghijklmnopqrstuvwxyz0123456789';
const lettersEach = 3;
const stepsEach = 3;

/** Before them the program has compiled what it needs. */
const warmRounds = 3;

type Kind = 'open' | 'letter' | 'found' | 'step';

interface Press {
  readonly at: number;
  readonly nth: number;
  /** What it has to bring about, each with the sight that shows it. */
  readonly sights: ReadonlyMap<Kind, (rows: readonly string[], before: readonly string[]) => boolean>;
}

const isOpened = (rows: readonly string[]): boolean => rows.some((row) => /│ To: name +│/.test(row));

/** A list of commands: how it is opened, and what its field shows. */
interface Commands {
  readonly label: 'palette' | 'help';
  /** The last one shows the commands. */
  readonly keys: readonly string[];
  readonly isOpened: (rows: readonly string[]) => boolean;
  readonly before: string;
}

const palette: Commands = {
  label: 'palette',
  keys: [openKey, '>'],
  isOpened: (rows) => rows.some((row) => /│ Run: > /.test(row)) && !rows.some((row) => row.includes('Run: name')),
  before: 'Run: >',
};
const help: Commands = {
  label: 'help',
  keys: [helpKey],
  isOpened: (rows) => rows.some((row) => /│ Find: what it does/.test(row)),
  before: 'Find: ',
};
const chosen = (rows: readonly string[]): string | undefined => rows.find((row) => /│ > .* │/.test(row));

export async function measureSwitcher({ accounts }: World, sizes: Sizes, conversations: number): Promise<Figures> {
  const size = { conversations, messages: conversations + 1_000, inFirst: 1_000, histories: 60 };
  const account = await accounts.open(conversations === sizes.manyConversations ? 'many' : 'few', size);
  return within(account.warm, async (session) => {
    await session.waitFor(isOnline, 120_000);
    await untilIdle(session);
    await go(session, warmRounds, 5);
    const before = measure(session);
    const rounds = Math.max(5, sizes.moves);
    const pressed = await go(session, rounds, 6);
    const used = since(session, before);
    const inSwitcher = { ...latencies(session, pressed, 'switcher'), ...perKey(used, pressed.length) };
    const inCommands: Figures[] = [];
    for (const commands of [palette, help]) {
      await find(session, commands, warmRounds);
      inCommands.push(latencies(session, await find(session, commands, rounds), commands.label));
    }
    return Object.assign({}, inSwitcher, ...inCommands) as Figures;
  });
}

const perKey = ({ bytes, cpu }: ReturnType<typeof since>, count: number): Figures => ({
  'switcher bytes/key': bytes / count,
  ...(Number.isNaN(cpu) ? {} : { 'switcher CPU ms/key': cpu / count }),
});

/** Opens it, steps, types and leaves, over and over. */
async function go(session: Session, rounds: number, seed: number): Promise<readonly Press[]> {
  const dice = createDice(seed);
  const pressed: Press[] = [];
  const press = async (key: string, sights: Press['sights'], rest = 0): Promise<void> => {
    pressed.push({ at: session.write(key), nth: pressed.length, sights });
    await session.pause(70 + dice(50) + rest);
  };
  await session.quiet(200, 5_000);
  for (let round = 0; round < rounds; round++) {
    await press(openKey, new Map([['open', isOpened]]), 100);
    for (let step = 0; step < stepsEach; step++)
      await press(keyCodes.down, new Map([['step', (rows, before) => chosen(rows) !== chosen(before)]]));
    let typed = '';
    for (let count = 0; count < lettersEach; count++) {
      typed += letters[dice(letters.length)] ?? 'x';
      const field = `To: ${typed} `;
      const isShown = (rows: readonly string[]): boolean => rows.some((row) => row.includes(field));
      const isFound = (rows: readonly string[]): boolean =>
        isShown(rows) &&
        !rows.some((row) => row.includes('Searching')) &&
        rows.some((row) => /found|No conversation has/.test(row));
      const isLast = count === lettersEach - 1;
      await press(
        typed.slice(-1),
        new Map([['letter', isShown], ...(isLast ? ([['found', isFound]] as const) : [])]),
        isLast ? 500 : 0,
      );
    }
    await press(escapeKey, new Map(), 100);
  }
  return pressed;
}

/** Opens a list of commands, steps, types and leaves. */
async function find(session: Session, commands: Commands, rounds: number): Promise<readonly Press[]> {
  const { keys, isOpened: isShown, before: field } = commands;
  const dice = createDice(7);
  const pressed: Press[] = [];
  const press = async (key: string, sights: Press['sights'], rest = 0): Promise<void> => {
    pressed.push({ at: session.write(key), nth: pressed.length, sights });
    await session.pause(70 + dice(50) + rest);
  };
  for (let round = 0; round < rounds; round++) {
    for (const key of keys.slice(0, -1)) await press(key, new Map(), 100);
    await press(keys.at(-1) ?? '', new Map([['open', isShown]]), 100);
    for (let step = 0; step < stepsEach; step++)
      await press(keyCodes.down, new Map([['step', (rows, before) => chosen(rows) !== chosen(before)]]));
    for (const typed of ['m', 'me', 'mes'])
      await press(
        typed.slice(-1),
        new Map([['letter', (rows) => rows.some((row) => row.includes(`${field}${typed} `))]]),
      );
    await press(escapeKey, new Map(), 100);
  }
  return pressed;
}

function latencies(session: Session, pressed: readonly Press[], label: 'switcher' | Commands['label']): Figures {
  const taken = new Map<Kind, number[]>();
  let missed = 0;
  let open: { readonly press: Press; readonly before: readonly string[]; readonly left: Set<Kind> } | null = null;
  const { blankFrames } = replay(session, pressed, {
    onKey({ nth }, rows) {
      missed += open?.left.size ?? 0;
      const press = pressed[nth];
      open = press === undefined ? null : { press, before: rows, left: new Set(press.sights.keys()) };
    },
    onFrame(at, rows) {
      if (open === null) return;
      const { press, before, left } = open;
      for (const kind of [...left]) {
        if (press.sights.get(kind)?.(rows, before) !== true) continue;
        left.delete(kind);
        taken.set(kind, [...(taken.get(kind) ?? []), at - press.at]);
      }
    },
  });
  const figures = (['open', 'letter', 'found', 'step'] as const).flatMap((kind) => {
    const times = taken.get(kind) ?? [];
    if (times.length === 0) return [];
    return [50, 95].map((share) => [`${label} ${kind} p${share} ms`, percentile(times, share)] as const);
  });
  return {
    ...Object.fromEntries(figures),
    [`${label} keys without sight`]: missed,
    [`${label} blank frames`]: blankFrames,
  };
}
