/** Draws a dialog that asks for one line, with a remark on how the line will be used. */

import { selectField } from '../../state/search/edit-field.ts';
import { span } from '../../text/layout/row.ts';
import { cutLines, wrap } from '../../text/layout/wrap.ts';
import type { SafeText } from '../../text/safe-text.ts';
import { ownTextIn } from '../../view/glyph-set.ts';
import { fieldCursor } from '../../view/text-field.ts';
import { useApp, useUi } from '../store-context.ts';
import { useFieldCursor } from './click-areas.tsx';
import { Dialog } from './dialog-frame.tsx';
import { KeysLine, Lines } from './lines.tsx';
import { Prompt } from './prompt.tsx';

interface PromptDialogProps {
  readonly title: SafeText;
  readonly label: SafeText;
  readonly value: string;
  readonly placeholder: SafeText;
  readonly isSecret?: boolean;
  readonly remark: SafeText;
  readonly isTop: boolean;
}

const remarkRows = 2;

function FieldCursor({ column }: { readonly column: number | null }) {
  useFieldCursor(column);
  return null;
}

export function PromptDialog({ title, placeholder, remark, isTop, ...asked }: PromptDialogProps) {
  const { panes } = useUi();
  const draft = useApp(selectField);
  const { signs, theme } = panes().look;
  const field = { ...asked, placeholder: ownTextIn(placeholder, signs), draft: isTop ? draft : null };
  return (
    <Dialog title={title} width={64} height={7}>
      {({ width, height }) => (
        <>
          <Prompt {...field} muted={theme.muted} signs={signs} width={width} />
          <FieldCursor column={fieldCursor(field, width, { signs })} />
          <Lines
            rows={cutLines(wrap(ownTextIn(remark, signs), width), width, remarkRows, signs.ellipsis).map((line) => [
              span(line, theme.muted),
            ])}
            height={Math.max(1, height - 2)}
          />
          <KeysLine />
        </>
      )}
    </Dialog>
  );
}
