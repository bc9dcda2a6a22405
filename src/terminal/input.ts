/** Reads the keyboard in raw mode, decodes bytes to events and hands them to the handler. */
import { createDecoder } from './decoder.ts';
import type { InputEvent } from './events.ts';
import type { Timers } from './idle-timer.ts';
import { PromptStdin } from './prompt-stdin.ts';

export type StdinPort = Pick<NodeJS.ReadStream, 'on' | 'off' | 'resume' | 'pause'> &
  Partial<Pick<NodeJS.ReadStream, 'setRawMode'>>;

export interface InputOptions {
  readonly stdin: StdinPort;
  readonly escapeTimeoutMs?: number;
  readonly timers?: Timers;
  /** Called when the keyboard has been closed. */
  readonly onHangup?: () => void;
}

/** @returns true when the event was handled and an open prompt must not get it */
export type InputHandler = (event: InputEvent) => boolean;

export interface Input {
  /** Raw mode on, reading; also after `stop`. */
  start(): void;
  /** Raw mode off, not reading; idempotent, fit for exit handlers. */
  stop(): void;
  /** Sets the one handler; what has come in before the first one is handed to it now, in order. */
  attach(handler: InputHandler): void;
  /**
   * What the handler leaves goes to this prompt; null: to nobody. A command that follows typing waits until the prompt has
   * taken it: Enter in the same chunk as a name means the whole name.
   */
  forwardTo(prompt: PromptStdin | null): void;
}

/** Events kept before there is a handler; more than anyone types while a program starts. */
const keptMost = 10_000;

const isTyping = (event: InputEvent): boolean => event.type === 'paste' || (event.type === 'key' && event.text !== '');

export function createPromptStdin(): PromptStdin {
  return new PromptStdin();
}

export function createInput(options: InputOptions): Input {
  const { stdin } = options;
  let handler: InputHandler | null = null;
  let prompt: PromptStdin | null = null;
  let kept: InputEvent[] = [];
  let held: InputEvent[] = [];
  let isReading = false;

  const dispatch = (event: InputEvent): void => {
    if (handler === null) {
      if (kept.length < keptMost) kept.push(event);
    } else if (held.length > 0 || mustWait(event)) held.push(event);
    else deliver(handler, event);
  };
  const mustWait = (event: InputEvent): boolean => prompt?.isBusy === true && !isTyping(event);
  const deliver = (to: InputHandler, event: InputEvent): void => {
    if (!to(event)) prompt?.forward(event);
    else if (event.type === 'key' && !isTyping(event)) prompt?.afterCommand();
  };
  const release = (): void => {
    const waiting = held;
    held = [];
    for (const event of waiting) dispatch(event);
  };

  const decoder = createDecoder({
    onEvent: dispatch,
    ...(options.escapeTimeoutMs === undefined ? {} : { escapeTimeoutMs: options.escapeTimeoutMs }),
    ...(options.timers === undefined ? {} : { timers: options.timers }),
  });
  const read = (bytes: Buffer): void => decoder.push(bytes);
  const hangUp = (): void => {
    if (isReading) options.onHangup?.();
  };

  const setRaw = (isRaw: boolean): void => {
    try {
      stdin.setRawMode?.(isRaw);
    } catch {
      // The terminal was closed; `close` or the next write reports it.
    }
  };

  return {
    start() {
      if (isReading) return;
      isReading = true;
      setRaw(true);
      stdin.on('data', read);
      stdin.on('end', hangUp);
      stdin.on('close', hangUp);
      stdin.on('error', hangUp);
      stdin.resume();
    },
    stop() {
      if (!isReading) return;
      isReading = false;
      stdin.off('data', read);
      stdin.off('end', hangUp);
      stdin.off('close', hangUp);
      stdin.off('error', hangUp);
      setRaw(false);
      stdin.pause();
    },
    attach(next) {
      handler = next;
      const early = kept;
      kept = [];
      for (const event of early) dispatch(event);
    },
    forwardTo(next) {
      if (prompt === next) return;
      prompt?.off('idle', release);
      prompt?.clear();
      prompt = next;
      prompt?.on('idle', release);
      release();
    },
  };
}
