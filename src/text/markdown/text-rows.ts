/** Makes rows of spans from text with marks. */
import type { Row, Style } from '../layout/row.ts';
import { type StyledRange, wrapStyled } from '../layout/wrap.ts';
import type { Mark, RichText, Stretch } from './blocks.ts';
import { covered } from './spoilers.ts';
import { type Drawing, type MarkdownStyles, over } from './style.ts';

/** @param style of the text that no marker has styled */
export function textRows(content: RichText, columns: number, style: Style, drawing: Drawing): readonly Row[] {
  const { text, stretches } = drawing.showsSpoilers ? content : covered(content, drawing.signs.cover);
  return wrapStyled(
    text,
    columns,
    style,
    stretches.map((stretch) => rangeOf(stretch, style, drawing)),
  );
}

function rangeOf({ start, end, marks, href }: Stretch, base: Style, drawing: Drawing): StyledRange {
  const { styles, messageId } = drawing;
  let style = base;
  for (const mark of marks) style = over(style, styleOf(mark, styles));
  if (href === null || isCovered(marks, drawing)) return { start, end, style };
  style = over(style, styles.link);
  return { start, end, style, target: { kind: 'link', messageId, address: href } };
}

const styleOf = (mark: Mark, styles: MarkdownStyles): Style => (mark === 'host' ? styles.note : styles[mark]);

const isCovered = (marks: readonly Mark[], { showsSpoilers }: Drawing): boolean =>
  !showsSpoilers && marks.includes('spoiler');
