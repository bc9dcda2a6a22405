/** The one table of commands: keys, help, footer, `msg-tui keys` and the generated documentation are made from it. */
import type { Command } from './command.ts';
import { composerCommands } from './composer.ts';
import { copyCommands } from './copy.ts';
import { findCommands } from './find.ts';
import { globalCommands } from './global.ts';
import { helpRows } from './help-rows.ts';
import { filterCommands, listCommands } from './list.ts';
import { messageCommands } from './messages.ts';
import { overlayCommands } from './overlays.ts';
import { createPalette } from './palette.ts';

export const selectPalette = createPalette(() => commands);

export const commands: readonly Command[] = [
  ...globalCommands,
  ...listCommands,
  ...filterCommands,
  ...messageCommands,
  ...copyCommands,
  ...composerCommands,
  ...findCommands,
  ...overlayCommands(() => rowCount, selectPalette),
];

/** Overrides change the keys in a row, never how many rows there are. */
const rowCount = helpRows(commands, () => []).length;
