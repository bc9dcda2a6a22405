/**
 * Every setting, in one table. Reading config.toml, `msg-tui config`, the example file and docs/configuration.md follow from
 * it: a new setting is a new row.
 */
import * as v from 'valibot';
import { themeNames, themeOf } from './theme.ts';
import { bindSchema, hookArgv, macrosSchema, notifyArgv } from './value-schemas.ts';

/** What is known of one setting. The schema checks a value of the file and may transform it. */
export interface SettingRow {
  readonly schema: v.GenericSchema;
  /** The value where nothing is set; null: none. */
  readonly default: unknown;
  /** What a value must be, after "must be". */
  readonly expected: string;
  /** A value as it is written in the file. */
  readonly example: string;
  /** What the documentation says where nothing is set and `default` is null. */
  readonly unset?: string;
  /** The variable that overrides config.toml. */
  readonly variable?: string;
  readonly since: string;
  /** One line of Markdown for the documentation and the example file. */
  readonly about: string;
  /** A running chat takes a change of the file over; otherwise it takes effect after a restart. */
  readonly isLive: boolean;
  /** The value is a program with its arguments, which a person may type as a command line. */
  readonly isCommand?: true;
}

const row = <const Row extends SettingRow>(given: Row): Row => given;

const quoted = (name: string): string => JSON.stringify(name);

/** `"a", "b" or "c"` */
const either = (names: readonly string[]): string =>
  names.length < 2
    ? names.map(quoted).join('')
    : `${names.slice(0, -1).map(quoted).join(', ')} or ${quoted(names.at(-1) ?? '')}`;

/** A row whose value is one of some words. */
const choice = <const Names extends readonly string[], const Default extends Names[number] | null>(
  names: Names,
  fallback: Default,
  about: string,
) =>
  row({
    schema: v.picklist(names),
    default: fallback,
    expected: either(names),
    example: quoted(names.find((name) => name !== fallback) ?? ''),
    since: '0.1.0',
    about,
    isLive: true,
  });

const flag = <const Default extends boolean>(fallback: Default, about: string) =>
  row({
    schema: v.boolean(),
    default: fallback,
    expected: 'true or false',
    example: String(!fallback),
    since: '0.1.0',
    about,
    isLive: true,
  });

const text = v.pipe(v.string(), v.trim(), v.nonEmpty());

/** `22:00-07:00`, as minutes of the day. */
const timeSpan = v.pipe(
  v.string(),
  v.trim(),
  v.rawTransform(({ dataset, addIssue, NEVER }) => {
    const match = /^(\d\d?):(\d\d)\s*[-–]\s*(\d\d?):(\d\d)$/.exec(dataset.value);
    const [fromHour = 99, fromMinute = 99, toHour = 99, toMinute = 99] = (match ?? []).slice(1).map(Number);
    const span = { from: fromHour * 60 + fromMinute, to: toHour * 60 + toMinute };
    const isTime = fromHour < 24 && fromMinute < 60 && toHour < 24 && toMinute < 60;
    if (isTime && span.from !== span.to) return span;
    addIssue();
    return NEVER;
  }),
);

/** A row whose value is a command; an empty list is none. */
const command = <const Schema extends SettingRow['schema']>(schema: Schema, about: string, example: string) =>
  row({
    schema,
    default: [],
    expected: 'a program and its arguments',
    example,
    since: '0.1.0',
    about,
    isLive: true,
    isCommand: true,
  });

const hook = (about: string, example: string) => command(hookArgv, `${about}: see [hooks](hooks.md)`, example);

