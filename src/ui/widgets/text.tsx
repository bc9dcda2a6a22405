/** Wraps Ink's text so that it takes `SafeText` alone: a bare string does not compile (R-SAN-1). */
import { Text as InkText, type TextProps } from 'ink';
import type { ReactElement } from 'react';
import type { SafeText } from '../../text/safe-text.ts';

interface SafeTextProps extends Omit<TextProps, 'children'> {
  readonly children: SafeText;
}

export const Text = InkText as (props: SafeTextProps) => ReactElement;

/** Takes the room of `count` lines, for a `Transform` that fills them. */
export const BlankLines = ({ count }: { readonly count: number }) => (
  <InkText>{count <= 1 ? ' ' : '\n'.repeat(count - 1)}</InkText>
);
