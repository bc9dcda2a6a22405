import { expect, test } from 'vitest';
import { readEnvironment } from '../../src/config/environment.ts';
import { kindOfTerminal, readNotifyAnswer, writeNotifyAnswer } from '../../src/config/notify-answers.ts';
import { temporaryDirectory } from './files.ts';

test('the answer to doctor --notify belongs to one kind of terminal', () => {
  const directory = temporaryDirectory();
  const terminal = (env: Record<string, string>) => readEnvironment(env).terminal;
  const kitty = terminal({ TERM: 'xterm-kitty' });
  const inTmux = terminal({ TERM: 'tmux-256color', TMUX: 'socket,1,0', KITTY_WINDOW_ID: '1' });
  expect(kindOfTerminal(inTmux)).toBe('tmux-256color kitty tmux');
  expect(readNotifyAnswer(directory, kitty, ['bell', 'osc99'])).toBe(null);
  writeNotifyAnswer(directory, kitty, 'bell');
  writeNotifyAnswer(directory, inTmux, 'osc99');
  writeNotifyAnswer(directory, kitty, 'osc99');
  expect(readNotifyAnswer(directory, kitty, ['bell', 'osc99'])).toBe('osc99');
  expect(readNotifyAnswer(directory, inTmux, ['bell'])).toBe(null);
});
