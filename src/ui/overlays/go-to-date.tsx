/** Asks for the day to go to. */
import type { Overlay } from '../../state/model/app-state.ts';
import { literal } from '../../text/safe-text.ts';
import { PromptDialog } from '../widgets/prompt-dialog.tsx';

interface DatePromptProps {
  readonly overlay: Extract<Overlay, { kind: 'go-to-date' }>;
  readonly isTop: boolean;
}

export function DatePrompt({ overlay, isTop }: DatePromptProps) {
  return (
    <PromptDialog
      title={literal('Go to a date')}
      label={literal('Date')}
      value={overlay.typed}
      placeholder={literal('3 nov, yesterday, monday, 2 weeks ago')}
      remark={literal('The first message of that day, or the next one, is shown.')}
      isTop={isTop}
    />
  );
}
