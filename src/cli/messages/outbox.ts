/** `msg-tui outbox`: lists writes that wait, failed or got no answer, and carries out decisions about them. */
import { conversationOf } from '../../state/cache/conversations.ts';
import { isHeldBack } from '../../state/local/outbox.ts';
import { canResend } from '../../state/local/resend-rule.ts';
import type { AppState, Op } from '../../state/model/app-state.ts';
import { describeFiles } from '../../state/select/attachments.ts';
import { selectContactName, selectConversationName } from '../../state/select/names.ts';
import { sanitizeLine } from '../../text/safe/sanitize.ts';
import { literal, type SafeText, safe } from '../../text/safe-text.ts';
import type { Account } from '../headless/account.ts';
import { carryOut } from '../headless/write.ts';
import { firstMatch, isPrefixOf, shortestPrefix } from '../names/match.ts';
import { isoTime, jsonDocument, type Output } from '../output/print.ts';
import { type Column, printTable } from '../output/table.ts';
import { ExitError, exitCodes } from '../process/exit.ts';
import { discardUnreadable, type Unreadable, unreadableIn } from './unreadable.ts';
import { printWarnings, printWritten, type WrittenOptions } from './written.ts';

const columns: readonly Column[] = [
  { heading: literal('OP') },
  { heading: literal('STATE') },
  { heading: literal('WHAT') },
  { heading: literal('CONVERSATION'), least: 12 },
  { heading: literal('TEXT'), least: 12 },
  { heading: literal('REASON'), least: 12 },
];

const opsIn = ({ store }: Account): readonly Op[] => store.getState().local.outbox;

export function listOutbox(account: Account, { json }: WrittenOptions, output: Output): void {
  const state = account.store.getState();
  const ops = opsIn(account);
  if (json === true) {
    const unreadable = unreadableIn(account).map(unreadableJson);
    output.json(jsonDocument({ data: ops.map((op) => opJson(state, op)), unreadable }));
    return;
  }
  const uuids = ops.map(({ uuid }) => uuid);
  const row = (op: Op): readonly SafeText[] => [
    sanitizeLine(shortestPrefix(op.uuid, uuids)),
    sanitizeLine(op.state),
    sanitizeLine(isUndoing(op) ? `${op.action.kind} off` : op.action.kind),
    nameIn(state, op),
    contentOf(op),
    sanitizeLine(reasonOf(op, ops) ?? ''),
  ];
  const rows = [...ops.map(row), ...unreadableIn(account).map((one) => asideRow(state, one))];
  printTable(output, columns, rows, literal('nothing waits to be sent'));
}

const asideRow = (state: AppState, { op, kind, conversationId: id, text }: Unreadable): readonly SafeText[] => [
  sanitizeLine(op),
  literal('unreadable'),
  sanitizeLine(kind),
  id === null ? literal('') : selectConversationName(state, id),
  sanitizeLine(text),
  literal('It is damaged: it is never sent, and stays until it is discarded.'),
];

/** For a conversation that is to be created, the name of the person or the group. */
function nameIn(state: AppState, { action }: Op): SafeText {
  if (action.kind !== 'conversation.create') return selectConversationName(state, action.conversationId);
  const { contactId, groupId } = action;
  return contactId === null ? sanitizeLine(groupId ?? '') : selectContactName(state, contactId, null);
}

const reactionOf = ({ action }: Op): string | null => (action.kind === 'message.react' ? action.name : null);

/** Whether it takes back a reaction, or undoes a pin, a mute or an archiving; null for everything else. */
function isUndoing({ action }: Op): boolean | null {
  if (action.kind === 'message.react') return !action.present;
  if (action.kind === 'conversation.archive') return action.at === null;
  if (action.kind === 'conversation.pinMessage') return action.messageId === null;
  return action.kind === 'conversation.pin' || action.kind === 'conversation.mute' ? !action.value : null;
}

/** The text with the names of the files after it, or the reaction. */
function contentOf(op: Op): SafeText {
  const files = describeFiles(filesOf(op)).map(({ label }) => `[${label}]`);
  return sanitizeLine([textOf(op) ?? reactionOf(op) ?? '', ...files].filter((part) => part !== '').join(' '));
}

