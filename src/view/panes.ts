/** Makes the rows of every pane from the state and the layout; a pane that did not change gives the same array. */
import type { Attachment, ConversationId, Millis } from '../protocol/types.ts';
import { memoBy } from '../state/collections/memo.ts';
import type { AppState, ScrollPlace } from '../state/model/app-state.ts';
import { isVimCommanding, selectVim } from '../state/select/selectors.ts';
import { selectCompletion } from '../state/view/composer.ts';
import { setFocus } from '../state/view/view.ts';
import type { Row } from '../text/layout/row.ts';
import type { FormattedText } from '../text/markdown/formatted-page.ts';
import { createCompletion } from './completion.ts';
import { composerText, createComposer, draftInputs, type Echoes } from './composer.ts';
import { createFooter, footerLines } from './footer.ts';
import type { KeyOf, Look } from './frame.ts';
import { asciiSigns, type GlyphSet, unicodeSigns } from './glyph-set.ts';
import { createHeader } from './header.ts';
import type { Hint } from './hint-row.ts';
import { composerLimit, type Layout, layout, type PaneName } from './layout.ts';
import { createList } from './list.ts';
import { type Markdown, noMarkdown } from './markdown.ts';
import type { PictureColours } from './picture.ts';
import type { Theme } from './theme.ts';
import { createThread, type HistoryNeeds, type ThreadPane } from './thread.ts';
import type { ScrollAmount } from './thread-scroll.ts';

export type { Echoes };

interface PaneOptions {
  readonly theme: Theme;
  readonly ascii: boolean;
  /** The number of colours for pictures; null where the terminal has fewer. */
  readonly colours?: PictureColours | null;
  readonly now: () => Millis;
  /** Without it, messages are drawn as they were typed. */
  readonly markdown?: Markdown;
  /** The key of a command, for the advice in panes. */
  readonly keyOf?: KeyOf;
}

export interface Cell {
  readonly x: number;
  readonly y: number;
}

export interface Panes {
  readonly look: Look;
  /** The same object while every rectangle stays. */
  layout(state: AppState): Layout;
  /** As many rows as the pane's rectangle has, each exactly as wide; none for a pane that is not shown. */
  rows(pane: PaneName, state: AppState, layout: Layout, hints?: readonly Hint[]): readonly Row[];
  /** The cell of the screen at which the next character appears; null while no text is typed. */
  cursor(state: AppState, layout: Layout): Cell | null;
  /**
   * With vim's keys a block where characters are commands, and a bar where they are text. Without them a block where
   * nothing may blink, else null.
   */
  cursorShape(state: AppState): 'block' | 'bar' | null;
  /** The first conversation in sight when the list is scrolled by `by` conversations; null in an empty list. */
  listTopAfter(state: AppState, layout: Layout, by: number): ConversationId | null;
  /** The place in the draft that is drawn at a cell; null outside the rows of the text. */
  offsetAt(state: AppState, layout: Layout, cell: Cell): number | null;
  /**
   * The place at which the first row of the draft begins when scrolled by `by` rows; null where all of it is in sight.
   */
  draftTopAfter(state: AppState, layout: Layout, by: number): number | null;
  /** Null where typing does more to the screen than to draw the character at the cursor. */
  echoes(state: AppState, layout: Layout): Echoes | null;
  scroll(state: AppState, layout: Layout, amount: ScrollAmount): ScrollPlace;
  readonly place: ThreadPane['place'];
  /** Moves the place just as far as needed to show the item. */
  revealPlace(state: AppState, layout: Layout, id: string): ScrollPlace;
  /** Where the open conversation is shown when it has just been opened; null where it is not shown. */
  openingPlace(state: AppState): ScrollPlace | null;
  needsHistory(state: AppState, layout: Layout): HistoryNeeds;
  readonly messagesInSight: ThreadPane['messagesInSight'];
  /** The attachments of the messages that the thread shows, the newest message first. */
  attachmentsInSight(state: AppState, layout: Layout): readonly Attachment[];
  /** The conversations that the list shows, from the top; none where it is not on the screen. */
  conversationsInSight(state: AppState, layout: Layout): readonly ConversationId[];
  /** The formatted texts of the messages that the thread and the list show. */
  formattedInSight(state: AppState, layout: Layout): readonly FormattedText[];
  readonly spotAt: ThreadPane['spotAt'];
  readonly selectedText: ThreadPane['selectedText'];
  readonly selectionAt: ThreadPane['selectionAt'];
  /** The number of message blocks drawn so far, which tests compare. */
  readonly drawn: () => number;
}

