/** Connects the notifier with the terminal or the user's command, to which its notifications are sent. */
import { childEnvironment } from '../../config/child-environment.ts';
import type { Environment } from '../../config/environment.ts';
import { readNotifyAnswer } from '../../config/notify-answers.ts';
import { createCommandRunner } from '../../hooks/command-runner.ts';
import { notificationDocument } from '../../notify/notification-document.ts';
import { type Notification, Notifier } from '../../notify/notifier.ts';
import { titleOf } from '../../notify/words.ts';
import type { ConversationId } from '../../protocol/types.ts';
import { memoLast } from '../../state/collections/memo.ts';
import type { Incoming } from '../../state/model/incoming.ts';
import { selectUnreadTotal } from '../../state/select/selectors.ts';
import type { AppStore } from '../../state/store.ts';
import type { HookEntry } from '../../storage/ledger/entry.ts';
import { systemClock } from '../../sync/services/clock.ts';
import type { ReplyEvent } from '../../terminal/events.ts';
import { closeSequence, notificationSequence, ownTitleSequence, titleSequence } from '../../terminal/notification.ts';
import { type ChosenMethod, chooseMethod, terminalMethods } from '../../terminal/notification-method.ts';
import { literal } from '../../text/safe-text.ts';
import { argumentsOf, methodWords } from '../config/notify-words.ts';
import { createHooks } from '../hooks/run-hooks.ts';
import { type TerminalSession, terminalFacts } from '../process/terminal-session.ts';
import type { NotifyingChat } from './notifying-chat.ts';

export interface NotificationsOptions {
  readonly store: AppStore;
  readonly terminal: Pick<TerminalSession, 'capabilities'> & {
    readonly screen: Pick<TerminalSession['screen'], 'writeControl'>;
  };
  readonly environment: Pick<Environment, 'terminal'>;
  /** Where `doctor --notify` keeps its answers. */
  readonly stateDirectory: string;
  /** Returns the texts that must not be in the environment of a command. */
  readonly secrets: () => readonly string[];
  readonly isAttended: () => boolean;
  /** Lets one of several chats on the account notify of a message. */
  readonly chat: Pick<NotifyingChat, 'delayMs' | 'notifiedElsewhere' | 'claim'>;
  readonly openConversation: (id: ConversationId) => void;
  /** A later notice about the same thing replaces the earlier one. */
  readonly report: (text: string, about: string) => void;
  /** Notes in the ledger that a command was run. */
  readonly record: (entry: HookEntry) => void;
}

export interface Notifications {
  readonly onIncoming: (incoming: Incoming) => void;
  /** A click on a notification opens its conversation. */
  readonly onReply: (event: ReplyEvent) => void;
  /** Writes the title again, which another program may have changed. */
  readonly showTitle: () => void;
  readonly test: () => void;
  readonly stop: () => void;
}

const prefix = `msg-tui-${process.pid}`;

export function createNotifications(options: NotificationsOptions): Notifications {
  const { store, report } = options;
  const send = createDelivery(options);
  const notifier = new Notifier({
    get: store.getState,
    clock: systemClock,
    isAttended: options.isAttended,
    delayMs: () => options.chat.delayMs(),
    notifiedElsewhere: (ids) => options.chat.notifiedElsewhere(ids),
    claim: (ids) => options.chat.claim(ids),
    show: send.show,
    close: send.close,
    idPrefix: prefix,
  });
  const hooks = createHooks(options);
  const title = createTitle(options);
  title.show();
  const unsubscribe = store.subscribe(() => {
    title.onState();
    notifier.onState();
    hooks.onState();
  });
  return {
    onIncoming(incoming) {
      notifier.onIncoming(incoming);
      hooks.onIncoming(incoming);
    },
    onReply(event) {
      if (event.reply !== 'notification-click') return;
      const id = notifier.conversationOf(event.id);
      if (id !== null && store.getState().cache.conversations.has(id)) options.openConversation(id);
    },
    showTitle: title.show,
    test() {
      const body = literal('This is how the chat notifies you of new messages.');
      send.show({ id: `${prefix}-test`, title: literal('msg-tui'), body, bursts: [] });
      const isSent = store.getState().settings.notify.method !== 'none';
      report(`${isSent ? 'Sent a test notification' : 'No notification is sent'}: ${send.how()}`, 'notify');
    },
    stop() {
      unsubscribe();
      notifier.stop();
      hooks.stop();
      send.stop();
    },
  };
}

