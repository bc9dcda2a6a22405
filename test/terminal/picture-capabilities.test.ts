/** Which terminals draw pictures themselves, by the environment and by their answers. */
import { describe, expect, test } from 'vitest';
import {
  initialCapabilities,
  learnFromReply,
  queriesFor,
  type TerminalCapabilities,
  type TerminalFacts,
} from '../../src/terminal/capabilities.ts';
import type { ReplyEvent } from '../../src/terminal/events.ts';

const facts = { isTty: true, term: 'xterm-256color' } as TerminalFacts;
const screen = { columns: 80, rows: 24 };
const version = (text: string): ReplyEvent => ({ type: 'reply', reply: 'version', text });
const attributes = (...numbers: number[]): ReplyEvent => ({
  type: 'reply',
  reply: 'device-attributes',
  attributes: numbers,
});
const learnt = (env: Partial<TerminalFacts>, ...replies: ReplyEvent[]): TerminalCapabilities =>
  replies.reduce((known, reply) => learnFromReply(known, reply, screen), initialCapabilities({ ...facts, ...env }));

test.each([
  ['TERM of kitty', { term: 'xterm-kitty' }, [], 'kitty'],
  ['kitty that has placeholders', { term: 'xterm-kitty' }, [version('kitty(0.28.0)')], 'kitty'],
  ['kitty that has none', { term: 'xterm-kitty' }, [version('kitty(0.26.5)'), attributes()], 'none'],
  ['kitty that has none, over ssh', {}, [version('kitty(0.26.5)'), attributes()], 'none'],
  ['Konsole, which leaves sixels over text', {}, [version('Konsole 22.12.3'), attributes(1, 4)], 'none'],
  ['TERM_PROGRAM of Ghostty', { termProgram: 'ghostty' }, [], 'kitty'],
  ['kitty over ssh, by its answer', {}, [version('kitty(0.42.1)'), attributes(4)], 'kitty'],
  ['TERM_PROGRAM of iTerm2', { termProgram: 'iTerm.app' }, [attributes(4)], 'iterm2'],
  ['TERM_PROGRAM of WezTerm', { termProgram: 'WezTerm' }, [attributes(4)], 'iterm2'],
  ['TERM_PROGRAM of mintty', { termProgram: 'mintty' }, [], 'iterm2'],
  ['iTerm2 by its answer', {}, [version('iTerm2 3.5.14'), attributes(4, 22)], 'iterm2'],
  ['WezTerm by its answer', {}, [version('WezTerm 20240203-110809-5046fc22'), attributes(4)], 'iterm2'],
  ['foot', { term: 'foot' }, [version('foot(1.20.2)'), attributes(4, 22)], 'sixel'],
  ['a terminal with sixels that does not say its name', {}, [attributes(1, 4)], 'sixel'],
  ['its name after its attributes', {}, [attributes(4), version('foot(1.20.2)')], 'sixel'],
  ['xterm started in iTerm2', { termProgram: 'iTerm.app' }, [version('XTerm(390)'), attributes(22)], 'none'],
  ['a terminal without sixels', {}, [version('XTerm(390)'), attributes(14, 40)], 'none'],
  ['tmux within kitty', { isTmux: true, term: 'xterm-kitty' }, [attributes(4)], 'none'],
  ['tmux within iTerm2', { isTmux: true, termProgram: 'iTerm.app' }, [version('tmux 3.4'), attributes(4)], 'none'],
  ['tmux at the other end of ssh, by TERM', { term: 'tmux-256color' }, [attributes(4)], 'none'],
  ['tmux at the other end of ssh, by its answer', {}, [version('tmux 3.5a'), attributes(4)], 'none'],
  ['GNU screen', { isScreen: true }, [attributes(4)], 'none'],
] as const)('the way to draw pictures is chosen: %s', (_, env, replies, expected) => {
  expect(learnt(env, ...replies).pictures).toBe(expected);
});

describe('the size of a cell', () => {
  const size = (reply: 'cell-size' | 'text-area', width: number, height: number): ReplyEvent => ({
    type: 'reply',
    reply,
    width,
    height,
  });

  test('is the answer of the terminal, else the size of all cells divided by their number', () => {
    expect(learnt({}).cell).toBe(null);
    expect(learnt({}, size('text-area', 805, 490)).cell).toEqual({ width: 10, height: 20 });
    expect(learnt({}, size('text-area', 805, 490), size('cell-size', 9, 18)).cell).toEqual({ width: 9, height: 18 });
  });

  test.each([
    [0, 0],
    [10, 2],
    [99_999, 20],
  ])('of %i × %i pixels is not accepted', (width, height) => {
    expect(learnt({}, size('cell-size', width, height)).cell).toBe(null);
  });

  test('that has not changed changes nothing', () => {
    const known = learnt({}, size('cell-size', 9, 18));
    expect(learnFromReply(known, size('cell-size', 9, 18), screen)).toBe(known);
  });
});

test('the size of a cell is asked for before the question that every terminal answers', () => {
  expect(queriesFor(facts)).toMatch(/\x1b\[>0q\x1b\[14t\x1b\[16t\x1b\[c$/);
});