const filesOf = ({ action }: Op) =>
  action.kind === 'conversation.create'
    ? action.first?.attachments
    : action.kind === 'message.send'
      ? action.attachments
      : undefined;

function textOf({ action }: Op): string | null {
  if (action.kind === 'conversation.create') return action.first?.text ?? null;
  return 'text' in action ? action.text : null;
}

const reasonOf = (op: Op, ops: readonly Op[]): string | null =>
  isHeldBack(op, ops) ? 'It waits for an earlier message that is unsure.' : op.reason;

const opJson = (state: AppState, op: Op) => ({
  op: op.uuid,
  state: op.state,
  kind: op.action.kind,
  conversation_id: conversationOf(op),
  conversation_name: nameIn(state, op),
  message_id: messageOf(op),
  message: textOf(op),
  attachments: filesOf(op) ?? [],
  reaction: reactionOf(op),
  off: isUndoing(op),
  reason: reasonOf(op, state.local.outbox),
  attempts: op.attempts.length,
  created_at: isoTime(op.created),
  not_before: op.notBefore === 0 ? null : isoTime(op.notBefore),
});

/** @throws ExitError: 1 damaged, 2 ambiguous, 5 not found */
function chooseOp(account: Account, typed: string): Op {
  const match = firstMatch(opsIn(account), [({ uuid }) => uuid === typed, ({ uuid }) => isPrefixOf(typed, uuid)]);
  if (match.kind === 'one') return match.item;
  if (match.kind === 'none' && unreadableIn(account).some(({ op }) => op === typed))
    throw new ExitError(exitCodes.failure, `${typed} is damaged and is never sent; msg-tui outbox discard removes it`);
  if (match.kind === 'none')
    throw new ExitError(exitCodes.notFound, `"${typed}" is not in the outbox; msg-tui outbox lists what is`);
  const candidates = match.items.map(({ uuid, state }) => ({ id: uuid, name: state }));
  throw new ExitError(
    exitCodes.usage,
    `"${typed}" is the beginning of ${match.items.length} changes; write more of it:`,
    {
      name: 'ambiguous',
      candidates,
    },
  );
}

const aboutOf = (op: Op) => ({
  kind: op.action.kind,
  conversation_id: conversationOf(op),
  message_id: messageOf(op),
});

const messageOf = ({ action }: Op): string | null => ('messageId' in action ? action.messageId : null);

/** Reads a message before its failed edit is tried again, which replaces the known text: that has to be the present one. */
async function readEdited({ fetch }: Account, { state, action }: Op): Promise<void> {
  if (state === 'failed' && action.kind === 'message.edit') await fetch((read) => read.thread(action.conversationId));
}

/** Tries one op again, or, without a word, everything that is queued. Rejects with ExitError. */
export async function retryOp(
  account: Account,
  typed: string | undefined,
  options: WrittenOptions,
  output: Output,
): Promise<void> {
  if (typed === undefined) return retryQueued(account, options, output);
  const op = chooseOp(account, typed);
  await readEdited(account, op);
  // One that may have arrived is looked for in the history first; carryOut does both.
  const isUnsure = op.state === 'unsure';
  const isDue = !isUnsure || canResend(op, Date.now());
  if (isDue) account.session.engine.retry(op.uuid);
  const written = await carryOut(account, op.uuid, { wait: isUnsure, sendsAgain: !isDue });
  printWritten(output, written, aboutOf(op), options);
}

/**
 * Sends what is queued, one after another, and looks for what is unsure in the history: what is found there counts as sent. One
 * that is refused does not hold up the others.
 * Rejects with ExitError: that of the first refusal, or that with which the rest could not be tried.
 */
