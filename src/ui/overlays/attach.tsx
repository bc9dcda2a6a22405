/** Asks for what is to be attached, and says while it is typed what is wrong with it. */
import { readAttachment } from '../../state/composer/read-attachment.ts';
import type { Overlay } from '../../state/model/app-state.ts';
import { describeFiles } from '../../state/select/attachments.ts';
import { sanitizeLine, sanitizeName } from '../../text/safe/sanitize.ts';
import { literal, type SafeText, safe } from '../../text/safe-text.ts';
import { PromptDialog } from '../widgets/prompt-dialog.tsx';

interface AttachPromptProps {
  readonly overlay: Extract<Overlay, { kind: 'attach' }>;
  readonly isTop: boolean;
}

export function AttachPrompt({ overlay, isTop }: AttachPromptProps) {
  return (
    <PromptDialog
      title={literal('Attach')}
      label={literal('Address:')}
      value={overlay.typed}
      placeholder={literal('https://… or name=value')}
      remark={remarkOn(overlay.typed)}
      isTop={isTop}
    />
  );
}

function remarkOn(typed: string): SafeText {
  if (typed.trim() === '') return literal('The service has no upload: a file needs a web address.');
  const read = readAttachment(typed);
  if ('problem' in read) return safe`${sanitizeLine(read.problem)}.`;
  return safe`It is shown as ${sanitizeName(describeFiles([read.fields])[0]?.label ?? '')}.`;
}
