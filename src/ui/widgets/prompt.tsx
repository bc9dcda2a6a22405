/** Draws a text field of one row. Its keys are commands of the command table, which edit the field's draft. */
import { Box } from 'ink';
import TextInput from 'ink-text-input';
import type { Draft } from '../../state/model/app-state.ts';
import type { Style } from '../../text/layout/row.ts';
import { sanitizeLine } from '../../text/safe/sanitize.ts';
import { literal, type SafeText, safe } from '../../text/safe-text.ts';
import { truncate, width as widthOf } from '../../text/unicode/width.ts';
import type { GlyphSet } from '../../view/glyph-set.ts';
import { fieldPieces } from '../../view/text-field.ts';
import { Styled, Text } from './text.tsx';

interface PromptProps {
  readonly label: SafeText;
  readonly value: string;
  /** Null where the field does not have the keyboard: it has no cursor then. */
  readonly draft: Draft | null;
  readonly placeholder?: SafeText;
  readonly isSecret?: boolean;
  /** The style of the placeholder. */
  readonly muted?: Style;
  readonly signs: GlyphSet;
  /** The width of label and field, in cells. */
  readonly width: number;
}

export function Prompt({ label, value, draft, isSecret = false, muted = '2', signs, width, ...props }: PromptProps) {
  const columns = Math.max(2, width - widthOf(label) - 1);
  const placeholder = truncate(props.placeholder ?? literal(''), columns, signs.ellipsis);
  return (
    <Box height={1} flexShrink={0} overflow="hidden">
      <Text bold>{safe`${label} `}</Text>
      {value === '' ? (
        <Empty placeholder={placeholder} hasCursor={draft !== null} muted={muted} />
      ) : (
        <Value value={value} draft={draft} isSecret={isSecret} columns={columns} ellipsis={signs.ellipsis} />
      )}
    </Box>
  );
}

interface EmptyProps {
  readonly placeholder: SafeText;
  readonly hasCursor: boolean;
  readonly muted: Style;
}

/** The cursor is on the first character of the placeholder. Ink's text field would draw it grey, also without colours. */
function Empty({ placeholder, hasCursor, muted }: EmptyProps) {
  const first = placeholder.slice(0, 1) || ' ';
  return (
    <>
      {hasCursor ? <Text inverse>{sanitizeLine(first)}</Text> : null}
      <Styled style={muted}>{hasCursor ? sanitizeLine(placeholder.slice(1)) : placeholder}</Styled>
    </>
  );
}

interface ValueProps extends Pick<PromptProps, 'value' | 'draft'> {
  readonly isSecret: boolean;
  readonly columns: number;
  readonly ellipsis: SafeText;
}

function Value({ value, draft, isSecret, columns, ellipsis }: ValueProps) {
  if (draft === null) {
    const shown = truncate(sanitizeLine(value), columns, ellipsis);
    return <Shown text={shown} isSecret={isSecret} />;
  }
  return fieldPieces(draft, columns, isSecret, ellipsis).map(({ at, text, isInverse }) =>
    isInverse ? (
      <Text key={at} inverse>
        {text}
      </Text>
    ) : (
      <Shown key={at} text={text} />
    ),
  );
}

interface ShownProps {
  readonly text: SafeText;
  readonly isSecret?: boolean;
}

/** Ink's text field without its keys and its cursor, which know neither grapheme clusters nor the command table. */
const Shown = ({ text, isSecret = false }: ShownProps) => (
  <TextInput value={text} focus={false} showCursor={false} onChange={ignore} {...(isSecret ? { mask: '*' } : {})} />
);

const ignore = (): void => undefined;
