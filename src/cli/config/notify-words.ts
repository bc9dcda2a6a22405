/** Has the texts of the chat and of `doctor` about how notifications are sent, and fills in arguments of a command. */
import type { NotifySettings } from '../../state/model/settings.ts';
import type { TerminalMethod } from '../../terminal/notification.ts';
import type { ChosenMethod } from '../../terminal/notification-method.ts';
import type { SafeText } from '../../text/safe-text.ts';

export const methodNames: Readonly<Record<TerminalMethod, string>> = {
  osc99: 'OSC 99',
  osc777: 'OSC 777',
  osc9: 'OSC 9',
  bell: 'the bell',
};

export function methodWords(
  { method, command }: Pick<NotifySettings, 'method' | 'command'>,
  choice: ChosenMethod,
): string {
  if (method === 'none') return 'none, as config.toml says';
  const terminal = `${methodNames[choice.method]}, ${choice.why}`;
  if (command.length === 0 || (method !== 'auto' && method !== 'command')) return terminal;
  return `the command ${command[0]}${method === 'auto' ? `; where it fails, ${terminal}` : ''}`;
}

/**
 * Puts the words of the notification where the command has `{title}` and `{body}`. Words of other people must not look
 * like an option of the program.
 */
export function argumentsOf(
  command: readonly string[],
  { title, body }: { readonly title: SafeText; readonly body: SafeText },
): readonly string[] {
  const asWord = (text: string): string => (text.startsWith('-') ? ` ${text}` : text);
  return command.map((word) => (word === '{title}' ? asWord(title) : word === '{body}' ? asWord(body) : word));
}
