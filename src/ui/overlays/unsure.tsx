/** Asks what to do with a message whose answer never came and that the history does not show. */
import { opByUuid } from '../../state/local/outbox.ts';
import { isChecked } from '../../state/local/resend-rule.ts';
import type { Overlay } from '../../state/model/app-state.ts';
import { sanitizeLine } from '../../text/safe/sanitize.ts';
import { literal } from '../../text/safe-text.ts';
import { useApp } from '../store-context.ts';
import { Question } from '../widgets/question.tsx';

export function UnsureDialog({ overlay }: { readonly overlay: Extract<Overlay, { kind: 'unsure' }> }) {
  const op = useApp((state) => opByUuid(state, overlay.uuid));
  const { text, said } = op?.action.kind === 'message.send' ? textsOf(op.action.text, op.reason) : settled;
  const isTooEarly = op?.state === 'unsure' && !isChecked(op);
  return (
    <Question
      title={literal('Was this message sent?')}
      width={76}
      subject={text}
      advice={isTooEarly ? [said, notYet] : [said]}
    />
  );
}

const notYet = literal(
  'It can be sent again half a minute after the attempt, if the history does not show it by then.',
);

const textsOf = (text: string, reason: string | null) => ({
  text: sanitizeLine(text.slice(0, 400)),
  said: reason === null ? literal('No answer from the server.') : sanitizeLine(reason),
});

/** The texts once the message needs no decision. The dialog stays, so that the next key does not reach what is below it. */
const settled = {
  text: literal('There is nothing left to decide.'),
  said: literal('It was found in the history, or taken back in another msg-tui.'),
};
