/** The settings screen: filters, tries values in the running program, and writes them to config.toml. */
import { deleteForward } from '../state/composer/draft-edit.ts';
import type { AppState, Overlay } from '../state/model/app-state.ts';
import type { SettingsOverlay } from '../state/model/overlay.ts';
import {
  type SettingEntry,
  type SettingsPage,
  type Tried,
  type Written,
  writtenText,
} from '../state/model/setting-entry.ts';
import type { Settings } from '../state/model/settings.ts';
import { editField, selectField } from '../state/search/edit-field.ts';
import {
  selectedSetting,
  selectSettingRows,
  shownValue,
  steppedValue,
  withTried,
} from '../state/search/setting-rows.ts';
import { popOverlay, pushOverlay, replaceOverlay, topOverlay } from '../state/view/overlays.ts';
import { patchScreen, withSettings } from '../state/view/view.ts';
import { type Command, withParameters } from './command.ts';
import type { CommandContext, SaveResult } from './context.ts';
import { bringLineBack } from './line-back.ts';
import { notify } from './notify.ts';
import { freeText, type Parameter } from './parameters.ts';

type ValueOverlay = Extract<Overlay, { kind: 'setting-value' }>;

const shownSettings = (state: AppState): SettingsOverlay | null => {
  const top = topOverlay(state);
  return top?.kind === 'settings' ? top : null;
};

/** Changes the settings screen, wherever it is in the stack of overlays. Does nothing when it has been closed. */
const patch = (context: CommandContext, fields: Partial<SettingsOverlay>): void =>
  context.update((state) => {
    const { overlays } = state.screen;
    if (!overlays.some(isSettings)) return state;
    const patched = overlays.map((one) => (isSettings(one) ? { ...one, ...fields } : one));
    return patchScreen(state, { overlays: patched });
  });

export function openSettings(context: CommandContext, filter: string): void {
  const empty = { selected: 0, page: null, tried: {}, before: {}, remark: null };
  context.update(pushOverlay({ kind: 'settings', typed: filter, ...empty }));
  context.settings.read((page) => patch(context, { page }));
}

/** Shows what config.toml holds now, where the settings are open: something else has changed the file. */
export function readSettingsAgain(context: CommandContext): void {
  if (!context.get().screen.overlays.some(isSettings)) return;
  context.settings.read((page) => context.update((state) => withPage(context, state, page)));
}

/** What was tried is tried again on top of what the file holds now. */
function withPage(context: CommandContext, state: AppState, page: SettingsPage): AppState {
  const shown = state.screen.overlays.find(isSettings);
  if (shown === undefined) return state;
  const entries = page.entries.filter(({ id }) => id in shown.tried);
  const tried = entries.reduce<Tried>((all, entry) => withTried(all, entry, shown.tried[entry.id] ?? null), {});
  const changes = context.settings.changes({}, tried);
  const untried = { ...state.settings, ...shown.before };
  const names = Object.keys(changes) as (keyof typeof changes)[];
  const before = Object.fromEntries(names.map((name) => [name, untried[name]]));
  const isOtherProblem = shown.page?.problem !== page.problem;
  const next = { ...shown, page, tried, before, remark: isOtherProblem ? null : shown.remark };
  const at = selectSettingRows(next).findIndex(({ id }) => id === selectedSetting(shown)?.id);
  const overlays = state.screen.overlays.map((one) => (one === shown ? { ...next, selected: Math.max(0, at) } : one));
  return patchScreen(withSettings(state, { ...untried, ...changes }), { overlays });
}

const isSettings = (overlay: Overlay): overlay is SettingsOverlay => overlay.kind === 'settings';

const whyFixed = ({ page }: SettingsOverlay, entry: SettingEntry): string | null => {
  if (page !== null && page.problem !== null) return `${page.problem}. Correct it first`;
  if (entry.elsewhere !== null) return entry.elsewhere;
  return entry.variable === null ? null : `${entry.variable} is set and overrides config.toml: change the variable`;
};

