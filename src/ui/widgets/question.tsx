/** Draws a dialog that asks something: the subject, muted advice below it, and the keys that answer it. */
import { span } from '../../text/layout/row.ts';
import { cutLines, wrap } from '../../text/layout/wrap.ts';
import type { SafeText } from '../../text/safe-text.ts';
import { truncate } from '../../text/unicode/width.ts';
import { dialogColumns, mostDialogRows } from '../../view/dialog.ts';
import { useApp, useUi } from '../store-context.ts';
import { Dialog } from './dialog-frame.tsx';
import { KeysLine, Lines } from './lines.tsx';

interface QuestionProps {
  readonly title: SafeText;
  /** The wanted width with the frame; it is cut to the screen. */
  readonly width?: number;
  /** A text that a user wrote is cut to one line; one that the program wrote is wrapped (`isSubjectWrapped`). */
  readonly subject: SafeText;
  readonly isSubjectWrapped?: boolean;
  readonly advice: readonly SafeText[];
}

const titleRows = 2;
/** The rows of the frame and of the keys. */
const otherRows = 3;

export function Question({ title, width = 64, subject, isSubjectWrapped = false, advice }: QuestionProps) {
  const { signs, theme } = useUi().panes().look;
  const size = useApp((state) => state.screen.size);
  const columns = dialogColumns(width, size);
  const about = isSubjectWrapped ? wrap(subject, columns) : [truncate(subject, columns, signs.ellipsis)];
  const lines = [...about, ...advice.flatMap((text) => wrap(text, columns))];
  const others = otherRows + Math.min(titleRows, wrap(title, columns).length);
  const most = Math.max(1, mostDialogRows(size) - others);
  const shown = cutLines(lines, columns, most, signs.ellipsis).map((line, row) => [
    span(line, row < about.length ? theme.plain : theme.muted),
  ]);
  return (
    <Dialog title={title} titleRows={titleRows} width={width} height={others + shown.length} tone="danger">
      {() => (
        <>
          <Lines rows={shown} height={shown.length} />
          <KeysLine />
        </>
      )}
    </Dialog>
  );
}
