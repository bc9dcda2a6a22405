/** Gives a command another key: the next key that is pressed, after its other meanings were named. */
import type { AppState, Overlay } from '../state/model/app-state.ts';
import type { KeyChanges, PressedKey } from '../state/model/overlay.ts';
import { isWithin, popOverlay, pushOverlay, replaceOverlay, topOverlay, typingMs } from '../state/view/overlays.ts';
import { withSettings } from '../state/view/view.ts';
import { boundKeys, usualKeys } from './bindings.ts';
import { type Command, type Context, takesText } from './command.ts';
import type { CommandContext } from './context.ts';
import { isBareCharacter, type Keymap } from './keymap.ts';
import { keyLabel, keysLabel } from './label.ts';
import { notify } from './notify.ts';

export type RebindOverlay = Extract<Overlay, { kind: 'rebind' }>;

export function selectRebind(state: AppState): RebindOverlay | null {
  const top = topOverlay(state);
  return top?.kind === 'rebind' ? top : null;
}

/** Opens the question for the key; says why where the command's keys cannot be one key. */
export function askForKey(context: CommandContext, { id, setting, wordOfKey }: Command): void {
  if (setting !== undefined) {
    notify(context, 'A setting has no key');
    return;
  }
  if (wordOfKey !== undefined) {
    notify(context, `Each key of ${id} chooses a number: change them in config.toml`);
    return;
  }
  context.update(pushOverlay({ kind: 'rebind', command: id, pressed: null }));
}

/** Keys that mean the same in every program: they are given to no other command, and no command loses them here. */
const fixedKeys: ReadonlySet<string> = new Set([
  'enter',
  'escape',
  'tab',
  'shift+tab',
  'backspace',
  'delete',
  'ctrl+h',
  'ctrl+i',
  'ctrl+m',
  'up',
  'down',
  'left',
  'right',
]);

/** Takes a key while the question is open. */
export function takeKey(context: CommandContext, keymap: Keymap, key: string): void {
  const overlay = selectRebind(context.get());
  if (overlay === null) return;
  const { command: id, pressed } = overlay;
  const command = keymap.commands.find((one) => one.id === id);
  if (command === undefined || key === 'escape' || key === 'ctrl+c') context.update(popOverlay);
  else if (key === 'enter' && pressed !== null && pressed.refusal === null) confirm(context, keymap, command, pressed);
  else press(context, keymap, command, key);
}

/** Delete stands for the keys of the key profile. */
function press(context: CommandContext, keymap: Keymap, command: Command, key: string): void {
  const isUsual = key === 'delete';
  const keys = isUsual ? usualKeys(context.get().settings.keys, command) : [key];
  const found = keys.flatMap((one) => conflictsWith(keymap, command, one));
  const refusal = (isUsual ? null : refusalOf(command, key)) ?? numbered(keymap, keys, found);
  const conflicts = refusal === null ? found : [];
  const pressed: PressedKey = { keys, isUsual, at: context.now(), refusal, conflicts };
  if (refusal === null && conflicts.length === 0) take(context, keymap, command, pressed);
  else context.update(replaceOverlay({ kind: 'rebind', command: command.id, pressed }));
}

/** Enter that was pressed together with the key is no answer. */
function confirm(context: CommandContext, keymap: Keymap, command: Command, pressed: PressedKey): void {
  if (!isWithin(typingMs, pressed.at, context.now())) take(context, keymap, command, pressed);
}

/** The commands that had one of the keys keep their other ones. */
function take(context: CommandContext, keymap: Keymap, command: Command, pressed: PressedKey): void {
  const { keys, isUsual, conflicts } = pressed;
  const held = context.get().settings.keys;
  const isTaken = (one: string): boolean => keys.some((key) => beginsWith(key)(one));
  const losers = keymap.commands.filter(({ id }) => conflicts.some((one) => one.id === id));
  const others = losers.map((one) => [one.id, boundKeys(held, one).filter((key) => !isTaken(key))] as const);
  const kept = isUsual ? [] : boundKeys(held, command).filter((key) => fixedKeys.has(key));
  const changes = { ...Object.fromEntries(others), [command.id]: isUsual ? null : [...keys, ...kept] };
  const also = kept.length === 0 ? '' : `; so does ${keysLabel(kept)}`;
  const said = isUsual
    ? `${quoted(command)} has the key of the key profile again`
    : `${keysLabel(keys)} now runs ${quoted(command)}${also}`;
  save(context, command, changes, said);
}

function save(context: CommandContext, command: Command, changes: KeyChanges, said: string): void {
  context.saveKeys(changes, (problem) => {
    if (problem !== null) notify(context, problem, { tone: 'warning' });
    else {
      context.update(withKeys(changes));
      notify(context, said);
    }
    context.update((state) => (selectRebind(state)?.command === command.id ? popOverlay(state) : state));
  });
}

/** The keys count at once, also where nothing watches the file. */
const withKeys =
  (changes: KeyChanges) =>
  (state: AppState): AppState => {
    const { keys } = state.settings;
    const all = Object.entries({ ...keys.bind, ...changes });
    const bind = Object.fromEntries(all.flatMap(([id, bound]) => (bound === null ? [] : [[id, bound]])));
    return withSettings(state, { keys: { ...keys, bind } });
  };

