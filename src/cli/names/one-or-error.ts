/** Finds the one thing that a name means, or ends the command with an error that lists the candidates. */
import type { Contact, Conversation, Message } from '../../protocol/types.ts';
import { ownership } from '../../state/local/identity.ts';
import type { AppState } from '../../state/model/app-state.ts';
import { conversationName, selectContactName } from '../../state/select/names.ts';
import { type ErrorDetails, ExitError, exitCodes } from '../process/exit.ts';
import { matchConversation, similarConversations } from './conversations.ts';
import type { Match } from './match.ts';
import { matchMessage, type Whose } from './messages.ts';
import { matchPerson } from './people.ts';

type Candidates = NonNullable<ErrorDetails['candidates']>;

/** The most candidates that an error lists: those with a common beginning of their ids could fill the screen. */
const mostCandidates = 20;

/** @throws ExitError 2 for an ambiguous name, 5 for one that nothing has */
export function requireConversation(state: AppState, typed: string): Conversation {
  const candidate = (one: Conversation) => ({ id: one.id, name: conversationName(state, one) });
  const similar = (): Candidates => similarConversations(state, typed).map(candidate);
  const advice = state.view.isArchive
    ? ' in this archive; msg-tui conversations --archive lists them'
    : '; msg-tui conversations lists them, and msg-tui new starts one';
  return required(matchConversation(state, typed), 'conversation', typed, candidate, { similar, advice });
}

/** @throws ExitError as `requireConversation` does */
export function requirePerson(state: AppState, typed: string): Contact {
  const candidate = (one: Contact) => ({ id: one.id, name: selectContactName(state, one.id, one) });
  const advice = '; people are known once a message of theirs has been read';
  return required(matchPerson(state, typed), 'person', typed, candidate, { advice });
}

/**
 * @param messages of one conversation, oldest first
 * @throws ExitError as `requireConversation` does
 */
export function requireMessage(state: AppState, messages: readonly Message[], typed: string, whose: Whose): Message {
  const candidate = ({ id, text }: Message) => ({ id, name: text.slice(0, 60).toWellFormed() });
  const isUnknown = whose === 'own' && messages.some((message) => ownership(message, state) === 'unknown');
  const match = matchMessage(state, messages, typed, whose);
  if (typed === 'last' && match.kind === 'none')
    throw new ExitError(exitCodes.notFound, isUnknown ? ownersUnknownText : noLastText[whose]);
  const advice = '; msg-tui read with --ids prints the ids';
  return required(match, 'message', typed, candidate, { advice });
}

const noLastText: Readonly<Record<Whose, string>> = {
  own: 'none of the newest messages is yours; msg-tui read with --ids prints the ids',
  others: 'none of the newest messages is of somebody else; msg-tui read with --ids prints the ids',
  all: 'the conversation has no messages',
};
const ownersUnknownText = 'it is not known which messages are yours; give the id, which msg-tui read with --ids prints';

function required<T>(
  match: Match<T>,
  noun: string,
  typed: string,
  candidate: (item: T) => Candidates[number],
  { similar = () => [], advice = '' }: { readonly similar?: () => Candidates; readonly advice?: string } = {},
): T {
  if (match.kind === 'one') return match.item;
  if (match.kind === 'several') {
    const message = `"${typed}" is the name of ${match.items.length} ${plural(noun)}; use an id${match.items.length > mostCandidates ? ', such as one of these' : ''}:`;
    const candidates = match.items.slice(0, mostCandidates).map(candidate);
    throw new ExitError(exitCodes.usage, message, { name: 'ambiguous', candidates });
  }
  const candidates = similar();
  const [end, details] = candidates.length === 0 ? [advice, {}] : ['; similar names:', { candidates }];
  throw new ExitError(exitCodes.notFound, `there is no ${noun} "${typed}"${end}`, details);
}

const plural = (noun: string): string => (noun === 'person' ? 'people' : `${noun}s`);
