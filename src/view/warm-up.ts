/**
 * Draws threads such as a person may open next, to nowhere. Code that runs for the first time takes several times as long,
 * and the first long message of a run would take a whole frame to open.
 */
import type { Message } from '../protocol/types.ts';
import type { AppState } from '../state/model/app-state.ts';
import { initialState } from '../state/store.ts';
import type { Layout, Rect } from './layout.ts';
import type { Panes } from './panes.ts';

/** As much as is shown of a long message (R-SAN-5). */
const partUnits = 4_000;

const fill = (text: string): string => text.repeat(Math.ceil(partUnits / text.length));

const texts: readonly string[] = [
  fill('hello brave new world, '),
  fill('👩‍👩‍👧'),
  fill('one line of very many\n'),
  fill('naïve café – see https://example.org/a?b=c 👍🏽 漢字\n'),
];

/** V8 compiles a function well when it has run for a while: the third time is about the fastest. */
const rounds = 3;

const rehearsal = 'rehearsal';
const pane: Rect = { x: 0, y: 0, width: 84, height: 34 };
const stage: Layout = {
  kind: 'two',
  size: { columns: pane.width, rows: pane.height },
  header: { ...pane, height: 0 },
  list: null,
  thread: pane,
  composer: null,
  footer: null,
};

/** One thread a step, a few milliseconds the first time. `panes` keep what was drawn: they are thrown away afterwards. */
export function* rehearse(panes: Panes): Generator<void> {
  for (let round = 0; round < rounds; round++) {
    for (const text of texts) {
      const state = stateWith(text);
      panes.rows('thread', state, stage);
      panes.needsHistory(state, stage);
      panes.scroll(state, stage, { pages: -1 });
      yield;
    }
  }
}

/** Its objects are new, so that nothing drawn before is remembered. */
function stateWith(text: string): AppState {
  const messages = [message(text, 0), message('new', 1), message('and more', 2)];
  const thread = { messages, older: 'server', newer: 'end', gaps: [], newLineAfter: `${rehearsal} 0` } as const;
  return initialState({ cache: { threads: new Map([[rehearsal, thread]]) }, view: { openId: rehearsal } });
}

function message(text: string, rank: number): Message {
  return {
    id: `${rehearsal} ${rank}`,
    conversationId: rehearsal,
    contact: null,
    text,
    isTruncated: false,
    reactions: [],
    attachments: [],
    readAt: null,
    createdAt: rank,
    updatedAt: null,
    rank,
  };
}
