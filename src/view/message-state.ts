/**
 * Says whether the user's own message, or a change to one, was sent: a sign, a word, a reason, and the keys that help.
 */

import { isEditConflict, isEditOfDeleted } from '../state/local/outbox.ts';
import { isChecked } from '../state/local/resend-rule.ts';
import type { Op } from '../state/model/app-state.ts';
import type { ThreadItem } from '../state/select/selectors.ts';
import { type Span, type Style, span } from '../text/layout/row.ts';
import { withNoBreakSpaces } from '../text/layout/wrap.ts';
import { sanitizeLine } from '../text/safe/sanitize.ts';
import { literal, type SafeText, safe } from '../text/safe-text.ts';
import type { KeyOf, Look } from './frame.ts';

type State = NonNullable<ThreadItem['state']>;

const words: Readonly<Record<State, SafeText>> = {
  queued: literal('queued'),
  sending: literal('sending'),
  unsure: literal('unsure'),
  failed: literal('failed'),
  sent: literal('sent'),
  read: literal('read'),
};

/** The state beside the time, such as `✓✓ read`; null for messages of others. */
export function stateWord(item: ThreadItem, look: Look): Span | null {
  const sign = stateSign(item, look);
  if (sign === null || item.state === null) return null;
  return item.state === 'sent' ? sign : span(safe`${sign.text} ${words[item.state]}`, sign.style);
}

/** The sign alone, for messages without an author line. */
export function stateSign(item: ThreadItem, look: Look): Span | null {
  return item.state === null ? null : span(look.signs[item.state], styleOf(item.state, look));
}

export function styleOf(state: State, { theme }: Look): Style {
  if (state === 'failed') return theme.error;
  return state === 'unsure' ? theme.warning : theme.muted;
}

interface Note {
  readonly text: SafeText;
  readonly style: Style;
}

const heldBackText = literal('Waits for the unsure message above it');

/**
 * The rows under a message that say what is wrong with it. A message that is sent without trouble adds none, so that the
 * rows below do not move.
 */
export function itemNotes(item: ThreadItem, look: Look, keyOf: KeyOf): readonly Note[] {
  const { op } = item;
  if (op === null) return [];
  const style = styleOf(op.state, look);
  const what = item.kind === 'pending' ? literal('') : safe`${actionWord(op)}: `;
  if (op.state === 'failed') {
    const reason = op.reason === null ? literal('the server refused it') : sanitizeLine(op.reason);
    return [{ text: safe`${look.signs.failed} ${what}${withHelp(reason, op, look, keyOf)}`, style }];
  }
  if (op.state === 'unsure')
    return [{ text: safe`${look.signs.unsure} ${what}${withHelp(unsureText(op), op, look, keyOf)}`, style }];
  if (item.isHeldBack) return [{ text: safe`${look.signs.queued} ${heldBackText}`, style }];
  if (op.reason !== null) return [{ text: safe`${look.signs.queued} ${what}${sanitizeLine(op.reason)}`, style }];
  return [];
}

/**
 * Says what was tried for a message without an answer. It is sent again when the user says so, or by the setting
 * `resend`. After the first search in the history, `reason` says what was found there.
 */
function unsureText({ scans, reason }: Op): SafeText {
  if (scans > 0 && reason !== null) return sanitizeLine(reason);
  const why = reason === null ? literal('No answer from the server.') : safe`Not confirmed: ${sanitizeLine(reason)}.`;
  return safe`${why} Looking for it in the history.`;
}

/** The keys after the text, in the place of its full stop. */
function withHelp(text: SafeText, op: Op, look: Look, keyOf: KeyOf): SafeText {
  const help = helpFor(op, look, keyOf);
  return help === '' ? text : safe`${sanitizeLine(text.replace(/(?<!\.)\.$/, ''))}${help}`;
}

/** Keeps each key on one row with what it does. */
function helpFor(op: Op, { signs }: Look, keyOf: KeyOf): SafeText {
  return choicesFor(op).reduce((help, [command, words]) => {
    const key = sanitizeLine(keyOf(command));
    return key === '' ? help : safe`${help} ${signs.dot} ${withNoBreakSpaces(safe`${key} ${words}`)}`;
  }, literal(''));
}

function choicesFor(op: Op): readonly (readonly [command: string, words: SafeText])[] {
  if (isEditConflict(op))
    return [
      ['message.retry', literal('put yours in its place')],
      ['message.discard', literal('leave theirs')],
      ['message.edit', literal('edit both')],
    ];
  if (isEditOfDeleted(op))
    return [
      ['message.edit', literal('into the composer')],
      ['message.discard', literal('discard')],
    ];
  const isEarly = op.state === 'unsure' && !isChecked(op);
  return [
    ['message.retry', isEarly ? literal('decide') : literal('try again')],
    ['message.discard', literal('discard')],
  ];
}

const actionWords: Readonly<Partial<Record<Op['action']['kind'], SafeText>>> = {
  'message.edit': literal('edit'),
  'message.delete': literal('delete'),
  'message.react': literal('reaction'),
};

const actionWord = (op: Op): SafeText => actionWords[op.action.kind] ?? literal('change');
