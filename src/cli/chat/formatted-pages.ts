/**
 * Keeps the formatted messages that are on the screen, so that the first frame of the next start has them without the
 * parser, which is loaded after it.
 */
import type { Session } from '../../session.ts';
import type { AppState } from '../../state/model/app-state.ts';
import type { Clock } from '../../sync/services/ports.ts';
import { type PageWriter, readPage, writePage } from '../../text/markdown/formatted-page.ts';
import type { MarkdownLoader } from '../../view/markdown.ts';
import type { Panes } from '../../view/panes.ts';
import { version } from '../process/version.ts';

interface FormattedPagesOptions {
  readonly session: Pick<Session, 'store' | 'formattedPage' | 'saveFormattedPage'>;
  readonly markdown: Pick<MarkdownLoader, 'hasParser' | 'keep'>;
  readonly panes: () => Panes;
  readonly clock: Pick<Clock, 'after'>;
}

/** The time for which a page must not change before it is written, so that no key writes to disk. */
const restMs = 2_000;

/** Returns the function that writes a page that is waiting to be written. */
export function followFormattedPages({ session, markdown, panes, clock }: FormattedPagesOptions): () => void {
  const { store } = session;
  const writer = (): PageWriter => ({ version, imageSign: panes().look.signs.picture });
  let cancel: (() => void) | null = null;
  const save = (): void => {
    if (cancel === null) return;
    cancel();
    cancel = null;
    const state = store.getState();
    const { openId } = state.view;
    if (openId === null || !markdown.hasParser()) return;
    const shown = panes();
    const layout = shown.layout(state);
    if (layout.thread === null) return;
    const body = writePage(writer(), shown.formattedInSight(state, layout));
    if (body !== session.formattedPage(openId)) session.saveFormattedPage(openId, body);
  };
  store.subscribe((state, previous) => {
    const { openId } = state.view;
    if (openId === null || !isOtherPage(openId, state, previous)) return;
    if (openId !== previous.view.openId && !markdown.hasParser())
      markdown.keep(readPage(writer(), session.formattedPage(openId)));
    cancel ??= clock.after(restMs, save);
  });
  return save;
}

const isOtherPage = (openId: string, { view, cache, screen }: AppState, previous: AppState): boolean =>
  openId !== previous.view.openId ||
  view.places !== previous.view.places ||
  screen.size !== previous.screen.size ||
  cache.threads.get(openId) !== previous.cache.threads.get(openId);
