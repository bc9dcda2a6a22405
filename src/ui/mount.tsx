/** Starts Ink on the program's own screen and keyboard; loaded after the first frame, which needs neither. */
import { type Instance, render } from 'ink';
import type { ReactNode } from 'react';
import type { PromptStdin } from '../terminal/prompt-stdin.ts';
import type { Screen } from '../terminal/screen.ts';
import { App } from './app.tsx';
import { type Ui, UiProvider } from './store-context.ts';
import { Welcome, type WelcomeProps } from './welcome.tsx';

export interface Streams {
  readonly screen: Screen;
  readonly stdin: PromptStdin;
}

export interface Mounted {
  unmount(): void;
}

export const mountApp = (ui: Ui, streams: Streams): Mounted =>
  mount(
    <UiProvider value={ui}>
      <App />
    </UiProvider>,
    streams,
  );

export const mountWelcome = (props: WelcomeProps, streams: Streams): Mounted => mount(<Welcome {...props} />, streams);

/** `debug`: every commit hands over a whole frame at once, which `Screen` compares and writes in its own time. */
function mount(node: ReactNode, { screen, stdin }: Streams): Mounted {
  const instance: Instance = render(node, {
    stdout: screen.inkStream(),
    stdin: stdin as unknown as NodeJS.ReadStream,
    debug: true,
    patchConsole: false,
    exitOnCtrlC: false,
    // Ink would read INK_SCREEN_READER itself, and leave out the frames that the panes are drawn around.
    isScreenReaderEnabled: false,
  });
  return { unmount: () => instance.unmount() };
}
