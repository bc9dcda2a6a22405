/** The questions before a deletion, a reaction that may harm others', or the loss of words, bound to the thing and not to the cursor. */

import { countUnkept, unkeptWords } from '../../state/local/unkept.ts';
import type { AppState, Overlay } from '../../state/model/app-state.ts';
import { authorName, selectConversationName } from '../../state/select/names.ts';
import { wrap } from '../../text/layout/wrap.ts';
import { sanitizeLine } from '../../text/safe/sanitize.ts';
import { literal, type SafeText, safe } from '../../text/safe-text.ts';
import { clockTime } from '../../text/time.ts';
import { truncate } from '../../text/unicode/width.ts';
import { useApp, useUi } from '../store-context.ts';
import { Dialog } from '../widgets/dialog.tsx';
import { KeysLine } from '../widgets/keys-line.tsx';
import { Text } from '../widgets/text.tsx';

type Confirm = Extract<Overlay, { kind: 'confirm' }>;

const titles: Readonly<Record<Confirm['id'], SafeText>> = {
  'message.delete': literal('Delete this message for everybody?'),
  'conversation.delete': literal('Delete this conversation and all its messages?'),
  'react.unknown-rule': literal('This reaction may cost others something'),
  'app.quit': literal('Quit and lose what was not sent?'),
};

const advice: Readonly<Record<Confirm['id'], SafeText>> = {
  'message.delete': literal('It cannot be brought back.'),
  'conversation.delete': literal('It cannot be brought back. Archiving keeps it restorable.'),
  'react.unknown-rule': literal(
    'Whether this server keeps the reactions and files of others is not known yet; a loss would be repaired.',
  ),
  'app.quit': literal('Nothing is kept on disk here. It cannot be brought back.'),
};

export function ConfirmDialog({ overlay }: { readonly overlay: Confirm }) {
  const { signs } = useUi().panes().look;
  const subject = useApp((state) => subjectOf(state, overlay));
  return (
    <Dialog title={titles[overlay.id]} width={64} height={7} tone="danger">
      {({ width }) => (
        <>
          <Text>{truncate(subject, width, signs.ellipsis)}</Text>
          {wrap(advice[overlay.id], width).map((line) => (
            <Text key={line} dimColor>
              {line}
            </Text>
          ))}
          <KeysLine width={width} />
        </>
      )}
    </Dialog>
  );
}

/** Author, time and first line of the message, or the name of the conversation. */
function subjectOf(state: AppState, { id: question, conversationId, messageId, textThen }: Confirm): SafeText {
  if (question === 'app.quit') return sanitizeLine(unkeptWords(countUnkept(state)));
  if (messageId === null) return selectConversationName(state, conversationId);
  const message = state.cache.threads.get(conversationId)?.messages.find(({ id }) => id === messageId);
  const firstLine = sanitizeLine((message?.text ?? textThen ?? '').slice(0, 400).split('\n', 1)[0] ?? '');
  if (message === undefined) return firstLine;
  const time = message.createdAt === null ? literal('') : clockTime(message.createdAt);
  return safe`${authorName(state, message.contact)} ${time}: ${firstLine}`;
}
