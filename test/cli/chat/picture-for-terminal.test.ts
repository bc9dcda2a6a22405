import { expect, test } from 'vitest';
import { createAppearance } from '../../../src/cli/chat/appearance.ts';
import { decodeFor } from '../../../src/cli/chat/picture-for-terminal.ts';
import type { DecodeRequest } from '../../../src/pictures/decoder/contract.ts';
import type { Decode } from '../../../src/pictures/decoder-process.ts';
import { createAppStore } from '../../../src/state/store.ts';
import { setSize } from '../../../src/state/view/view.ts';
import { initialCapabilities, type TerminalFacts } from '../../../src/terminal/capabilities.ts';
import { Screen } from '../../../src/terminal/screen.ts';
import { scene } from '../../support/builders/scene.ts';
import { createHeadless } from '../../support/terminals/headless.ts';

test('a picture is decoded again for a screen that got another size meanwhile', async () => {
  const store = createAppStore(setSize({ columns: 140, rows: 50 })(scene()));
  const capabilities = () =>
    initialCapabilities({ term: 'xterm', termProgram: 'iTerm.app', isTty: true } as TerminalFacts);
  const terminal = { capabilities, screen: new Screen({ tty: createHeadless(140, 50) }) };
  const look = { noColor: null, forceColor: true, theme: () => null, own: () => null, ascii: false } as const;
  const { panes } = createAppearance(terminal, look, () => '');
  const asked: DecodeRequest['large'][] = [];
  // As large as was asked for, so that it has as many rows as the screen had room for.
  const decode: Decode = async (_, { large }) => {
    if (asked.push(large) === 1) store.setState(setSize({ columns: 50, rows: 20 }));
    const size = { width: large?.width ?? 0, height: large?.height ?? 0 };
    return { bitmap: { ...size, rgba: new Uint8Array() }, large: { ...size, data: new Uint8Array() } };
  };
  const { inTerminal } = await decodeFor({ session: { store }, terminal, panes }, decode, new Uint8Array());
  expect(asked).toHaveLength(2);
  expect(inTerminal).toMatchObject({ columns: 44, rows: 6 });
});

test('a picture that was not handed to the end is decoded and handed over again, with another id', async () => {
  const store = createAppStore(setSize({ columns: 140, rows: 50 })(scene()));
  const capabilities = () => initialCapabilities({ term: 'xterm-kitty', isTty: true } as TerminalFacts);
  const tty = createHeadless(140, 50);
  const screen = new Screen({ tty });
  const terminal = { capabilities, screen };
  const look = { noColor: null, forceColor: true, theme: () => null, own: () => null, ascii: false } as const;
  const { panes } = createAppearance(terminal, look, () => '');
  const decode: Decode = async () => {
    const size = { width: 40, height: 20 };
    return { bitmap: { ...size, rgba: new Uint8Array() }, large: { ...size, data: new Uint8Array(3_000) } };
  };
  screen.enter();
  screen.flush();
  // Takes the first part, and no other before it is ready.
  tty.block();
  const decoded = decodeFor({ session: { store }, terminal, panes }, decode, new Uint8Array());
  const ids = () => [...tty.chunks.join('').matchAll(/\x1b_Ga=T,[^;]*,i=(\d+),/g)].map(([, id]) => Number(id));
  await expect.poll(ids).toHaveLength(1);
  screen.writeControl(screen.parts.end());
  tty.drain();
  const { inTerminal } = await decoded;
  const [first, second] = ids();
  expect(tty.chunks.join('')).toContain(`\x1b_Gm=0,q=2;\x1b\\\x1b_Ga=d,d=I,q=2,i=${first}\x1b\\\x1b_Ga=T`);
  expect(inTerminal).toMatchObject({ id: second });
});
