/** Draws every setting with its value, the source of the value and its default. */
import type { AppState, Draft, Overlay } from '../../state/model/app-state.ts';
import { mostSettingsRows, selectedSetting } from '../../state/search/setting-rows.ts';
import { type Row, span } from '../../text/layout/row.ts';
import { cutLines, wrap } from '../../text/layout/wrap.ts';
import { literal, type SafeText } from '../../text/safe-text.ts';
import { emptyRows } from '../../view/choice-dialog.ts';
import { drawChoices } from '../../view/choices.ts';
import { type DialogContent, type DrawnDialog, drawDialog } from '../../view/dialog.ts';
import { ownTextIn } from '../../view/glyph-set.ts';
import { drawKeysLine } from '../../view/keys-line.ts';
import type { Rect } from '../../view/layout.ts';
import type { DialogContext } from '../../view/picker.ts';
import { aboutSetting, settingChoices, settingsHead, settingsNote } from '../../view/settings.ts';
import { fieldCursor, fieldRow } from '../../view/text-field.ts';

type Settings = Extract<Overlay, { kind: 'settings' }>;

const width = 96;
/** The rows of the field and of the names of the columns. */
const headRows = 2;
/** The most rows of the line about the last key. */
const noteRows = 2;
/** The rows below the settings: the text about the selected setting, and the line about the last key. */
const belowRows = 4;

type Shown = Pick<DialogContext, 'look' | 'hints'>;

/** @param draft null where another overlay has the keyboard */
export function settingsDialog(
  overlay: Settings,
  state: AppState,
  { look, hints }: DialogContext,
  draft: Draft | null,
): DrawnDialog {
  const { size } = state.screen;
  const dialog = { title: literal('Settings'), width, height: Math.min(mostSettingsRows, size.rows - 1) };
  return drawDialog(dialog, size, look, (room) => {
    const keys = drawKeysLine(hints, room, look);
    const { rows, ...found } = content(overlay, room, draft, { look, hints });
    return { ...found, rows: [...rows, keys.row], areas: keys.areas };
  });
}

function content(overlay: Settings, room: Rect, draft: Draft | null, { look, hints }: Shown): DialogContent {
  const below = belowSettings(overlay, room, { look, hints });
  const height = Math.max(1, room.height - headRows - below.length - 1);
  const empty = overlay.page === null ? literal('Reading config.toml') : literal('No setting has these words');
  const { selected } = overlay;
  const settings = { rows: settingChoices(overlay, room.width, look), selected, empty };
  const { rows, choices } = drawChoices(settings, { ...room, y: room.y + headRows, height }, look);
  const field = {
    label: literal('Find:'),
    value: overlay.typed,
    placeholder: literal('part of a name or a value'),
    draft,
  };
  return {
    rows: [
      fieldRow(field, room.width, look),
      settingsHead(room.width, look),
      ...rows,
      ...emptyRows(height - rows.length),
      ...below,
    ],
    choices,
    cursor: fieldCursor(field, room.width, look),
  };
}

/** Explains the selected setting and the result of the last key. Where there is room, it always has the same height. */
function belowSettings(overlay: Settings, room: Rect, { look, hints }: Shown): readonly Row[] {
  const { theme, signs } = look;
  const entry = selectedSetting(overlay);
  const lines = (texts: readonly SafeText[], most: number): readonly SafeText[] =>
    cutLines(
      texts.flatMap((text) => wrap(ownTextIn(text, signs), room.width)),
      room.width,
      most,
      signs.ellipsis,
    );
  const isLow = room.height < 16;
  const note = settingsNote(overlay, hints);
  const notes = note === '' ? [] : lines([note], isLow ? 1 : noteRows);
  const facts = entry === null ? [] : aboutSetting(entry);
  const about = isLow ? lines(facts.toReversed(), 1) : lines(facts, belowRows - notes.length);
  return [
    ...about.map((line): Row => [span(line, theme.muted)]),
    ...notes.map((line): Row => [span(line, theme.strong)]),
    ...(isLow ? [] : emptyRows(belowRows - about.length - notes.length)),
  ];
}