const noHints: readonly Hint[] = [];

type RowsOfPanes = Readonly<
  Record<PaneName, (state: AppState, where: Layout, hints: readonly Hint[]) => readonly Row[]>
>;

const lookOf = ({ theme, ascii, colours = null, markdown = noMarkdown }: PaneOptions): Look => ({
  theme,
  signs: ascii ? asciiSigns : unicodeSigns,
  markdown,
  pictureColours: ascii || theme.name === 'none' ? null : colours,
});

export function createPanes(options: PaneOptions): Panes {
  const { now, keyOf = () => '' } = options;
  const look = lookOf(options);
  const list = createList(look, keyOf, now);
  const thread = createThread(look, keyOf, now);
  const composer = createComposer(look, keyOf, thread.unreadBelow);
  const layoutNow = memoBy(draftInputs, (state): Layout => layoutOf(state, composer.fileRows(state), look.signs));
  const rows: RowsOfPanes = {
    header: createHeader(look),
    list: list.rows,
    thread: thread.rows,
    composer: composer.rows,
    completion: createCompletion(look),
    footer: createFooter(look),
  };

  return {
    look,
    layout: layoutNow,
    rows: (pane, state, where, hints = noHints) => (where[pane] === null ? noRows : rows[pane](state, where, hints)),
    cursor(state, where) {
      if (state.screen.focus === 'composer') return composer.cursor(state, where);
      return state.screen.focus === 'list' ? list.cursor(state, where) : null;
    },
    cursorShape,
    listTopAfter: list.topAfter,
    offsetAt: composer.offsetAt,
    draftTopAfter: composer.topAfter,
    echoes: composer.echoes,
    ...sameInThread(thread),
    revealPlace: thread.reveal,
    openingPlace: (state) => openingPlace(state, thread, layoutNow),
    conversationsInSight: list.idsInSight,
    formattedInSight: (state, where) => [
      ...thread.formattedInSight(state, where),
      ...list.formattedInSight(state, where),
    ],
  };
}

/** What the thread answers by itself, under the same names. */
function sameInThread(thread: ThreadPane) {
  const { scroll, place, needsHistory, messagesInSight, attachmentsInSight } = thread;
  const { spotAt, selectedText, selectionAt, drawn } = thread;
  return {
    scroll,
    place,
    needsHistory,
    messagesInSight,
    attachmentsInSight,
    spotAt,
    selectedText,
    selectionAt,
    drawn,
  };
}

const noRows: readonly Row[] = [];

function openingPlace(
  state: AppState,
  thread: Pick<ThreadPane, 'openingPlace'>,
  layoutIn: Panes['layout'],
): ScrollPlace | null {
  const where = layoutIn(state);
  if (where.thread !== null) return thread.openingPlace(state, where);
  // In one column the list keeps the screen until the conversation gets the focus, just after it was opened.
  const next = setFocus('messages')(state);
  return thread.openingPlace(next, layoutIn(next));
}

/** The shape of the cursor: every shape that the program sets is one that does not blink. */
function cursorShape(state: AppState): 'block' | 'bar' | null {
  if (selectVim(state) !== null) return isVimCommanding(state) ? 'block' : 'bar';
  return state.settings.reducedMotion ? 'block' : null;
}

/** In one column, the list is shown while it has the keyboard or no conversation is open. */
function layoutOf(state: AppState, fileRows: number, signs: GlyphSet): Layout {
  const { size, focus } = state.screen;
  return layout(size, {
    side: focus === 'list' || state.view.openId === null ? 'list' : 'thread',
    composerLines: composerText(state).rowCount(composerLimit),
    fileRows,
    footerLines: footerLines(state, signs),
    completionRows: selectCompletion(state)?.rows.length ?? 0,
    listWidth: state.local.listWidth,
    textWidth: state.settings.textWidth,
  });
}
