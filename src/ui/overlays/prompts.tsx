/** Draws the overlays that ask for one line and differ only in their texts. */
import type { Overlay } from '../../state/model/app-state.ts';
import { literal, type SafeText } from '../../text/safe-text.ts';
import { PromptDialog } from '../widgets/prompt-dialog.tsx';

interface PromptTexts {
  readonly title: SafeText;
  readonly label: SafeText;
  readonly placeholder: SafeText;
  /** Says how the line will be used. */
  readonly remark: SafeText;
}

type PromptKind = 'own-name' | 'own-note' | 'go-to-date' | 'snippet-name';

const promptTexts: Readonly<Record<PromptKind, PromptTexts>> = {
  'own-name': {
    title: literal('A name of your own'),
    label: literal('Name:'),
    placeholder: literal('leave empty to remove it'),
    remark: literal('It stays on this machine; nobody else sees it.'),
  },
  'own-note': {
    title: literal('A note of your own'),
    label: literal('Note:'),
    placeholder: literal('leave empty for no note'),
    remark: literal('It stays on this machine; nobody else sees it.'),
  },
  'go-to-date': {
    title: literal('Go to a date'),
    label: literal('Date:'),
    placeholder: literal('3 nov, yesterday, monday, 2 weeks ago'),
    remark: literal('The first message of that day, or the next one, is shown.'),
  },
  'snippet-name': {
    title: literal('Save the text as a snippet'),
    label: literal('Name:'),
    placeholder: literal('letters, digits, - and _'),
    remark: literal('To insert it, type ;name in the composer and press Tab.'),
  },
};

interface TextPromptProps {
  readonly overlay: Extract<Overlay, { kind: PromptKind }>;
  readonly isTop: boolean;
}

export const TextPrompt = ({ overlay, isTop }: TextPromptProps) => (
  <PromptDialog {...promptTexts[overlay.kind]} value={overlay.typed} isTop={isTop} />
);