/** Makes a `run` for the selected setting, which does nothing where that setting cannot be changed. */
const onSelected =
  (act: (context: CommandContext, shown: SettingsOverlay, entry: SettingEntry) => void): Command['run'] =>
  (context) => {
    const shown = shownSettings(context.get());
    const entry = shown === null ? null : selectedSetting(shown);
    if (shown === null || entry === null) return;
    const remark = whyFixed(shown, entry);
    if (remark === null) act(context, shown, entry);
    else patch(context, { remark });
  };

/** Shows the value in the running program; nothing is written yet. */
function tryValue(context: CommandContext, shown: SettingsOverlay, entry: SettingEntry, value: Written): void {
  const tried = withTried(shown.tried, entry, value);
  const changes = context.settings.changes(shown.tried, tried);
  context.update((state) => {
    const names = Object.keys(changes) as (keyof typeof changes)[];
    const before = { ...Object.fromEntries(names.map((name) => [name, state.settings[name]])), ...shown.before };
    return replaceOverlay({ ...shown, tried, before, remark: null })(withSettings(state, changes));
  });
}

const step = (by: 1 | -1): Command['run'] =>
  onSelected((context, shown, entry) => {
    const next = steppedValue(entry, shown.tried, by);
    if (next === null) askForValue(context, shown, entry);
    else tryValue(context, shown, entry, next.value);
  });

/** Steps to the setting's next value on a blank, unless it belongs to the filter. Returns whether it did. */
export function stepByBlank(context: CommandContext): boolean {
  if (shownSettings(context.get())?.typed !== '') return false;
  step(1)(context, {});
  return true;
}

function askForValue(context: CommandContext, shown: SettingsOverlay, entry: SettingEntry): void {
  const typed = writtenText(shownValue(entry, shown.tried), '');
  context.update(pushOverlay({ kind: 'setting-value', id: entry.id, typed }));
}

/** Whether Delete has a letter of the filter to take. */
function hasTextAfterCursor(state: AppState): boolean {
  const field = selectField(state);
  return field !== null && field.cursor < field.text.length;
}

const resetSelected: Command['run'] = onSelected((context, shown, entry) => {
  if (entry.isInFile || entry.id in shown.tried) tryValue(context, shown, entry, null);
  else patch(context, { remark: `${entry.id} is not set: it has its default` });
});

const reset: Command['run'] = (context) => {
  if (hasTextAfterCursor(context.get())) context.update(editField(deleteForward));
  else resetSelected(context, {});
};

/** Asks for the text of a setting, or says which keys change its value. */
const acceptRow = onSelected((context, shown, entry) => {
  if (isText(shown, entry)) askForValue(context, shown, entry);
  else patch(context, { remark: `${changingKeys(context)} the value` });
});

/** Whether Enter asks for the value, which was not changed yet. */
const isText = ({ tried }: SettingsOverlay, { choices, id }: SettingEntry): boolean =>
  choices === null && !(id in tried);

/** Carries out Enter: writes what was tried, also where the selected setting cannot be changed or none fits the filter. */
function accept(context: CommandContext): void {
  const shown = shownSettings(context.get());
  if (shown === null) return;
  const entry = selectedSetting(shown);
  const isAsked = entry !== null && whyFixed(shown, entry) === null && isText(shown, entry);
  if (isAsked || Object.keys(shown.tried).length === 0) acceptRow(context, {});
  else write(context, shown.tried);
}

function changingKeys({ keyOf }: CommandContext): string {
  const keys = [keyOf('settings.previous'), keyOf('settings.next')].filter((key) => key !== '');
  if (keys.length === 0) return 'While the filter is empty, Space changes';
  return `${keys.join(' and ')} ${keys.length === 1 ? 'changes' : 'change'}`;
}

function write(context: CommandContext, tried: Tried): void {
  const asked = shownSettings(context.get())?.tried ?? {};
  const changed = context.settings.changes({}, tried);
  patch(context, { written: [...(shownSettings(context.get())?.written ?? []), asked] });
  context.settings.write(tried, (result) => {
    if ('problem' in result) patch(context, { remark: result.problem });
    else
      context.settings.read((page) =>
        context.update((state) => withPage(context, asWritten(state, { asked, changed, said: result.said }), page)),
      );
  });
}

