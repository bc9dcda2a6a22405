/** The one table of commands: keys, help, footer, `msg-tui keys` and the generated documentation are made from it. */
import { attachCommands } from './attach.ts';
import type { Command } from './command.ts';
import { completionCommands } from './completion.ts';
import { composerCommands } from './composer.ts';
import { copyCommands } from './copy.ts';
import { externalEditorCommands } from './external-editor.ts';
import { forwardCommands } from './forward.ts';
import { globalCommands } from './global.ts';
import { helpLines, helpRows } from './help-rows.ts';
import { jumpCommands } from './jumps.ts';
import { listCommands } from './list.ts';
import { filterCommands } from './list-filter.ts';
import { listMoves } from './list-moves.ts';
import { markCommands } from './marks.ts';
import { messageMoves } from './message-moves.ts';
import { messageSearchCommands } from './message-search.ts';
import { messageCommands } from './messages.ts';
import { overlayCommands } from './overlays.ts';
import { createPalette } from './palette.ts';
import { saveCommand } from './save-messages.ts';
import { screenCommands } from './screen.ts';
import { sentTextCommands } from './sent-texts.ts';
import { sheetCommands } from './sheets.ts';
import { enterCommands } from './slash.ts';
import { snippetCommands } from './snippets.ts';
import { textCommands } from './text-editing.ts';
import { troubleCommands } from './trouble.ts';

export const selectPalette = createPalette(() => commands);

export const commands: readonly Command[] = [
  ...globalCommands,
  ...screenCommands,
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
  ...overlayCommands((columns) => helpLines(rows, columns).length, selectPalette),
];

/** The number of lines is counted without overrides, which change the keys in a row but hardly ever its height. */
const keysOf = new Map(commands.map(({ id, keys }) => [id, keys]));
const rows = helpRows(commands, (id) => keysOf.get(id) ?? []);
