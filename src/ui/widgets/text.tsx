/** Wraps Ink's text so that it takes `SafeText` alone: a bare string does not compile (R-SAN-1). */
import { Text as InkText, type TextProps, Transform } from 'ink';
import type { ReactElement } from 'react';
import { rowToAnsi, type Style, span } from '../../text/layout/row.ts';
import { sanitizeLine } from '../../text/safe/sanitize.ts';
import type { SafeText } from '../../text/safe-text.ts';

interface SafeTextProps extends Omit<TextProps, 'children'> {
  readonly children: SafeText;
}

export const Text = InkText as (props: SafeTextProps) => ReactElement;

interface StyledProps {
  readonly style: Style;
  readonly children: SafeText;
}

/** Draws text in a style of the theme, whose muted words have the contrast that Ink's own dim ones lack. */
export const Styled = ({ style, children }: StyledProps) => (
  <Transform transform={(line) => rowToAnsi([span(sanitizeLine(line), style)])}>
    <InkText>{children}</InkText>
  </Transform>
);

/** Takes the room of `count` lines, for a `Transform` that fills them. */
export const BlankLines = ({ count }: { readonly count: number }) => (
  <InkText>{count <= 1 ? ' ' : '\n'.repeat(count - 1)}</InkText>
);
