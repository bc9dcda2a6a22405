/** The real Ink on our stand-in for stdout. */
import { PassThrough } from 'node:stream';
import { Box, render, Text } from 'ink';
import { expect, onTestFinished, test, vi } from 'vitest';
import { Screen } from '../../src/terminal/screen.ts';
import { span } from '../../src/text/layout/row.ts';
import { literal } from '../../src/text/safe-text.ts';
import { createHeadless } from '../support/terminals/headless.ts';

function mount(columns: number, rows: number) {
  const tty = createHeadless(columns, rows);
  const screen = new Screen({ tty });
  const stdin = new PassThrough();
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
  return { tty, screen, show };
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

test('a layer covers the frame, and a rectangle of Ink that is lifted is drawn above it', async () => {
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
