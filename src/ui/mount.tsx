/**
 * Starts Ink, for the chat or for the first screen of a new user. Its frames go to the program's own `Screen`. It is
 * loaded after the first frame of the chat, which needs neither Ink nor React.
 */
import { PassThrough } from 'node:stream';
import { type Instance, render } from 'ink';
import type { ReactNode } from 'react';
import type { WelcomeSpot } from '../state/view/welcome.ts';
import type { Screen } from '../terminal/screen.ts';
import { App } from './app.tsx';
import { createDrawnOverlays } from './drawn-overlays.ts';
import { type Ui, UiProvider } from './store-context.ts';
import { Welcome, type WelcomeProps, welcomeSpot } from './welcome.tsx';

export interface Mounted {
  unmount(): void;
}

export const mountApp = (ui: Ui, screen: Screen): Mounted =>
  mount(
    <UiProvider value={ui}>
      <App />
    </UiProvider>,
    screen,
  );

/** `spotAt` returns what a click on a cell of the screen means. */
export function mountWelcome(
  props: Omit<WelcomeProps, 'drawnOverlays'>,
  screen: Screen,
): Mounted & { readonly spotAt: (x: number, y: number) => WelcomeSpot } {
  const drawnOverlays = createDrawnOverlays();
  return {
    ...mount(<Welcome {...props} drawnOverlays={drawnOverlays} />, screen),
    spotAt: (x, y) => welcomeSpot(drawnOverlays, x, y),
  };
}

/** `debug`: every commit hands over a whole frame at once, which `Screen` compares and writes in its own time. */
function mount(node: ReactNode, screen: Screen): Mounted {
  const instance: Instance = render(node, {
    stdout: screen.inkStream(),
    // Keys come from the program's own reader, so Ink gets an input stream without any keys.
    stdin: new PassThrough() as unknown as NodeJS.ReadStream,
    debug: true,
    patchConsole: false,
    exitOnCtrlC: false,
    // Ink would read INK_SCREEN_READER itself, and leave out the frames that the panes are drawn around.
    isScreenReaderEnabled: false,
  });
  // After an error of a component Ink draws nothing more and keeps the error to itself, while keys would still act in
  // dialogs that nobody sees. Nobody handles this rejection, so it ends the program as any other bug does.
  void instance.waitUntilExit();
  return { unmount: () => instance.unmount() };
}
