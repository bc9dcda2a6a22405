/** A dialog that asks something: what it is about, dimmed advice below it, and the keys that answer it. */
import { wrap } from '../../text/layout/wrap.ts';
import type { SafeText } from '../../text/safe-text.ts';
import { truncate } from '../../text/unicode/width.ts';
import { useUi } from '../store-context.ts';
import { Dialog } from './dialog.tsx';
import { KeysLine } from './keys-line.tsx';
import { Text } from './text.tsx';

interface QuestionProps {
  readonly title: SafeText;
  /** Wanted size with the frame; cut to the screen. */
  readonly width?: number;
  readonly height: number;
  /** A text of somebody's is cut to one line; one of ours is wrapped. */
  readonly subject: SafeText;
  readonly isSubjectWrapped?: boolean;
  readonly advice: readonly SafeText[];
}

export function Question({ title, width = 64, height, subject, isSubjectWrapped = false, advice }: QuestionProps) {
  const { signs } = useUi().panes().look;
  return (
    <Dialog title={title} width={width} height={height} tone="danger">
      {(inner) => (
        <>
          {isSubjectWrapped ? (
            <Lines texts={[subject]} width={inner.width} />
          ) : (
            <Text>{truncate(subject, inner.width, signs.ellipsis)}</Text>
          )}
          <Lines texts={advice} width={inner.width} dimColor />
          <KeysLine width={inner.width} />
        </>
      )}
    </Dialog>
  );
}

interface LinesProps {
  readonly texts: readonly SafeText[];
  readonly width: number;
  readonly dimColor?: boolean;
}

const Lines = ({ texts, width, dimColor = false }: LinesProps) =>
  texts
    .flatMap((text) => wrap(text, width))
    .map((line) => (
      <Text key={line} dimColor={dimColor}>
        {line}
      </Text>
    ));