function refusalOf({ where }: Command, key: string): string | null {
  if (fixedKeys.has(key)) return `${keyLabel(key)} keeps its meaning everywhere`;
  const isTyped = isBareCharacter(key) && where.every((context) => takesText([context]));
  return isTyped
    ? `${keyLabel(key)} is text where this command works: press it with Ctrl or Alt, or a function key`
    : null;
}

/** Without one of its keys, the others of such a command would choose other numbers. */
function numbered(keymap: Keymap, keys: readonly string[], conflicts: PressedKey['conflicts']): string | null {
  const command = keymap.commands.find(
    (one) => one.wordOfKey !== undefined && conflicts.some(({ id }) => id === one.id),
  );
  return command === undefined
    ? null
    : `${keysLabel(keys)} stays with ${command.id}, each key of which chooses a number: change them in config.toml`;
}

const quoted = ({ title }: Command): string => `"${title}"`;

/** Whether the sequence begins with the key; it could not be pressed any more, either. */
const beginsWith =
  (key: string) =>
  (keys: string): boolean =>
    keys === key || keys.startsWith(`${key} `);

const conflictsWith = (keymap: Keymap, command: Command, key: string): PressedKey['conflicts'] =>
  keymap.commands.flatMap((other) => {
    if (other.id === command.id || !keymap.keysOf(other.id).some(beginsWith(key))) return [];
    const shared = other.where.filter((context) => command.where.some((own) => meet(own, context)));
    // In a text field a character types itself and is no command.
    const context = shared.find((one) => !isBareCharacter(key) || !takesText([one]));
    return context === undefined
      ? []
      : [{ id: other.id, text: `${keyLabel(key)} is ${quoted(other)} ${placeOf(context)}` }];
  });

const everyDialog: ReadonlySet<Context> = new Set(['picker', 'prompt', 'dialog'] as const);
/** Contexts that are in force only together with the composer, before its own keys. */
const inComposer: ReadonlySet<Context> = new Set(['composer', 'snippet', 'completion', 'completion-row'] as const);
const inPanes: ReadonlySet<Context> = new Set([...inComposer, 'list', 'messages', 'filter', 'global'] as const);

/** Whether both can be in force at once, so that one takes a key from the other. */
function meet(a: Context, b: Context): boolean {
  if (a === b || a === 'always' || b === 'always') return true;
  if (inPanes.has(a) !== inPanes.has(b)) return false;
  if (!inPanes.has(a)) return everyDialog.has(a) || everyDialog.has(b);
  return a === 'global' || b === 'global' || (inComposer.has(a) && inComposer.has(b));
}

const places: Readonly<Partial<Record<Context, string>>> = {
  composer: 'in the composer',
  list: 'in the list of conversations',
  messages: 'in the messages',
  global: 'in every pane',
  always: 'everywhere',
  filter: 'while the list is filtered',
  snippet: 'in a snippet',
  completion: 'while a name is completed',
  'completion-row': 'while a name is completed',
};

const placeOf = (context: Context): string => places[context] ?? 'in a dialog';

/** The lines of the question. @param most this many other meanings are named, and the rest is counted */
export function rebindLines(
  { pressed }: RebindOverlay,
  command: Command,
  keys: readonly string[],
  most = Number.POSITIVE_INFINITY,
): readonly string[] {
  const now = keys.length === 0 ? 'It has no key now.' : `It has ${keysLabel(keys)} now.`;
  if (pressed === null) return [now];
  if (pressed.refusal !== null) return [`${pressed.refusal}.`, now];
  const { conflicts } = pressed;
  const named = conflicts.slice(0, most).map(({ text }) => `${text}.`);
  if (named.length === conflicts.length)
    return [
      ...named,
      `Enter takes ${keysLabel(pressed.keys)} for ${quoted(command)} anyway; Esc keeps things as they are.`,
    ];
  const more = conflicts.length - named.length;
  return [
    ...named,
    `${more} ${named.length === 0 ? '' : 'more '}${more === 1 ? 'meaning' : 'meanings'} would be lost.`,
  ];
}

const inRebind = { group: 'Dialogs', where: ['rebind'] } as const;

/** The answers to the question. Their keys come to `takeKey` without them; a click on one of them in the dialog runs it. */
export const rebindCommands = (keymapOf: (state: AppState) => Keymap): readonly Command[] => [
  {
    ...inRebind,
    id: 'rebind.take',
    title: 'Take the key from its other meanings',
    keys: ['enter'],
    hint: (state) => {
      const pressed = selectRebind(state)?.pressed ?? null;
      return pressed !== null && pressed.refusal === null ? 'take it' : '';
    },
    run: (context) => takeKey(context, keymapOf(context.get()), 'enter'),
  },
  {
    ...inRebind,
    id: 'rebind.usual',
    title: 'Give the command its usual key again',
    keys: ['delete'],
    hint: 'usual key',
    run: (context) => takeKey(context, keymapOf(context.get()), 'delete'),
  },
];
