/** Makes rows of spans from text with marks. A spoiler is covered until the message is selected. */
import { mix, type Row, type Style } from '../layout/row.ts';
import { type StyledRange, wrapStyled } from '../layout/wrap.ts';
import type { SafeText } from '../safe-text.ts';
import { eachCluster } from '../unicode/clusters.ts';
import { clusterWidth } from '../unicode/width.ts';
import type { Mark, RichText, Stretch } from './blocks.ts';
import type { Drawing, MarkdownStyles } from './style.ts';

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
  for (const mark of marks) style = mix(style, styleOf(mark, styles));
  if (href === null || isCovered(marks, drawing)) return { start, end, style };
  style = mix(style, styles.link);
  return { start, end, style, target: { kind: 'link', messageId, address: href } };
}

const styleOf = (mark: Mark, styles: MarkdownStyles): Style => (mark === 'host' ? styles.note : styles[mark]);

const isCovered = (marks: readonly Mark[], { showsSpoilers }: Drawing): boolean =>
  !showsSpoilers && marks.includes('spoiler');

/** The same text with a sign for each column of its spoilers; spaces stay, so that it is broken at the same places. */
export function covered({ text, stretches }: RichText, sign: SafeText): RichText {
  if (!stretches.some(({ marks }) => marks.includes('spoiler'))) return { text, stretches };
  let shown = '';
  const moved = stretches.map((stretch): Stretch => {
    const start = shown.length;
    const part = text.slice(stretch.start, stretch.end);
    shown += stretch.marks.includes('spoiler') ? cover(part, sign) : part;
    return { ...stretch, start, end: shown.length };
  });
  return { text: shown as SafeText, stretches: moved };
}

function cover(text: string, sign: SafeText): string {
  let out = '';
  eachCluster(text, 0, (start, end, codePoint) => {
    const character = text.slice(start, end);
    out += /^\s$/.test(character) ? character : sign.repeat(clusterWidth(text, start, end, codePoint));
    return true;
  });
  return out;
}
