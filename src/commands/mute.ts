/**
 * Mutes a conversation, for a time or until it is unmuted. `sync/outbox/timed-unmute.ts` unmutes it when the time is
 * over.
 */
import type { ConversationId, Millis } from '../protocol/types.ts';
import { momentText } from '../state/local/muting.ts';
import { selectConversation, selectConversationName, selectListOrder } from '../state/select/selectors.ts';
import type { CommandContext } from './context.ts';
import { enqueueMute } from './enqueue-change.ts';
import { rememberAction } from './invoke.ts';
import { undoAdvice } from './key-advice.ts';
import type { Menu, MenuRow } from './menu.ts';
import { notify } from './notify.ts';
import type { Parameter } from './parameters.ts';
import { leaveIfGone } from './selection.ts';
import { rememberUndo } from './undo.ts';

const hourMs = 3_600_000;
const unitMs: Readonly<Record<string, number>> = { m: 60_000, h: hourMs, d: 24 * hourMs, w: 7 * 24 * hourMs };
const longestMs = 366 * 24 * hourMs;

/** A duration in milliseconds; infinity means always, null that no word was given. */
export const duration: Parameter<number | null> = {
  expects: '30m, 8h, 2d, 1w or always',
  parse(word) {
    if (word === 'always') return Number.POSITIVE_INFINITY;
    const [, count, unit = ''] = /^(\d{1,4})([mhdw])$/.exec(word) ?? [];
    const ms = Number(count) * (unitMs[unit] ?? Number.NaN);
    return ms > 0 && ms <= longestMs ? ms : undefined;
  },
  otherwise: null,
};

/** The word for this length of time, as it is typed. */
function wordOf(ms: number): string {
  if (!Number.isFinite(ms)) return 'always';
  const [unit = 'm', length = 1] = Object.entries(unitMs).findLast(([, one]) => ms % one === 0) ?? [];
  return `${Math.round(ms / length)}${unit}`;
}

const choices: readonly (readonly [key: string, label: string, ms: number])[] = [
  ['m', 'Until you unmute it', Number.POSITIVE_INFINITY],
  ['1', 'For 1 hour', hourMs],
  ['8', 'For 8 hours', 8 * hourMs],
  ['w', 'For a week', 7 * 24 * hourMs],
];

export const muteMenu: Menu = {
  title: (state, { conversationId }) => `Mute ${selectConversationName(state, conversationId)}`,
  rows: (_, { conversationId }) =>
    choices.map(
      ([key, label, ms]): MenuRow => ({
        id: `mute.${key}`,
        label,
        key,
        reason: null,
        run: (context) => mute(context, conversationId, ms),
      }),
    ),
};

export function mute(context: CommandContext, conversationId: ConversationId, ms: number): void {
  const until = Number.isFinite(ms) ? context.now() + ms : null;
  if (!setMute(context, conversationId, true, until)) return;
  rememberAction(context, 'conversation.mute', [wordOf(ms)]);
  notify(
    context,
    `${until === null ? 'Muted' : `Muted until ${momentText(until, context.now())}`}; ${undoAdvice(context)}`,
  );
}

/** In the view of muted ones, the neighbour is selected afterwards. */
export function unmute(context: CommandContext, conversationId: ConversationId): void {
  const order = selectListOrder(context.get());
  if (!setMute(context, conversationId, false, null)) return;
  leaveIfGone(context, order, conversationId);
  rememberAction(context, 'conversation.mute', []);
  notify(context, `No longer muted; ${undoAdvice(context)}`);
}

/** Changes whether the conversation is muted, so that undo can restore what it was before. False when the disk refused. */
function setMute(context: CommandContext, id: ConversationId, value: boolean, until: Millis | null): boolean {
  const before = context.get();
  const wasMuted = selectConversation(before, id)?.isMuted === true;
  if (!enqueueMute(context, { kind: 'conversation.mute', conversationId: id, value }, until)) return false;
  rememberUndo(context, id, { kind: 'conversation.mute', conversationId: id, value: wasMuted }, before);
  return true;
}