interface Write {
  /** What was tried when it began. */
  readonly asked: Tried;
  /** The fields of the running settings that it has set. */
  readonly changed: Partial<Settings>;
  readonly said: string;
}

/**
 * Keeps what was tried while the file was written, also where the user went back to the value of before. A screen that was
 * opened meanwhile has tried nothing of that: it shows what was written.
 */
function asWritten(state: AppState, { asked, changed, said }: Write): AppState {
  const shown = state.screen.overlays.find(isSettings);
  if (shown === undefined) return state;
  const entries = shown.written?.includes(asked) === true ? (shown.page?.entries ?? []) : [];
  const left = entries.filter(({ id }) => id in asked && !(id in shown.tried));
  const tried = { ...Object.fromEntries(left.map((one) => [one.id, one.isInFile ? one.value : null])), ...shown.tried };
  const next = { ...shown, tried, before: { ...shown.before, ...changed }, remark: said };
  const overlays = state.screen.overlays.map((one) => (one === shown ? next : one));
  return patchScreen(state, { overlays });
}

export const settingsScreen = {
  rowIds: (_: AppState, shown: SettingsOverlay): readonly string[] => selectSettingRows(shown).map(({ id }) => id),
  accept,
};

/** The prompt for a text: a right one is written at once, with all that was tried before. */
export const settingValue = {
  accept(context: CommandContext, { id, typed }: ValueOverlay): void {
    const checked = context.settings.check(id, typed);
    // The prompt shows what is wrong.
    if ('problem' in checked) return;
    context.update(popOverlay);
    const shown = shownSettings(context.get());
    if (shown !== null) write(context, { ...shown.tried, [id]: checked.value });
  },
};

const settingName: Parameter<string> = {
  expects: 'the name of a setting, as in /set theme dark; /settings shows them all',
  parse: (word) => word,
};

const say = (context: CommandContext, result: SaveResult): void =>
  'problem' in result
    ? notify(context, result.problem, { tone: 'warning', about: 'settings' })
    : notify(context, result.said, { about: 'settings' });

/** Writes the setting. The line comes back into a composer that is still empty where the value is refused. */
function setOne(context: CommandContext, setting: string, value: string): void {
  const { openId } = context.get().view;
  context.settings.set(setting, value, (result) => {
    say(context, result);
    if (!('problem' in result) || openId === null) return;
    bringLineBack(context, openId, `/set ${setting} ${value}`);
  });
}

const inSettings = { group: 'Dialogs', where: ['settings'] } as const;

/** Where no setting fits the filter, no key can change one. */
const onSelectedHint =
  (hint: string) =>
  (state: AppState): string => {
    const shown = shownSettings(state);
    return shown === null || selectedSetting(shown) === null ? '' : hint;
  };

export const settingsCommands: readonly Command[] = [
  withParameters({
    id: 'settings.open',
    slash: 'settings',
    group: 'Anywhere',
    where: ['global'],
    title: 'Settings: see, try and change them',
    keys: ['alt+,', 'ctrl+,'],
    parameters: { filter: freeText },
    run: (context, { filter }) => openSettings(context, filter ?? ''),
  }),
  withParameters({
    id: 'settings.set',
    slash: 'set',
    group: 'Anywhere',
    where: ['global'],
    title: 'Change a setting in config.toml',
    keys: [],
    parameters: { setting: settingName, value: freeText },
    run: (context, { setting, value }) => {
      if (value === null) openSettings(context, setting);
      else setOne(context, setting, value);
    },
  }),
  {
    ...inSettings,
    id: 'settings.next',
    title: 'Next value of the setting',
    keys: ['right'],
    hint: onSelectedHint('change'),
    run: step(1),
  },
  { ...inSettings, id: 'settings.previous', title: 'Previous value of the setting', keys: ['left'], run: step(-1) },
  {
    ...inSettings,
    id: 'settings.reset',
    title: 'Back to the default; in the text: delete to the right',
    keys: ['delete'],
    hint: onSelectedHint('default'),
    run: reset,
  },
];
