/**
 * Keys that are held until more follow: the beginning of a sequence such as `g g`, and the digits of a count. They wait
 * without a limit of time. After half a second, the footer shows what may follow.
 */
import { setHeldKeys } from '../state/view/held-keys.ts';
import type { Context } from './command.ts';
import type { CommandContext } from './context.ts';
import type { Keymap } from './keymap.ts';
import type { KeyPress } from './run-key.ts';

/** How long after the first keys of a sequence the footer shows those that may follow. */
const shownAfterMs = 500;
const longestCount = 3;

/**
 * How a key continues the held ones: `held`: more keys are needed; `unmatched`: no sequence continues with this key, which has
 * its usual meaning then; otherwise the key, or the whole sequence under its name (`g g`).
 */
export type Taken = 'held' | 'unmatched' | KeyPress;

export class KeySequence {
  readonly #context: CommandContext;
  readonly #keymap: Keymap;
  #keys = '';
  #count = '';
  #text = '';
  /** Counts the sequences that have ended, so that a timer knows whether its own one has. */
  #ended = 0;

  constructor(context: CommandContext, keymap: Keymap) {
    this.#context = context;
    this.#keymap = keymap;
  }

  get isHolding(): boolean {
    return this.#keys !== '' || this.#count !== '';
  }

  /** What the held keys would have typed. */
  get text(): string {
    return this.#text;
  }

  take(contexts: readonly Context[], press: KeyPress): Taken {
    if (this.#keys === '' && this.#isDigit(contexts, press.key)) return this.#hold('', press);
    const keys = this.#keys === '' ? press.key : `${this.#keys} ${press.key}`;
    if (this.#keymap.follow(contexts, keys).length > 0) return this.#hold(keys, press);
    if (!this.isHolding) return press;
    const match = this.#keymap.find(contexts, keys);
    const count = this.#count;
    this.end();
    if (match === null || (count !== '' && match.command.isMove !== true)) return 'unmatched';
    return { ...press, key: keys, ...(count !== '' && { count: Number(count) }) };
  }

  end(): void {
    if (!this.isHolding) return;
    this.#keys = '';
    this.#count = '';
    this.#text = '';
    this.#ended++;
    this.#context.update(setHeldKeys(null));
  }

  /** A digit of a count; one that the user has bound begins none. */
  #isDigit(contexts: readonly Context[], key: string): boolean {
    if (!this.#keymap.hasCounts || (contexts[0] !== 'list' && contexts[0] !== 'messages')) return false;
    const { find, follow } = this.#keymap;
    if (this.#count === '' && (find(contexts, key) !== null || follow(contexts, key).length > 0)) return false;
    return (this.#count === '' ? /^[1-9]$/ : /^\d$/).test(key) && this.#count.length < longestCount;
  }

  #hold(keys: string, { key, text }: KeyPress): 'held' {
    this.#keys = keys;
    if (keys === '') this.#count += key;
    this.#text += text;
    if (keys === '') return 'held';
    const ended = this.#ended;
    const show = (): void => {
      if (this.#ended === ended && this.#keys === keys) this.#context.update(setHeldKeys(keys));
    };
    if (this.#context.get().screen.heldKeys === undefined) this.#context.later(shownAfterMs, show);
    else show();
    return 'held';
  }
}
