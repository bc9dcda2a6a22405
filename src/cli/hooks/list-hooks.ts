/** `msg-tui hooks list` prints the programs that the chat runs for the user. */
import { loadConfig } from '../../config/file.ts';
import { currentPaths } from '../../config/paths.ts';
import { sanitizeLine } from '../../text/safe/sanitize.ts';
import { literal, type SafeText } from '../../text/safe-text.ts';
import { settingsOf } from '../config/chat-settings.ts';
import { valueText } from '../config/setting-values.ts';
import { jsonDocument, type Output, processOutput } from '../output/print.ts';
import { type Column, tableText } from '../output/table.ts';

export interface ListOptions {
  readonly json?: boolean;
}

const columns: readonly Column[] = [
  { heading: literal('SETTING') },
  { heading: literal('COMMAND'), least: 20 },
  { heading: literal('RUNS') },
];

export async function listHooks({ json }: ListOptions, output: Output = processOutput()): Promise<void> {
  const { hooks, notify } = settingsOf(await loadConfig(currentPaths().configFile));
  const rows: readonly (readonly [string, readonly string[], SafeText])[] = [
    ['hooks.arrival', hooks.arrival, literal('when messages of others arrive')],
    ['hooks.mention', hooks.mention, literal('when one names you or contains a keyword')],
    ['hooks.failure', hooks.failure, literal('when a message or an edit failed, or a message is unsure')],
    ['notify.command', notify.command, literal('for each notification')],
  ];
  if (json === true) {
    output.json(jsonDocument({ hooks: rows.map(([setting, command]) => ({ setting, command })) }));
    return;
  }
  const lines = rows.map(([setting, command, when]) => [
    sanitizeLine(setting),
    command.length === 0 ? literal('none') : sanitizeLine(valueText(command)),
    when,
  ]);
  output.text(tableText(columns, lines, output.columns));
}
