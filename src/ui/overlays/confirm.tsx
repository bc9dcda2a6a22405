/** Draws a question of `commands/questions.ts`. It is about the message it was asked for, wherever the cursor goes. */
import { questionOf } from '../../commands/questions.ts';
import type { AppState } from '../../state/model/app-state.ts';
import { authorName, selectConversationName } from '../../state/select/names.ts';
import type { Confirm } from '../../state/view/overlays.ts';
import { sanitizeLine } from '../../text/safe/sanitize.ts';
import { literal, type SafeText, safe } from '../../text/safe-text.ts';
import { clockTime } from '../../text/time.ts';
import { useApp } from '../store-context.ts';
import { Question } from '../widgets/question.tsx';

export function ConfirmDialog({ overlay }: { readonly overlay: Confirm }) {
  const { title = '', advice = '' } = questionOf(overlay) ?? {};
  const shown = useApp((state) => (typeof title === 'string' ? title : title(state, overlay)));
  const subject = useApp((state) => subjectOf(state, overlay));
  return <Question title={sanitizeLine(shown)} height={7} subject={subject} advice={[sanitizeLine(advice)]} />;
}

/** The question's own line, or author, time and first line of the message, or the name of the conversation. */
function subjectOf(state: AppState, overlay: Confirm): SafeText {
  const { conversationId, messageId, textThen } = overlay;
  const own = questionOf(overlay)?.subject?.(state);
  if (own !== undefined) return sanitizeLine(own);
  if (messageId === null) return selectConversationName(state, conversationId);
  const message = state.cache.threads.get(conversationId)?.messages.find(({ id }) => id === messageId);
  const firstLine = sanitizeLine((message?.text ?? textThen ?? '').slice(0, 400).split('\n', 1)[0] ?? '');
  if (message === undefined) return firstLine;
  const time = message.createdAt === null ? literal('') : clockTime(message.createdAt);
  return safe`${authorName(state, message.contact)} ${time}: ${firstLine}`;
}
