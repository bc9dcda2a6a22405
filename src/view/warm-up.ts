/**
 * Draws threads that are not shown, so that V8 compiles the drawing code before the user needs it: otherwise the first
 * long message of a run, and the first one of a script such as Thai, takes longer than a frame to open.
 */
import type { Message } from '../protocol/types.ts';
import type { AppState } from '../state/model/app-state.ts';
import { initialState } from '../state/store.ts';
import { partUnits } from '../text/layout/parts.ts';
import { wrap } from '../text/layout/wrap.ts';
import { sanitizeBody } from '../text/safe/sanitize.ts';
import { nextWord } from '../text/unicode/graphemes.ts';
import type { Layout, Rect } from './layout.ts';
import type { Panes } from './panes.ts';

const fill = (text: string): string => text.repeat(Math.ceil(partUnits / text.length));

const texts: readonly string[] = [
  fill('hello brave new world, '),
  fill('👩‍👩‍👧'),
  fill('one line of very many\n'),
  fill('naïve café – see https://example.org/a?b=c 👍🏽 漢字\n'),
];

/** The number of rounds: measurements show that the third one is about as fast as any later one. */
const rounds = 3;

const conversationId = 'warm-up';
const pane: Rect = { x: 0, y: 0, width: 84, height: 34 };
const layout: Layout = {
  kind: 'two',
  size: { columns: pane.width, rows: pane.height },
  header: { ...pane, height: 0 },
  list: null,
  thread: pane,
  composer: null,
  completion: null,
  footer: null,
};

/** A text that needs the patterns for marks, joiners and flags; making these patterns takes milliseconds. */
const patternSample = 'e\u0301 ❤️ नमस्ते 🇩🇪 مَرْحَبًا';

/**
 * Draws one thread a step, or prepares for it.
 *
 * @param panes panes that nothing else uses, because they keep what was drawn
 * @param samples texts in the scripts that the user's messages are written in
 */
export function* warmUp(panes: Panes, samples: readonly string[] = []): Generator<void> {
  for (const sample of [patternSample, ...samples]) {
    // Each sample may be the first that needs certain patterns, or the dictionary of a language without spaces.
    const text = sanitizeBody(sample);
    yield;
    wrap(text, 12);
    yield;
    nextWord(text, 0);
    yield;
  }
  for (let round = 0; round < rounds; round++) {
    for (const text of [...texts, ...samples]) {
      const state = stateWith(text);
      panes.rows('thread', state, layout);
      panes.needsHistory(state, layout);
      panes.scroll(state, layout, { pages: -1 });
      yield;
    }
  }
}

const mostSamples = 8;
const sampleUnits = 300;
const readConversations = 200;
const beyondLatin = /[^\x00-\u02ff\u2000-\u2bff]/;

/** Messages of the list, one for each script but Latin that they are written in. */
export function warmUpSamples({ cache }: AppState): readonly string[] {
  const samples = new Map<number, string>();
  for (const { text } of [...cache.lastMessages.values()].slice(0, readConversations)) {
    const sample = text.slice(0, sampleUnits);
    const found = beyondLatin.exec(sample);
    // A block of 128 characters is roughly one script.
    if (found !== null && samples.size < mostSamples) samples.set(found[0].charCodeAt(0) >> 7, sample);
  }
  return [...samples.values()];
}

/** Makes new objects each time, so that no cache of the panes has their rows. */
function stateWith(text: string): AppState {
  const messages = [message(text, 0), message('new', 1), message('and more', 2)];
  const thread = { messages, older: 'server', newer: 'end', gaps: [], newLineAfter: `${conversationId} 0` } as const;
  return initialState({ cache: { threads: new Map([[conversationId, thread]]) }, view: { openId: conversationId } });
}

function message(text: string, rank: number): Message {
  return {
    id: `${conversationId} ${rank}`,
    conversationId,
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
