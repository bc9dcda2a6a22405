/** Draws a dialog that asks for one line, with a remark on how the line will be used. */

import { Box } from 'ink';
import { selectField } from '../../state/search/edit-field.ts';
import { cutLines, wrap } from '../../text/layout/wrap.ts';
import type { SafeText } from '../../text/safe-text.ts';
import { ownTextIn } from '../../view/glyph-set.ts';
import { useApp, useUi } from '../store-context.ts';
import { Dialog } from './dialog-frame.tsx';
import { KeysLine } from './lines.tsx';
import { Prompt } from './prompt.tsx';
import { Text } from './text.tsx';

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

export function PromptDialog({ title, remark, isTop, ...asked }: PromptDialogProps) {
  const { panes } = useUi();
  const draft = useApp(selectField);
  const { signs } = panes().look;
  return (
    <Dialog title={title} width={64} height={7}>
      {({ width, height }) => (
        <>
          <Prompt {...asked} draft={isTop ? draft : null} signs={signs} width={width} />
          <Box height={Math.max(1, height - 2)} flexShrink={0} flexDirection="column">
            {cutLines(wrap(ownTextIn(remark, signs), width), width, remarkRows, signs.ellipsis).map((line) => (
              <Text key={line} dimColor>
                {line}
              </Text>
            ))}
          </Box>
          <KeysLine />
        </>
      )}
    </Dialog>
  );
}
