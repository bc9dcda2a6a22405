/**
 * Carries out keys, and distinguishes sentences from commands. Where letters are commands, those that come fast one
 * after the other are words: what the first of them did is taken back, and all of them go to the composer.
 */
import { sameList } from '../state/collections/memo.ts';
import { selectIsTooSmall } from '../state/select/pane-columns.ts';
import { selectComposer } from '../state/select/selectors.ts';
import { hasTextField, isTooSoon, isWithin, topOverlay, typingMs } from '../state/view/overlays.ts';
import { decline } from './answer-question.ts';
import { type Command, type Context, contextsOf, isQuestion, takesText } from './command.ts';
import { followTyping } from './completion.ts';
import type { CommandContext } from './context.ts';
import { KeySequence } from './key-sequence.ts';
import { isBareCharacter, type Keymap } from './keymap.ts';
import { forgetFirstPress } from './leave.ts';
import { menuRowAt } from './menus.ts';
import { notify } from './notify.ts';
import { selectRebind, takeKey } from './rebind.ts';
import { type KeyPress, pasteInto, runKey } from './run-key.ts';
import { somethingElse, subjectOf } from './selection.ts';
import { forgetQuestion } from './send.ts';
import { noting, takeBackLetters } from './take-back.ts';
import {
  addCommandKey,
  askBeforeSending,
  askBeforeUsing,
  forgetAsked,
  hasFilledComposer,
  isInOpenedField,
  isWritingOn,
  newRun,
  putIntoComposer,
  type Run,
} from './typed-run.ts';

/** The contexts of the pages that letters scroll. */
const pages: ReadonlySet<Context | undefined> = new Set(['details', 'person', 'notices'] as const);

export class KeyRunner {
  readonly #context: CommandContext;
  readonly #keymap: Keymap;
  readonly #sequence: KeySequence;
  #run: Run | null = null;
  /** When the last character was typed. */
  #typedAt = Number.NEGATIVE_INFINITY;
  /** When Enter was pressed last. */
  #enteredAt = Number.NEGATIVE_INFINITY;
  /** Runs the command of a letter that nothing could take back, once it is certain that the letter began no sentence. */
  #waiting: (() => void) | null = null;

  constructor(context: CommandContext, keymap: Keymap) {
    this.#context = context;
    this.#keymap = keymap;
    this.#sequence = new KeySequence(context, keymap);
  }

  /** Whether the next key may end a sequence, so that it is not known whether it is text. */
  get isHolding(): boolean {
    return this.#sequence.isHolding;
  }

