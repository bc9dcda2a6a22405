/** Draws the first screen of a user who has set up nothing: it offers the demo, or the login to a service. */
import { Box, type DOMElement, useStdout } from 'ink';
import { useLayoutEffect, useRef, useSyncExternalStore } from 'react';
import { menu, type WelcomeSpot, type WelcomeState, welcomeField } from '../state/view/welcome.ts';
import { wrap } from '../text/layout/wrap.ts';
import { sanitizeLine } from '../text/safe/sanitize.ts';
import { literal, type SafeText, safe } from '../text/safe-text.ts';
import type { DrawnChoices } from '../view/choices.ts';
import { asciiSigns, type GlyphSet, ownTextIn, unicodeSigns } from '../view/glyph-set.ts';
import type { Hint } from '../view/hint-row.ts';
import { type ClickArea, drawKeysLine } from '../view/keys-line.ts';
import type { Rect } from '../view/layout.ts';
import type { DrawnOverlays } from './drawn-overlays.ts';
import { Prompt } from './widgets/prompt.tsx';
import { Text } from './widgets/text.tsx';

const menuTexts: Readonly<Record<(typeof menu)[number], SafeText>> = {
  demo: literal('Try the built-in demo'),
  connect: literal('Connect to a service'),
  quit: literal('Quit'),
};

const onEnter = (title: string): Hint => ({ id: 'enter', label: 'Enter', title });
const onEscape = (title: string): Hint => ({ id: 'escape', label: 'Esc', title });
const quit: Hint = { id: 'ctrl+q', label: 'Ctrl-Q', title: 'quit', isKept: true };

/** The id of each is its key; a click does what the key does. */
const keyHints: Readonly<Record<WelcomeState['step'], readonly Hint[]>> = {
  menu: [{ label: '↑/↓', title: 'choose' }, onEnter('take it'), { id: 'q', label: 'q', title: 'quit', isKept: true }],
  server: [onEnter('go on'), onEscape('back'), quit],
  token: [onEnter('check it'), onEscape('back'), quit],
  checking: [onEscape('stop waiting'), quit],
  'same-account': [{ id: 'y', label: 'y', title: 'yes' }, { id: 'n', label: 'n', title: 'no' }, quit],
};

const wrongHints: readonly Hint[] = [onEnter('try it again'), onEscape('empty the field'), quit];
const keepingHints: readonly Hint[] = [quit];

export interface WelcomeProps {
  readonly isAscii: boolean;
  /** The version of the program. */
  readonly version: string;
  readonly subscribe: (listener: () => void) => () => void;
  readonly getState: () => WelcomeState;
  /** Gets the rows of the menu, and the cells of the keys, for clicks. */
  readonly drawnOverlays: Pick<DrawnOverlays, 'show' | 'showAreas'>;
}

/** Returns what is drawn at a cell of the screen. */
export function welcomeSpot(drawnOverlays: DrawnOverlays, x: number, y: number): WelcomeSpot {
  const target = drawnOverlays.targetAt(x, y);
  return { row: drawnOverlays.at(x, y), key: target?.kind === 'command' ? target.id : null };
}

export function Welcome({ isAscii, version, subscribe, getState, drawnOverlays }: WelcomeProps) {
  const state = useSyncExternalStore(subscribe, getState);
  const { columns, rows } = useStdout().stdout;
  const width = Math.min(68, columns - 4);
  const signs = isAscii ? asciiSigns : unicodeSigns;
  const isWrong = state.problem !== null && (welcomeField(state)?.text ?? '') !== '';
  const hints = state.done !== null ? keepingHints : isWrong ? wrongHints : keyHints[state.step];
  return (
    <Box width={columns} height={rows} alignItems="center" justifyContent="center">
      <Box width={width} flexDirection="column" gap={1}>
        <Box gap={1}>
          <Text bold>{literal('msg-tui')}</Text>
          <Text dimColor>{sanitizeLine(version)}</Text>
        </Box>
        {state.step === 'menu' ? (
          <>
            <Introduction width={width} rows={rows} />
            <Menu selected={state.selected} drawnOverlays={drawnOverlays} />
          </>
        ) : (
          <Form state={state} signs={signs} width={width} />
        )}
        {state.problem === null ? null : <Problem text={sanitizeLine(state.problem)} width={width} />}
        <Keys hints={hints} width={width} signs={signs} drawnOverlays={drawnOverlays} />
      </Box>
    </Box>
  );
}

interface KeysProps extends Pick<WelcomeProps, 'drawnOverlays'> {
  readonly hints: readonly Hint[];
  readonly width: number;
  readonly signs: GlyphSet;
}