async function retryQueued(account: Account, options: WrittenOptions, output: Output): Promise<void> {
  let sent = 0;
  const refusals: ExitError[] = [];
  const warnings = new Set<string>();
  for (const op of opsIn(account)) {
    if (op.state === 'failed') continue;
    try {
      const written = await carryOut(account, op.uuid, { wait: true, known: op });
      for (const text of written.warnings) warnings.add(text);
      sent += 1;
    } catch (error) {
      if (!(error instanceof ExitError)) throw error;
      for (const text of error.details.warnings ?? []) warnings.add(text);
      refusals.push(error);
      if (endsAll(account, error)) break;
    }
  }
  const [first, ...others] = refusals;
  if (first !== undefined) throw afterRefusals(sent, first, others, warnings);
  const left = opsIn(account).length;
  const failed = opsIn(account).filter(({ state }) => state === 'failed').length;
  if (options.json === true) {
    output.json(jsonDocument({ sent, left, warnings: [...warnings] }), `${sent} sent`);
    return;
  }
  printWarnings(output, [...warnings]);
  output.remark(sent === 0 ? literal('nothing waits to be sent') : safe`${sent} sent`);
  if (failed > 0) output.remark(safe`${failed} failed; see msg-tui outbox list`);
}

/** Whether the next op would end in the same way: the time is over, or the server refuses the token. */
const endsAll = ({ deadline }: Account, { code }: ExitError): boolean =>
  deadline.isOver || code === exitCodes.notReached || code === exitCodes.notSignedIn;

/** The error with which retrying everything ends: its line says what was sent, and the warnings why each other one was not. */
function afterRefusals(
  sent: number,
  first: ExitError,
  others: readonly ExitError[],
  warnings: ReadonlySet<string>,
): ExitError {
  if (others.length === 0) {
    const message = sent === 0 ? first.message : `${sent} sent, one not: ${first.message}`;
    return new ExitError(first.code, message, { ...first.details, warnings: [...warnings] });
  }
  const reasons = [first, ...others].map(({ message }) => message);
  const text = `${sent} sent, ${reasons.length} not; see msg-tui outbox list`;
  return new ExitError(first.code, text, { ...first.details, warnings: [...warnings, ...reasons] });
}

const unreadableJson = ({ op, kind, conversationId, text, row }: Unreadable) => ({
  op,
  kind,
  conversation_id: conversationId,
  message: text,
  record: row.record,
  found_at: isoTime(row.at),
});

/** @throws ExitError: 1 where its request has left already, 2 for an ambiguous name, 5 for one that nothing has */
export function discardOp(account: Account, typed: string, { json }: WrittenOptions, output: Output): void {
  const aside = unreadableIn(account).find((one) => one.op === typed);
  if (aside !== undefined) {
    discardUnreadable(account, aside);
    const about = { kind: aside.kind, conversation_id: aside.conversationId, message_id: null };
    if (json === true)
      output.json(jsonDocument({ state: 'discarded', op: typed, ...about, warnings: [] }), 'discarded');
    return;
  }
  const op = chooseOp(account, typed);
  if (!account.session.engine.discard(op.uuid))
    throw new ExitError(exitCodes.failure, noticeOn(account, op) ?? 'it could not be taken back');
  if (json === true)
    output.json(jsonDocument({ state: 'discarded', op: op.uuid, ...aboutOf(op), warnings: [] }), 'discarded');
}

/** Gives a message that has not arrived another text, and tries it again where it had failed. Rejects with ExitError. */
export async function editOp(
  account: Account,
  typed: string,
  text: string,
  options: WrittenOptions,
  output: Output,
): Promise<void> {
  const op = chooseOp(account, typed);
  if (textOf(op) === null) throw new ExitError(exitCodes.usage, 'outbox edit: this change has no text');
  const { engine } = account.session;
  if (!engine.rewrite(op.uuid, text)) throw new ExitError(exitCodes.failure, noticeOn(account, op) ?? mayHaveArrived);
  await readEdited(account, op);
  if (op.state === 'failed') engine.retry(op.uuid);
  printWritten(output, await carryOut(account, op.uuid), aboutOf(op), options);
}

const mayHaveArrived = 'it is being sent or may have arrived, so its text stays as it is';

/** What a notice says about the change, as where the disk refuses. */
const noticeOn = ({ store }: Account, { uuid }: Op): string | undefined =>
  store.getState().screen.notices.find(({ about }) => about === uuid)?.text;
