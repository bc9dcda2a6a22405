/** The one table of commands: keys, help, footer, `msg-tui keys` and the generated documentation are made from it. */
import { memoLast } from '../state/collections/memo.ts';
import type { AppState } from '../state/model/app-state.ts';
import type { KeySettings } from '../state/model/key-settings.ts';
import { accountCommands } from './accounts.ts';
import { attachCommands } from './attach.ts';
import { overridesOf, ownIds } from './bindings.ts';
import type { Command } from './command.ts';
import { completionCommands } from './completion.ts';
import { composerCommands } from './composer.ts';
import { copyCommands } from './copy.ts';
import { densityCommands } from './density.ts';
import { enterCommands } from './enter.ts';
import { externalEditorCommands } from './external-editor.ts';
import { forwardCommands } from './forward.ts';
import { globalCommands } from './global.ts';
import { jumpCommands } from './jumps.ts';
import { createKeymap, type Keymap, withoutLostKeys } from './keymap.ts';
import { listCommands } from './list.ts';
import { filterCommands } from './list-filter.ts';
import { listMoves } from './list-moves.ts';
import { macroCommands } from './macros.ts';
import { markCommands } from './marks.ts';
import { messageMoves } from './message-moves.ts';
import { messageSearchCommands } from './message-search.ts';
import { messageCommands } from './messages.ts';
import { overlayCommands } from './overlays.ts';
import { createPalette } from './palette.ts';
import { pictureHostCommands } from './pictures.ts';
import { profileCommands } from './profile-commands.ts';
import { rebindCommands } from './rebind.ts';
import { repeatCommand } from './repeat.ts';
import { exportCommand, saveCommand } from './save-messages.ts';
import { screenCommands } from './screen.ts';
import { sentTextCommands } from './sent-texts.ts';
import { withSettings } from './setting-rows.ts';
import { settingsCommands } from './settings.ts';
import { sheetCommands } from './sheets.ts';
import { snippetCommands } from './snippets.ts';
import { textCommands } from './text-editing.ts';
import { troubleCommands } from './trouble.ts';

export const selectPalette = createPalette(
  (state) => keymapOf(state),
  (commands, { settings }) => withSettings(commands, settings.known),
);

export const commands: readonly Command[] = [
  ...globalCommands,
  ...screenCommands,
  ...profileCommands,
  repeatCommand((keys) => withMacros(keys)),
  ...densityCommands,
  ...accountCommands,
  ...pictureHostCommands,
  ...settingsCommands,
  ...listMoves,
  ...listCommands,
  ...filterCommands,
  ...messageMoves,
  ...markCommands,
  ...jumpCommands,
  ...messageCommands,
  ...copyCommands,
  ...enterCommands(() => commands),
  ...forwardCommands,
  saveCommand,
  exportCommand,
  ...composerCommands,
  ...attachCommands,
  ...externalEditorCommands,
  ...sentTextCommands,
  ...snippetCommands,
  ...textCommands,
  ...completionCommands(() => commands),
  ...messageSearchCommands,
  ...sheetCommands,
  ...troubleCommands,
  ...overlayCommands(selectPalette),
  ...rebindCommands((state) => keymapOf(state)),
];

/** The table with the user's macros. */
export const withMacros = memoLast((keys: KeySettings): readonly Command[] => {
  const macros = macroCommands(keys, commands);
  return macros.length === 0 ? commands : [...commands, ...macros];
});

const none: ReadonlySet<string> = new Set();

const keymapOfSettings = memoLast(
  (settings: KeySettings): Keymap =>
    createKeymap(withMacros(settings), overridesOf(settings), {
      hasCounts: settings.profile === 'vim',
      own: ownIds(settings),
    }),
);

/** @param lost keys that this terminal does not send */
export const keymapFor = memoLast(
  (settings: KeySettings, lost: ReadonlySet<string> = none): Keymap =>
    withoutLostKeys(keymapOfSettings(settings), lost),
);

/** The keymap of now: it is made again when the settings of the keys change, and only then. */
export const keymapOf = ({ settings, screen }: AppState): Keymap => keymapFor(settings.keys, screen.lostKeys ?? none);
