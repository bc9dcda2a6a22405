/** Reports how the chat would notify in this terminal, and why. */
import type { Environment } from '../../config/environment.ts';
import { loadConfig } from '../../config/file.ts';
import { readNotifyAnswer } from '../../config/notify-answers.ts';
import type { Paths } from '../../config/paths.ts';
import { initialCapabilities } from '../../terminal/capabilities.ts';
import { chooseMethod, terminalMethods } from '../../terminal/notification-method.ts';
import { chatSettings } from '../config/chat-settings.ts';
import { methodWords } from '../config/notify-words.ts';
import { type Check, sectionOf } from '../output/check.ts';
import { terminalFacts } from '../process/terminal-session.ts';

const terminal = sectionOf('Terminal');

/** Reports the method without asking the terminal; a chat asks it, and may find that it knows OSC 99. */
export async function inspectNotifications(
  environment: Environment,
  { configFile, state }: Pick<Paths, 'configFile' | 'state'>,
): Promise<Check> {
  const { notify } = (await chatSettings(environment, loadConfig(configFile))).settings;
  const { method } = notify;
  const isNamed = method !== 'auto' && method !== 'command' && method !== 'none';
  const facts = { ...terminalFacts(environment), isTty: true };
  const answer = readNotifyAnswer(state, environment.terminal, terminalMethods);
  const choice = isNamed
    ? { method, why: 'as config.toml says' }
    : chooseMethod(facts, initialCapabilities(facts), answer);
  const text = methodWords(notify, choice);
  const isGuess = method === 'auto' && answer === null && notify.command.length === 0 && choice.method === 'bell';
  return isGuess
    ? terminal.note('notifications', text, 'msg-tui doctor --notify shows which of them arrive here')
    : terminal.ok('notifications', text);
}
