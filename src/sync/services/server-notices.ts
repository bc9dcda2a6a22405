/** Shows a notice, once in a run, when the server announces a change of its API or sends rows without a usable id. */
import type { ResponseFacts } from '../../api/http/request.ts';
import type { AppStore } from '../../state/store.ts';
import { addNotice } from '../../state/view/notices.ts';

export interface ServerNotices {
  readonly onResponse: (facts: ResponseFacts) => void;
  readonly onSkippedRows: (count: number, path: string) => void;
}

export function createServerNotices(store: AppStore, now: () => number): ServerNotices {
  const shown = new Set<string>();
  const notifyOnce = (about: string, text: string): void => {
    if (shown.has(about)) return;
    shown.add(about);
    store.setState(addNotice({ tone: 'warning', about, text, at: now(), until: null }));
  };
  return {
    onResponse: ({ method, path, deprecation, sunset }) => {
      if (deprecation === undefined && sunset === undefined) return;
      const when = sunset === undefined ? '' : `, and ends it on ${sunset.slice(0, 60)}`;
      // The path may hold an id, while the operation is what is deprecated.
      const operation = `${method} ${path.split('/').slice(0, 3).join('/')}`;
      notifyOnce('deprecated', `The server calls ${operation} deprecated${when}. Look for a newer msg-tui.`);
    },
    onSkippedRows: (count, path) =>
      notifyOnce(
        'skipped rows',
        count === 1
          ? `One entry of ${path} has no usable id and is not shown.`
          : `${count} entries of ${path} have no usable id and are not shown.`,
      ),
  };
}