export const settingsTable = {
  default_profile: row({
    schema: text,
    default: null,
    unset: 'the first profile',
    expected: 'a text in quotes',
    example: '"work"',
    variable: 'MSG_TUI_PROFILE',
    since: '0.1.0',
    about: 'the name of the account to open',
    isLive: false,
  }),
  theme: row({
    ...choice(themeNames, null, 'the colours of the chat: see [themes](themes.md)'),
    schema: v.custom<string>((name) => typeof name === 'string' && themeOf(name) !== null),
    expected: `${either(themeNames)}, or the name of a file such as "mine.toml"`,
    unset: 'follows the terminal',
    variable: 'MSG_TUI_THEME',
  }),
  undo_send_seconds: row({
    schema: v.pipe(v.number(), v.minValue(0), v.maxValue(10)),
    default: 0,
    expected: 'a number from 0 to 10',
    example: '5',
    since: '0.1.0',
    about: 'how long a message waits before it is sent, so that it can be taken back',
    isLive: true,
  }),
  reveal_reading: flag(true, 'opening a conversation may tell the server that you read it'),
  resend: choice(
    ['ask', 'auto-after-check'],
    'ask',
    'whether a message is sent again by itself after a 500 or 503: see [reliability](reliability.md)',
  ),
  keyring: flag(true, 'keep new tokens in the keyring of the system'),
  mouse: flag(
    true,
    'clicks, drags and the wheel belong to msg-tui; with `false`, or after the command `mouse.toggle`, the terminal itself selects text (with the mouse on, Shift does that in most terminals)',
  ),
  density: choice(
    ['compact', 'normal', 'comfortable'],
    'normal',
    'rows of a conversation in the list: one without the last message, two, or three; `/density` overrides it until it is changed',
  ),
  text_width: row({
    schema: v.pipe(v.number(), v.integer(), v.minValue(40), v.maxValue(400)),
    default: 100,
    expected: 'a whole number from 40 to 400',
    example: '72',
    since: '0.1.0',
    about: 'the most columns that a line of a message takes; a wide screen gives what is left to the list',
    isLive: true,
  }),
  glyphs: choice(
    ['auto', 'unicode', 'ascii'],
    'auto',
    'frames and signs, and with `ascii` the names of emoji in their place: `auto` asks the terminal, `unicode` and `ascii` decide it; `--ascii` overrides it',
  ),
  dim_unfocused: flag(
    false,
    'the screen is dimmed while the terminal does not have the focus (not with the theme `high-contrast`)',
  ),
  reduced_motion: flag(false, 'nothing blinks, and times in the header have no seconds'),
  coach: flag(true, 'a notice names the key of a command that you have run three times by a menu, a click or its name'),
  polling: choice(
    ['calm', 'normal', 'eager'],
    'normal',
    'how often the server is asked for news: at most about 300, 900 or 2,400 times an hour, and far less while nothing happens: see [polling](polling.md)',
  ),
  pictures: choice(
    ['ask', 'never', 'same-host', 'always'],
    'ask',
    'from which hosts pictures in messages are fetched: see [pictures](pictures.md)',
  ),
  picture_protocol: choice(
    ['auto', 'kitty', 'iterm2', 'sixel', 'blocks'],
    'auto',
    'how pictures are drawn: `auto` asks the terminal, the others decide it',
  ),
  'notify.method': choice(
    ['auto', 'osc99', 'osc777', 'osc9', 'bell', 'command', 'none'],
    'auto',
    'how new messages are notified: see [notifications](notifications.md)',
  ),
  'notify.privacy': choice(
    ['full', 'sender', 'none'],
    'full',
    'a notification shows the text, the sender alone, or only that there is a message',
  ),
  'notify.quiet_hours': row({
    schema: timeSpan,
    default: null,
    expected: 'two different times of the day',
    example: '"22:00-07:00"',
    since: '0.1.0',
    about: 'no notification is shown in these hours of local time',
    isLive: true,
  }),
  'notify.command': command(
    notifyArgv,
    'a program that is run for each notification',
    '["notify-send", "--", "{title}", "{body}"]',
  ),
  'notify.while_focused': flag(
    false,
    'notify of conversations that are not open also while the terminal has the focus',
  ),
  'notify.keywords': row({
    schema: v.pipe(v.array(v.pipe(v.string(), v.trim(), v.minLength(2), v.maxLength(100))), v.maxLength(50)),
    default: [],
    expected: 'a list of at most 50 words or phrases of 2 to 100 characters',
    example: '["ferry", "on call"]',
    since: '0.1.0',
    about: 'a message that contains one of them notifies from a muted or archived conversation as well',
    isLive: true,
  }),
  'notify.title': flag(true, "the window's title shows the unread count and the open conversation"),
  'hooks.arrival': hook('a program that is run when messages of others arrive', '["/home/ann/bin/on-message"]'),
  'hooks.mention': hook(
    'a program that is run when a message names you or contains one of `notify.keywords`',
    '["/home/ann/bin/on-mention"]',
  ),
  'hooks.failure': hook(
    'a program that is run when the server refuses a message or an edit, or nobody knows whether a message arrived',
    '["/home/ann/bin/on-failure"]',
  ),
  'ledger.keep_days': row({
    schema: v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(365)),
    default: 7,
    expected: 'a whole number from 0 to 365',
    example: '30',
    since: '0.1.0',
    about: 'how many days the record of all requests is kept, which `msg-tui ledger` prints; 0: none is written',
    isLive: true,
  }),
  'keys.profile': choice(['standard', 'vim', 'emacs'], 'standard', 'the keys of the chat: see [keys](keys.md)'),
  'keys.bind': row({
    schema: bindSchema,
    default: {},
    expected: 'a table of keys by the id of their command',
    example: '{ "app.quit" = ["ctrl+q", "ctrl+x q"], "conversation.delete" = [] }',
    since: '0.1.0',
    about: 'keys that take the place of all keys of a command; an empty list leaves it without',
    isLive: true,
  }),
  'keys.macros': row({
    schema: macrosSchema,
    default: {},
    expected: 'a table of macros, each with keys and the ids that it runs',
    example: '{ away = { keys = ["f9"], run = ["conversation.pin", "conversation.archive"] } }',
    since: '0.1.0',
    about: 'commands of your own, which run others one after the other and stop at the first that cannot run',
    isLive: true,
  }),
} as const;

