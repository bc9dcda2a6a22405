/** Has the characters that the panes are drawn with, and the ASCII characters for terminals without UTF-8. */
import { spellEmoji } from '../text/emoji/emoji.ts';
import { inAscii } from '../text/safe/sanitize.ts';
import { literal, type SafeText } from '../text/safe-text.ts';

export interface GlyphSet {
  /** Whether emoji are drawn as such; else they are drawn as `:name:`, in reactions and in messages. */
  readonly hasEmoji: boolean;
  readonly horizontal: SafeText;
  /** The border of the pane that has the keyboard. */
  readonly horizontalFocused: SafeText;
  readonly vertical: SafeText;
  readonly topLeft: SafeText;
  readonly topRight: SafeText;
  readonly bottomLeft: SafeText;
  readonly bottomRight: SafeText;
  /** The joints of the borders, with a third line below, above, to the right, to the left. */
  readonly teeDown: SafeText;
  readonly teeUp: SafeText;
  readonly teeRight: SafeText;
  readonly teeLeft: SafeText;
  readonly selected: SafeText;
  /** The sign beside a message that the user has marked. */
  readonly marked: SafeText;
  readonly open: SafeText;
  readonly choice: SafeText;
  readonly ellipsis: SafeText;
  readonly dot: SafeText;
  /** The sign before a message that has no author line. */
  readonly continued: SafeText;
  /** The sign on which a click leads back to the list where only one pane fits. */
  readonly back: SafeText;
  readonly down: SafeText;
  readonly up: SafeText;
  readonly pinned: SafeText;
  readonly muted: SafeText;
  readonly archived: SafeText;
  readonly draft: SafeText;
  readonly attachment: SafeText;
  /** The sign after an attachment that a click removes. */
  readonly remove: SafeText;
  readonly queued: SafeText;
  readonly sending: SafeText;
  readonly sent: SafeText;
  readonly read: SafeText;
  readonly unsure: SafeText;
  readonly failed: SafeText;
  /** The signs of formatted messages, see `MarkdownSigns`. */
  readonly bullet: SafeText;
  readonly taskOpen: SafeText;
  readonly taskDone: SafeText;
  /** At the left of quotes. */
  readonly bar: SafeText;
  readonly cross: SafeText;
  readonly cover: SafeText;
  readonly picture: SafeText;
  readonly info: SafeText;
  readonly warning: SafeText;
  readonly error: SafeText;
}

export const unicodeSigns: GlyphSet = {
  hasEmoji: true,
  horizontal: literal('─'),
  horizontalFocused: literal('━'),
  vertical: literal('│'),
  topLeft: literal('┌'),
  topRight: literal('┐'),
  bottomLeft: literal('└'),
  bottomRight: literal('┘'),
  teeDown: literal('┬'),
  teeUp: literal('┴'),
  teeRight: literal('├'),
  teeLeft: literal('┤'),
  selected: literal('▌'),
  marked: literal('◆'),
  open: literal('•'),
  choice: literal('▾'),
  ellipsis: literal('…'),
  dot: literal('·'),
  continued: literal('·'),
  back: literal('‹'),
  down: literal('↓'),
  up: literal('↑'),
  pinned: literal('📌'),
  muted: literal('🔕'),
  archived: literal('▣'),
  draft: literal('✎'),
  attachment: literal('📎'),
  remove: literal('×'),
  queued: literal('⧗'),
  sending: literal('↗'),
  sent: literal('✓'),
  read: literal('✓✓'),
  unsure: literal('?'),
  failed: literal('!'),
  bullet: literal('•'),
  taskOpen: literal('☐'),
  taskDone: literal('☑'),
  bar: literal('▎'),
  cross: literal('┼'),
  cover: literal('▒'),
  picture: literal('🖼'),
  info: literal('·'),
  warning: literal('!'),
  error: literal('✗'),
};

export const asciiSigns: GlyphSet = {
  hasEmoji: false,
  horizontal: literal('-'),
  horizontalFocused: literal('='),
  vertical: literal('|'),
  topLeft: literal('+'),
  topRight: literal('+'),
  bottomLeft: literal('+'),
  bottomRight: literal('+'),
  teeDown: literal('+'),
  teeUp: literal('+'),
  teeRight: literal('+'),
  teeLeft: literal('+'),
  selected: literal('>'),
  marked: literal('#'),
  open: literal('*'),
  choice: literal('v'),
  ellipsis: literal('...'),
  dot: literal('-'),
  continued: literal('.'),
  back: literal('<'),
  down: literal('v'),
  up: literal('^'),
  pinned: literal('[p]'),
  muted: literal('[m]'),
  archived: literal('[a]'),
  draft: literal('[d]'),
  attachment: literal('[file]'),
  remove: literal('x'),
  queued: literal('~'),
  sending: literal('>'),
  sent: literal('+'),
  read: literal('++'),
  unsure: literal('?'),
  failed: literal('!'),
  bullet: literal('*'),
  taskOpen: literal('[ ]'),
  taskDone: literal('[x]'),
  bar: literal('>'),
  cross: literal('+'),
  cover: literal('#'),
  picture: literal('[image]'),
  info: literal('-'),
  warning: literal('!'),
  error: literal('x'),
};

/** A text that somebody wrote, with the names of emoji where emoji are not drawn. */
export const userTextIn = (text: SafeText, { hasEmoji }: GlyphSet): SafeText => (hasEmoji ? text : spellEmoji(text));

/** The program's own words and key labels, in ASCII where emoji are not drawn. */
export const ownTextIn = (text: SafeText, { hasEmoji }: GlyphSet): SafeText =>
  hasEmoji ? text : inAscii(spellEmoji(text));