function Keys({ hints, width, signs, drawnOverlays }: KeysProps) {
  const box = useRef<DOMElement>(null);
  const drawn = useRef<readonly ClickArea[]>([]);
  const lineIn = (room: Rect) => drawKeysLine(hints, { ...room, width, height: 1 }, { signs });
  useLayoutEffect(() => drawnOverlays.showAreas(drawn, 0), [drawnOverlays]);
  useLayoutEffect(() => {
    drawn.current = lineIn(rectOf(box.current)).areas;
  });
  return (
    <Box ref={box}>
      {lineIn(rectOf(null)).row.map(({ text }) => (
        <Text key={text} dimColor>
          {text}
        </Text>
      ))}
    </Box>
  );
}

const introduction: readonly SafeText[] = [
  literal('A chat client for services with the Messaging Service API.'),
  literal('It keeps your conversations and what you write on this machine.'),
  literal('To connect, you need the address of a service and an access token.'),
  literal('The demo needs neither, and leaves nothing behind.'),
];

/** Rows of the title, the menu, the keys and the blank lines between them. */
const otherRows = 8;

/** Draws the introduction; a low screen shows only as many sentences as leave room for the menu. */
function Introduction({ width, rows }: { readonly width: number; readonly rows: number }) {
  const shown: SafeText[] = [];
  for (const sentence of introduction) {
    const lines = wrap(sentence, width);
    if (shown.length + lines.length > rows - otherRows) break;
    shown.push(...lines);
  }
  return shown.length === 0 ? null : (
    <Box flexDirection="column">
      {shown.map((line) => (
        <Text key={line}>{line}</Text>
      ))}
    </Box>
  );
}

interface MenuProps extends Pick<WelcomeProps, 'drawnOverlays'> {
  readonly selected: number;
}

function Menu({ selected, drawnOverlays }: MenuProps) {
  const box = useRef<DOMElement>(null);
  const drawn = useRef<DrawnChoices>({ rect: rectOf(null), ids: menu });
  useLayoutEffect(() => drawnOverlays.show(drawn, 0), [drawnOverlays]);
  useLayoutEffect(() => {
    drawn.current = { rect: rectOf(box.current), ids: menu };
  });
  return (
    <Box ref={box} flexDirection="column" alignSelf="flex-start">
      {menu.map((id, index) => (
        <Text key={id} inverse={index === selected}>
          {safe`${index === selected ? literal('> ') : literal('  ')}${menuTexts[id]} `}
        </Text>
      ))}
    </Box>
  );
}

/** The cells of the screen that Ink has given to an element. */
function rectOf(element: DOMElement | null): Rect {
  const { width = 0, height = 0 } = element?.yogaNode?.getComputedLayout() ?? {};
  let [x, y] = [0, 0];
  for (let node = element ?? undefined; node !== undefined; node = node.parentNode) {
    x += node.yogaNode?.getComputedLeft() ?? 0;
    y += node.yogaNode?.getComputedTop() ?? 0;
  }
  return { x, y, width, height };
}

interface FormProps {
  readonly state: WelcomeState;
  readonly signs: GlyphSet;
  readonly width: number;
}

function Form({ state, signs, width }: FormProps) {
  const field = welcomeField(state);
  const waiting = literal(state.done === null ? 'Asking the server …' : 'Saving the token …');

  return (
    <Box flexDirection="column">
      <Prompt
        label={literal('Server:')}
        value={state.server}
        placeholder={literal('https://chat.example.com')}
        draft={state.step === 'server' ? field : null}
        signs={signs}
        width={width}
      />
      {state.step === 'server' ? null : (
        <Prompt
          label={literal('Token: ')}
          value={state.token}
          placeholder={literal('the access token of your account')}
          isSecret
          draft={state.step === 'token' ? field : null}
          signs={signs}
          width={width}
        />
      )}
      {state.step === 'checking' ? <Text>{ownTextIn(waiting, signs)}</Text> : null}
      {state.step === 'same-account' ? <Question text={state.question ?? ''} width={width} /> : null}
    </Box>
  );
}

function Question({ text, width }: { readonly text: string; readonly width: number }) {
  const lines = text.replace(/\s*\[y\/N\]\s*$/, '').split('\n');
  return (
    <Box flexDirection="column">
      {lines
        .flatMap((line) => wrap(sanitizeLine(line), width))
        .map((line) => (
          <Text key={line} bold>
            {line}
          </Text>
        ))}
    </Box>
  );
}

function Problem({ text, width }: { readonly text: SafeText; readonly width: number }) {
  return (
    <Box flexDirection="column">
      {wrap(safe`! ${text}`, width)
        .slice(0, 4)
        .map((line) => (
          <Text key={line} bold>
            {line}
          </Text>
        ))}
    </Box>
  );
}
