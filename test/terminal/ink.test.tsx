/** The real Ink and its text field on our stand-ins for stdout and stdin. */
import { Box, render, Text } from 'ink';
import TextInput from 'ink-text-input';
import { useState } from 'react';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import type { InputEvent } from '../../src/terminal/events.ts';
import { PromptStdin } from '../../src/terminal/prompt-stdin.ts';
import { Screen } from '../../src/terminal/screen.ts';
import { span } from '../../src/text/layout/row.ts';
import { literal } from '../../src/text/safe-text.ts';
import { createHeadless } from '../support/terminals/headless.ts';

const key = (name: string, text = ''): InputEvent => ({ type: 'key', key: name, text });
const letters = (text: string): InputEvent[] => [...text].map((letter) => key(letter, letter));

function mount(columns: number, rows: number) {
  const tty = createHeadless(columns, rows);
  const screen = new Screen({ tty });
  const stdin = new PromptStdin();
  screen.enter();
  const show = (node: React.ReactNode) => {
    const ink = render(node, {
      stdout: screen.inkStream(),
      stdin: stdin as unknown as NodeJS.ReadStream,
      debug: true,
      patchConsole: false,
      exitOnCtrlC: false,
    });
    onTestFinished(() => ink.unmount());
    return ink;
  };
  return { tty, screen, stdin, show };
}

test("Ink's frame is the lowest layer, with its styles, at full height and without a clear", async () => {
  const { tty, show } = mount(20, 4);
  const ink = show(
    <Box width={20} height={4} borderStyle="single">
      <Text>hello</Text>
    </Box>,
  );
  await vi.waitFor(() => expect(tty.row(1)).toBe('│hello             │'));
  expect(tty.text()[3]).toBe('└──────────────────┘');
  const before = tty.chunks.length;
  ink.rerender(
    <Box width={20} height={4} borderStyle="single">
      <Text>hullo</Text>
    </Box>,
  );
  await vi.waitFor(() => expect(tty.row(1)).toContain('hullo'));
  expect(tty.chunks.slice(before).join('')).toMatch(/^\x1b\[2;3Hu$/);
  ink.unmount();
  await tty.settled();
  expect(tty.row(1)).toContain('hullo');
});

test('a layer covers the frame and a lifted rectangle shines through it', async () => {
  const { tty, screen, show } = mount(12, 3);
  show(
    <Box width={12} height={3} flexDirection="column">
      <Text>aaaaaaaaaaaa</Text>
      <Text>bbbbbbbbbbbb</Text>
      <Text>cccccccccccc</Text>
    </Box>,
  );
  await vi.waitFor(() => expect(tty.row(2)).toBe('cccccccccccc'));
  const layer = screen.addLayer({ rect: { x: 0, y: 0, width: 12, height: 3 }, z: 1 });
  layer.setRows(Array.from({ length: 3 }, () => [span(literal('############'))]));
  const lifted = screen.lift({ x: 3, y: 1, width: 4, height: 1 }, 2);
  await vi.waitFor(() => expect(tty.text()).toEqual(['############', '###bbbb#####', '############']));
  lifted.setRect({ x: 0, y: 2, width: 2, height: 1 });
  await vi.waitFor(() => expect(tty.text()).toEqual(['############', '############', 'cc##########']));
  lifted.remove();
  await vi.waitFor(() => expect(tty.row(2)).toBe('############'));
});

describe('a text field behind the prompt stdin', () => {
  function Field({ onSubmit }: { onSubmit: (value: string) => void }) {
    const [value, setValue] = useState('');
    return <TextInput value={value} onChange={setValue} onSubmit={onSubmit} />;
  }

  test('loses nothing of a burst of keys, however they mix', async () => {
    const { stdin, show } = mount(40, 2);
    const submitted: string[] = [];
    show(<Field onSubmit={(value) => submitted.push(value)} />);
    await vi.waitFor(() => expect(stdin.listenerCount('readable')).toBe(1));
    const paste: InputEvent = { type: 'paste', text: 'two\nlines\n' };
    for (const event of [
      ...letters('abcx'),
      key('backspace'),
      ...letters('d'),
      key('left'),
      key('backspace'),
      key('right'),
      paste,
      key('ctrl+a'),
      key('alt+x'),
      key('enter'),
    ]) {
      stdin.forward(event);
    }
    await vi.waitFor(() => expect(submitted).toEqual(['abdtwo lines']));
  });

  test('a prompt that is gone gets nothing of what was on the way', () => {
    const turns: (() => void)[] = [];
    const { stdin } = mount(10, 2);
    const slow = new (stdin.constructor as new (settle: (callback: () => void) => void) => typeof stdin)((callback) =>
      turns.push(callback),
    );
    const seen: (string | null)[] = [];
    slow.on('readable', () => seen.push(slow.read()));
    for (const event of [...letters('a'), key('enter'), ...letters('b')]) slow.forward(event);
    slow.clear();
    for (const turn of turns) turn();
    expect(seen).toEqual(['a']);
  });
});