  /** Returns false when the key means nothing in this state. */
  press(press: KeyPress): boolean {
    const state = this.#context.get();
    if (selectRebind(state) !== null && !selectIsTooSmall(state)) {
      this.endTyping();
      takeKey(this.#context, this.#keymap, press.key);
      return true;
    }
    const before = selectComposer(state);
    const isDone = this.#press(press);
    followTyping(this.#context, before, this.#keymap.commands);
    return isDone;
  }

  #press(press: KeyPress): boolean {
    const now = this.#context.now();
    const isFast = isWithin(typingMs, this.#typedAt, now);
    const isKept = this.#isInOpenedField() || this.#isWritingOn();
    if (!isFast && !isKept) this.#run = this.#runOfHeld();
    if (!this.#isOfClear(press)) forgetFirstPress(this.#context);
    if (press.key !== 'enter') forgetQuestion(this.#context);
    forgetAsked(this.#context);
    if (press.text === '' || !isBareCharacter(press.key)) return this.#other(press, isFast);
    this.#typedAt = now;
    return this.#character(press, isFast);
  }

  /** Whether the key is bound to `app.clear`, or is a part of a sequence that is. */
  #isOfClear({ key }: KeyPress): boolean {
    return this.#keymap.keysOf('app.clear').some((keys) => keys.split(' ').includes(key));
  }

  paste(text: string, isMore = false): void {
    this.endTyping();
    forgetQuestion(this.#context);
    pasteInto(this.#context, text, isMore);
  }

  /** Ends what was typed so far, for example because a paste or a click came. */
  endTyping(): void {
    forgetFirstPress(this.#context);
    forgetAsked(this.#context);
    this.#run = null;
    this.#waiting = null;
    this.#sequence.end();
  }

  /** The held letters as a run: they are text until their sequence is complete, however long that takes. */
  #runOfHeld(): Run | null {
    const words = this.#sequence.text;
    return words === '' ? null : { ...newRun(this.#context.get()), words };
  }

  #isInOpenedField(): boolean {
    return this.#run !== null && isInOpenedField(this.#run, this.#context.get());
  }

  /** Whether Enter has yet to ask, as the words in the composer were begun outside of it. */
  #isWritingOn(): boolean {
    return this.#run !== null && isWritingOn(this.#run, this.#context.get());
  }

  #other(press: KeyPress, isFast: boolean): boolean {
    const contexts = contextsOf(this.#context.get());
    const isBack = this.#isBack(contexts, press);
    const taken = this.#sequence.take(contexts, press);
    if (taken === 'held') {
      if (this.#sequence.text === '') this.#end();
      return true;
    }
    if (taken === 'unmatched' && (isBack || press.key === 'ctrl+c')) {
      this.endTyping();
      return true;
    }
    // Whoever presses Enter or Backspace after letters that are no command is writing a text.
    const run = this.#run;
    if (taken === 'unmatched' && run !== null && (press.key === 'enter' || press.key === 'backspace'))
      this.#write(run, '');
    return this.#key(taken === 'unmatched' ? press : taken, isFast, isBack);
  }

  /** Whether the key leaves a layer, as Esc does. */
  #isBack(contexts: readonly Context[], { key }: KeyPress): boolean {
    return key === 'escape' || this.#keymap.find(contexts, key)?.command.id === 'layer.back';
  }

  #key(press: KeyPress, isFast: boolean, isBack: boolean): boolean {
    if (press.key === 'enter' && this.#holdsBackEnter(isFast)) return true;
    const run = isBack && this.#isInOpenedField() ? this.#run : null;
    // In the composer Esc means other things until the question about Enter has said what it does.
    const isTakenBack = run !== null && (run.stage === 'asked' || hasTextField(this.#context.get()));
    const words = this.#run?.stage === 'words' ? this.#run : null;
    this.#end(isBack);
    if (isTakenBack) return this.#write(run, '');
    const isDone = runKey(this.#context, this.#keymap, press);
    this.#run = words;
    if (!this.#isWritingOn()) this.#run = null;
    return isDone;
  }

  /** Ends what was typed; a letter that waits acts now, unless the key has cancelled it. */
  #end(isCancelled = false): void {
    const waiting = isCancelled ? null : this.#waiting;
    this.#run = null;
    this.#waiting = null;
    waiting?.();
  }

  /** Whether this Enter must do nothing, as it may end a text that was typed where letters are commands. */
  #holdsBackEnter(isFast: boolean): boolean {
    const state = this.#context.get();
    const run = this.#run;
    const isRepeated = isWithin(typingMs, this.#enteredAt, this.#context.now());
    this.#enteredAt = this.#context.now();
    if (contextsOf(state).includes('dialog') && !hasTextField(state)) return isFast || isRepeated;
    const enter = this.#keymap.find(contextsOf(state), 'enter')?.command.id;
    if (run?.stage === 'words' && enter === 'message.send') {
      this.endTyping();
      askBeforeSending(this.#context);
      return true;
    }
    if (run?.stage !== 'letters' || !this.#isInOpenedField()) return false;
    run.stage = 'asked';
    askBeforeUsing(this.#context, run);
    return true;
  }

  #character(press: KeyPress, isFast: boolean): boolean {
    const contexts = contextsOf(this.#context.get());
    if (takesText(contexts)) return this.#inField(press, contexts);
    if (this.#run?.stage === 'words') return putIntoComposer(this.#context, press.text);
    const isHeld = this.#sequence.isHolding;
    const taken = this.#sequence.take(contexts, press);
    if (taken === 'held' || taken === 'unmatched') {
      const run = this.#runWith(press, true, isHeld);
      if (taken === 'unmatched') return this.#write(run, press.text);
      run.words += press.text;
      return true;
    }
    return this.#letter(taken, isFast, contexts, isHeld);
  }

  /** @param isHeld the key ends a sequence, whose letters are words already */
  #letter(press: KeyPress, isFast: boolean, contexts: readonly Context[], isHeld: boolean): boolean {
    const act = this.#actOf(contexts, press);
    const top = topOverlay(this.#context.get());
    const isInPane = top === null;
    if (isInPane && act === null && this.#run === null && press.text === ' ') return true;
    const isMove = act?.isMove === true && (isInPane || pages.has(contexts[0]));
    const run = this.#runWith(press, isMove, isHeld);
    const isMoveAfterAct = isMove && run.acts.size > 0 && contexts[0] === 'messages';
    // `y2`: a letter has opened the menu, and a digit chooses from it.
    const isChoice = contexts[0] === 'menu' && act !== null && run.words.length === 1 && /^[1-9]$/.test(press.text);
    if ((run.acts.size > 1 && !isChoice) || isMoveAfterAct || (isInPane && act === null))
      return this.#write(run, press.text);
    addCommandKey(run, press.text, isHeld);
    const isNew = top !== null && 'openedAt' in top && isTooSoon(top, this.#context.now());
    return (isQuestion(contexts) && (isFast || isNew)) || this.#carryOut(run, press, act, contexts);
  }

  #inField(press: KeyPress, contexts: readonly Context[]): boolean {
    const run = this.#run;
    const taken = this.#sequence.take(contexts, press);
    if (taken === 'held') return true;
    if (taken !== 'unmatched' && taken !== press) return runKey(this.#context, this.#keymap, taken);
    if (run?.stage === 'letters') {
      // No reaction has a blank in its name.
      const isWord = contexts.includes('composer')
        ? !hasFilledComposer(run, this.#context.get())
        : contexts[0] === 'reaction-picker' && press.text === ' ';
      if (isWord) return this.#write(run, press.text);
      if (contexts[0] === 'filter') this.#run = null;
      else run.words += press.text;
      // A digit in the reaction picker is carried out at once, so that it may have to be taken back.
      return runKey(noting(this.#context, run.done, typingMs), this.#keymap, press);
    }
    if (run?.stage === 'asked') this.#run = null;
    return runKey(this.#context, this.#keymap, press);
  }

  /**
   * A key that only moves the selection begins no word when it was pressed twice.
   * @param isHeld the key continues a sequence whose first keys are held
   */
  #runWith({ key, text }: KeyPress, isMove: boolean, isHeld: boolean): Run {
    const held = this.#run;
    const isRepeated = held !== null && held.acts.size === 0 && /^(.)\1+$/u.test(held.words);
    const run =
      held === null || (isRepeated && !isHeld && !held.words.endsWith(text)) ? newRun(this.#context.get()) : held;
    if (!isMove) run.acts.add(key);
    this.#run = run;
    return run;
  }

  /** The command or menu row that a character runs where the keyboard is; null for none. */
  #actOf(contexts: readonly Context[], { key, text }: KeyPress): Pick<Command, 'isMove' | 'isFinal'> | null {
    const command = this.#keymap.find(contexts, key)?.command;
    if (command !== undefined || contexts[0] !== 'menu') return command ?? null;
    const row = menuRowAt(this.#context.get(), text);
    return row === null ? null : (this.#keymap.commands.find(({ id }) => id === row.id) ?? row);
  }

  /** Any character that does not answer a question closes it. */
  #carryOut(run: Run, press: KeyPress, act: Pick<Command, 'isFinal'> | null, contexts: readonly Context[]): boolean {
    const context = noting(this.#context, run.done, typingMs);
    if (act === null) {
      if (isQuestion(contexts)) decline(context);
      return true;
    }
    const carryOut = (): boolean => runKey(context, this.#keymap, press);
    const isFinal = typeof act.isFinal === 'function' ? act.isFinal(context.get()) : act.isFinal === true;
    if (!isFinal) return carryOut();
    const then = subjectOf(this.#context.get());
    const waiting = (): void => {
      if (sameList(then, subjectOf(this.#context.get()))) carryOut();
      else notify(this.#context, somethingElse);
    };
    this.#waiting = waiting;
    context.later(typingMs, () => {
      if (this.#waiting !== waiting) return;
      this.endTyping();
      waiting();
    });
    return true;
  }

  /** Takes back what the letters did and writes them into the composer, with `text` after them. */
  #write(run: Run, text: string): boolean {
    this.#waiting = null;
    this.#sequence.end();
    this.#run = run;
    takeBackLetters(this.#context, run.done);
    if (run.words !== '') notify(this.#context, 'You were typing: the words are in the composer');
    run.stage = 'words';
    return putIntoComposer(this.#context, run.words + text);
  }
}