interface Delivery {
  readonly show: (notification: Notification) => void;
  readonly close: (id: string) => void;
  readonly how: () => string;
  readonly stop: () => void;
}

function createDelivery({
  store,
  terminal,
  environment,
  stateDirectory,
  secrets,
  report,
  record,
}: NotificationsOptions): Delivery {
  const facts = terminalFacts(environment);
  const settings = () => store.getState().settings.notify;
  let answer: ReturnType<typeof readNotifyAnswer<(typeof terminalMethods)[number]>> | undefined;
  const choice = (): ChosenMethod => {
    const { method } = settings();
    if (method !== 'auto' && method !== 'command' && method !== 'none') return { method, why: 'as config.toml says' };
    answer ??= readNotifyAnswer(stateDirectory, environment.terminal, terminalMethods);
    return chooseMethod(facts, terminal.capabilities(), answer);
  };
  const route = () => ({ isTmux: facts.isTmux, isUtf8: terminal.capabilities().isUtf8 });
  const runner = createCommandRunner({
    clock: systemClock,
    environment: () => childEnvironment(secrets()),
    onTrouble: (problem) => report(`The notification command failed: ${problem}`, 'notify-command'),
    onRun: (run) => record({ kind: 'hook', at: systemClock.now(), reason: 'notify.command', ...run }),
  });
  const usesCommand = (): boolean => {
    const { method, command } = settings();
    return command.length > 0 && (method === 'auto' || method === 'command');
  };
  const toTerminal = (notification: Notification): void =>
    terminal.screen.writeControl(notificationSequence(choice().method, notification, route()));
  return {
    show(notification) {
      if (settings().method === 'none') return;
      if (!usesCommand()) return toTerminal(notification);
      const document = notificationDocument(store.getState(), notification, systemClock.now());
      const { command } = settings();
      runner.run({
        argv: argumentsOf(command, notification),
        command,
        input: `${JSON.stringify(document)}\n`,
        onFailed: () => {
          if (settings().method === 'auto') toTerminal(notification);
        },
      });
    },
    close(id) {
      if (!usesCommand() && choice().method === 'osc99') terminal.screen.writeControl(closeSequence(id, route()));
    },
    how: () => methodWords(settings(), choice()),
    stop: runner.stop,
  };
}

/** Writes the window's title when its text has changed. */
function createTitle({ store, terminal, environment }: NotificationsOptions) {
  const isDrawn = environment.terminal.term === 'linux';
  const text = (): ReturnType<typeof titleOf> => titleOf(store.getState(), selectUnreadTotal(store.getState()));
  let shown = '';
  const show = (): void => {
    // The Linux console has no title and draws the sequence.
    if (isDrawn || !store.getState().settings.notify.title) return;
    const now = text();
    shown = now;
    terminal.screen.writeControl(titleSequence(now, terminal.capabilities()));
  };
  const takeBack = (): void => {
    shown = '';
    terminal.screen.writeControl(ownTitleSequence);
  };
  // Runs after every key: nothing is put together unless one of these has changed.
  const changed = memoLast((..._parts: readonly unknown[]) => {
    if (shown !== '' && !store.getState().settings.notify.title) takeBack();
    else if (text() !== shown) show();
    return null;
  });
  return {
    show,
    onState() {
      const { cache, local, view, settings } = store.getState();
      changed(cache.unread, cache.conversations, cache.contacts, local.names, local.outbox, view.openId, settings);
    },
  };
}
