/** Asks whether a new token is for the same account, before unsent messages are sent with it. The API does not say. */
import type { Overlay } from '../../state/model/app-state.ts';
import { literal, type SafeText, safe } from '../../text/safe-text.ts';
import { Question } from '../widgets/question.tsx';

const outcome = literal(
  'Yes: the new token is used for them. No: the token is not used, and everything stays as it is.',
);

export function SameAccountDialog({ overlay }: { readonly overlay: Extract<Overlay, { kind: 'same-account' }> }) {
  return (
    <Question
      title={literal('Is this token for the same account?')}
      subject={contents(overlay.unsent)}
      isSubjectWrapped
      advice={[outcome]}
    />
  );
}

function contents(unsent: number): SafeText {
  if (unsent === 0) return literal('The conversations here were read with another token.');
  const texts = unsent === 1 ? literal('one unsent text') : safe`${unsent} unsent texts`;
  return safe`The conversations and ${texts} here belong to another token.`;
}