export type SettingId = keyof typeof settingsTable;

/** The values that the program works with, after the transformations of the schemas. */
export type SettingValues = {
  readonly [Id in SettingId]:
    | v.InferOutput<(typeof settingsTable)[Id]['schema']>
    | Extract<(typeof settingsTable)[Id]['default'], null>;
};

export const settingIds = Object.keys(settingsTable) as readonly SettingId[];

export const rowOf = (id: SettingId): SettingRow => settingsTable[id];

/** Null for a name that no setting has; an inherited name such as `constructor` is none. */
export const settingOf = (name: string): SettingId | null => settingIds.find((id) => id === name) ?? null;

/** The variable that is set and overrides what config.toml says of the setting; null when there is none. */
export function overridingVariable(
  id: string,
  { theme, profile }: { readonly theme: unknown; readonly profile: string | null },
): string | null {
  const isSet = (id === 'theme' && theme !== null) || (id === 'default_profile' && profile !== null);
  return isSet ? (rowOf(id).variable ?? null) : null;
}

/**
 * Checks a value of one setting. The problem names the setting, and gives an example.
 *
 * @param form how the setting and the example are written: as in a line of config.toml, where the table gives the first part
 *   of the id, or as a person types them
 */
export function checkSetting(
  id: SettingId,
  value: unknown,
  form: 'line' | 'words' = 'line',
): { readonly value: unknown } | { readonly problem: string } {
  const { schema, expected, example } = rowOf(id);
  const result = v.safeParse(schema, value);
  if (result.success) return { value: result.output };
  const own = result.issues.find((issue) => issue.type === 'check');
  const key = form === 'line' ? id.split('.').at(-1) : id;
  const shown = form === 'line' ? `${key} = ${example}` : example.replace(/^"(.*)"$/, '$1');
  return { problem: own?.message ?? `${key} must be ${expected}, as in ${shown}` };
}
