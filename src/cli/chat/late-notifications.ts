/** Loads notifications after the first frame. No notification is sent before they are loaded. */
import type { Incoming } from '../../state/model/incoming.ts';
import { systemClock } from '../../sync/services/clock.ts';
import type { InputEvent } from '../../terminal/events.ts';
import type { TerminalSession } from '../process/terminal-session.ts';
import { type Attention, createAttention } from './attention.ts';
import type { Notifications, NotificationsOptions } from './notifications.ts';
import { NotifyingChat } from './notifying-chat.ts';

export interface LateOptions extends Omit<NotificationsOptions, 'isAttended' | 'chat'> {
  /** The cache directory of the account; null where nothing is to be written. */
  readonly directory: string | null;
  readonly terminal: Pick<TerminalSession, 'capabilities' | 'screen' | 'onLeave' | 'onResize'>;
}

export class LateNotifications {
  readonly #attention: Attention;
  #loaded: Notifications | null = null;
  #chat: NotifyingChat | null = null;

  constructor(attention: Attention = createAttention(systemClock.monotonic)) {
    this.#attention = attention;
  }

  /** To be called with every event of the terminal, which it hands on to the router. */
  watch(event: InputEvent, router: (event: InputEvent) => void): void {
    this.#attention.note(event);
    this.#chat?.note(event);
    if (event.type === 'reply') this.#loaded?.onReply(event);
    router(event);
  }

  readonly onIncoming = (incoming: Incoming): void => this.#loaded?.onIncoming(incoming);

  readonly test = (): void => this.#loaded?.test();

  readonly stop = (): void => {
    this.#chat?.end();
    this.#loaded?.stop();
  };

  async load(options: LateOptions): Promise<void> {
    const { createNotifications } = await import('./notifications.ts');
    const chat = new NotifyingChat({ directory: options.directory });
    chat.use();
    this.#chat = chat;
    const { isAttended } = this.#attention;
    const notifications = createNotifications({ ...options, isAttended, chat });
    this.#loaded = notifications;
    options.terminal.onLeave(this.stop);
    // A pause ends with a new size too; another program may have set the title meanwhile.
    options.terminal.onResize(notifications.showTitle);
  }
}
