/** The page on top, of a message, of a person or of the notices: its title and rows. */
import type { Millis } from '../../protocol/types.ts';
import type { Row } from '../../text/layout/row.ts';
import { literal, type SafeText } from '../../text/safe-text.ts';
import { memoBy } from '../collections/memo.ts';
import type { AppState, Overlay } from '../model/app-state.ts';
import { detailsRows } from './message-details.ts';
import { noticeRows } from './notices-page.ts';
import { personRows, personTitle } from './person-page.ts';
import { sheetSize } from './sheet-rows.ts';

export type SheetOverlay = Extract<Overlay, { readonly kind: 'details' | 'person' | 'notices' }>;

interface Sheet {
  readonly title: SafeText;
  /** Their styles are `Tone`s. */
  readonly rows: readonly Row[];
}

interface Asked {
  readonly state: AppState;
  readonly overlay: SheetOverlay;
  readonly now: Millis;
}

const minuteMs = 60_000;

function inputsOf({ state, overlay, now }: Asked): readonly unknown[] {
  const { cache, local, view, screen } = state;
  if (overlay.kind === 'notices') return [screen.noticeLog, screen.size.columns];
  const own =
    overlay.kind === 'details'
      ? [overlay.conversationId, overlay.itemId, overlay.versions]
      : [overlay.of, overlay.findings, Math.floor(now / minuteMs), view.connection.asOf];
  return [cache, local, screen.size.columns, ...own];
}

function makeSheet({ state, overlay, now }: Asked): Sheet {
  const { columns } = sheetSize(state.screen.size);
  if (overlay.kind === 'notices')
    return { title: literal('Notices'), rows: noticeRows(state.screen.noticeLog, columns) };
  return overlay.kind === 'details'
    ? { title: literal('Message'), rows: detailsRows(state, overlay, columns) }
    : { title: personTitle(state, overlay.of), rows: personRows(state, overlay, columns, now) };
}

/**
 * The last page of each kind. Where a page lies over one of another kind, both are drawn: in a single place they would replace
 * each other, and React draws again whenever it gets a new page.
 */
const keptSheets = () => ({
  details: memoBy(inputsOf, makeSheet),
  person: memoBy(inputsOf, makeSheet),
  notices: memoBy(inputsOf, makeSheet),
});
const sheetOf = keptSheets();
const measuredSheetOf = keptSheets();

/** Makes it again when something that it shows has changed, and once a minute for its ages; scrolling changes nothing. */
export const selectSheet = (state: AppState, overlay: SheetOverlay, now: Millis): Sheet =>
  sheetOf[overlay.kind]({ state, overlay, now });

/**
 * Whether the page has more rows than are shown at once. Any time will do for the ages on it, as they change no row count; the
 * page is kept apart from the one that is drawn, which has the present time.
 */
export function selectIsLongSheet(state: AppState, overlay: SheetOverlay): boolean {
  const { rows } = measuredSheetOf[overlay.kind]({ state, overlay, now: state.view.connection.asOf ?? 0 });
  return rows.length > sheetSize(state.screen.size).rows;
}
