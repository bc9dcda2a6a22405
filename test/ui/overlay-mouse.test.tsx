/** The mouse in every overlay: rows are taken, keys are pressed, pages scroll, and a click beside the dialog closes it. */
import { beforeEach, describe, expect, test } from 'vitest';
import type { AppState, Overlay } from '../../src/state/model/app-state.ts';
import { openNamePrompt } from '../../src/state/search/name-prompt.ts';
import { createDrawnOverlays } from '../../src/ui/drawn-overlays.ts';
import { overlayViews } from '../../src/ui/overlays/table.ts';
import * as eg from '../support/builders/eg.ts';
import { scene } from '../support/builders/scene.ts';
import { campaignPart } from '../support/campaigns/partition.ts';
import { placeOf, pointerOn } from './pointer.ts';
import { stage } from './stage.tsx';

beforeEach(eg.restart);

interface Expected {
  readonly open: (state: AppState) => AppState;
  /** It has rows to choose from, a page that the wheel scrolls, or neither. */
  readonly body: 'rows' | 'page' | 'none';
  /** A hint of its keys line; null where it has no such line. */
  readonly hint: string | null;
}

const on =
  (...overlays: readonly Overlay[]) =>
  (state: AppState): AppState => ({ ...state, screen: { ...state.screen, overlays } });

const field = { typed: '' } as const;
const here = { conversationId: 'c-ann' } as const;
const question = { id: 'message.delete', messageId: 'a6', textThen: 'I will be there', openedAt: eg.now } as const;
const link = { shown: 'https://example.org' as never, href: 'https://example.org' };
const other = { shown: 'https://example.com' as never, href: 'https://example.com' };

/** A kind of overlay without a row does not compile. */
const overlays: { readonly [Kind in Overlay['kind']]: Expected } = {
  help: { open: on({ kind: 'help', ...field, selected: 0 }), body: 'rows', hint: null },
  rebind: { open: on({ kind: 'rebind', command: 'message.copy', pressed: null }), body: 'none', hint: 'Del usual' },
  confirm: { open: on({ kind: 'confirm', ...here, ...question }), body: 'none', hint: 'Enter yes' },
  'reaction-picker': {
    open: on({ kind: 'reaction-picker', ...here, messageId: 'a3', ...field, selected: 0 }),
    body: 'rows',
    hint: null,
  },
  'new-conversation': { open: openNamePrompt('new-conversation'), body: 'rows', hint: null },
  forward: { open: openNamePrompt('forward'), body: 'rows', hint: null },
  switcher: { open: openNamePrompt('switcher'), body: 'rows', hint: null },
  'message-search': {
    open: on({ kind: 'message-search', ...here, here: 'c-ann', ...field, selected: 0, result: null }),
    body: 'none',
    hint: null,
  },
  'sent-texts': { open: on({ kind: 'sent-texts', ...field, selected: 0 }), body: 'none', hint: null },
  'own-name': {
    open: on({ kind: 'own-name', of: { kind: 'contact', id: 'ann' }, ...field }),
    body: 'none',
    hint: 'Enter done',
  },
  'own-note': {
    open: on({ kind: 'own-note', of: { kind: 'contact', id: 'ann' }, ...field }),
    body: 'none',
    hint: 'Enter done',
  },
  attach: { open: on({ kind: 'attach', ...here, ...field }), body: 'none', hint: 'Enter done' },
  'go-to-date': { open: on({ kind: 'go-to-date', ...here, ...field }), body: 'none', hint: 'Enter done' },
  token: { open: on({ kind: 'token', ...field }), body: 'none', hint: 'Enter done' },
  'snippet-name': { open: on({ kind: 'snippet-name', text: 'x', ...field }), body: 'none', hint: 'Enter done' },
  'save-messages': {
    open: on({ kind: 'save-messages', text: 'x', messages: 1, ...field }),
    body: 'none',
    hint: 'Enter done',
  },
  'export-conversation': {
    open: on({ kind: 'export-conversation', ...here, ...field }),
    body: 'none',
    hint: 'Enter done',
  },
  details: {
    open: on({ kind: 'details', ...here, itemId: 'a3', scroll: 0, versions: [] }),
    body: 'page',
    hint: 'close',
  },
  person: {
    open: on({ kind: 'person', of: { kind: 'contact', id: 'ann' }, scroll: 0, findings: null }),
    body: 'none',
    hint: 'close',
  },
  notices: { open: on({ kind: 'notices', scroll: 0 }), body: 'none', hint: 'close' },
  settings: {
    open: on({ kind: 'settings', ...field, selected: 0, page: null, tried: {}, before: {}, remark: null }),
    body: 'none',
    hint: 'close',
  },
  'setting-value': { open: on({ kind: 'setting-value', id: 'theme', ...field }), body: 'none', hint: 'Enter done' },
  'same-account': {
    open: on({ kind: 'same-account', token: 't', unsent: 1, openedAt: eg.now }),
    body: 'none',
    hint: 'close',
  },
  links: {
    open: on({ kind: 'links', links: { addresses: [link, other], refused: 0 }, selected: 0 }),
    body: 'rows',
    hint: 'close',
  },
  menu: { open: on({ kind: 'menu', id: 'views', ...here, itemId: null, selected: 0 }), body: 'rows', hint: 'close' },
  unsure: { open: on({ kind: 'unsure', uuid: 'none' }), body: 'none', hint: 'close' },
};

const rows = Object.entries(overlays);

test('every kind of overlay is tested', () => {
  expect(Object.keys(overlays).sort()).toEqual(Object.keys(overlayViews).sort());
});

const top = (app: ReturnType<typeof stage>): Overlay | undefined => app.store.getState().screen.overlays.at(-1);

describe.each(campaignPart(rows, 7))('%s', (_, { open, body, hint }) => {
  const opened = () => {
    const app = stage(open(scene({ size: { columns: 90, rows: 16 } })));
    return { app, pointer: pointerOn(app) };
  };
  test('a click beside it closes it and reaches nothing below', () => {
    const { app, pointer } = opened();
    const before = app.store.getState().view;
    pointer.click([0, 4]);
    expect(top(app)).toBe(undefined);
    pointer.click([0, 4]);
    expect(app.store.getState().view).toBe(before);
  });

  test('a click on its frame does nothing', () => {
    const { app, pointer } = opened();
    const [rect] = app.drawnOverlays.dialogs;
    const before = app.store.getState();
    pointer.click([rect?.x ?? 0, rect?.y ?? 0]);
    expect(app.store.getState()).toBe(before);
  });

  test('the wheel moves what it shows', async () => {
    const { app, pointer } = opened();
    const [rect] = app.drawnOverlays.dialogs;
    const middle = [45, (rect?.y ?? 0) + 3] as const;
    const before = top(app);
    pointer.send('wheel-down', middle);
    if (body === 'none') expect(top(app)).toBe(before);
    else if (body === 'page') expect(top(app)).toMatchObject({ scroll: 3 });
    else expect(top(app)).toMatchObject({ selected: 1 });
    pointer.send('wheel-up', middle);
    if (body !== 'none') expect(top(app)).toMatchObject(body === 'page' ? { scroll: 0 } : { selected: 0 });
  });

  test.runIf(body === 'rows')('its rows are there for a click', () => {
    const { app } = opened();
    const { rows: height } = app.store.getState().screen.size;
    const found = Array.from({ length: height }, (_, y) => app.drawnOverlays.at(45, y)).filter((id) => id !== null);
    expect(found.length).toBeGreaterThan(1);
  });

  test.runIf(hint !== null)('the keys below it can be clicked', () => {
    const { app, pointer } = opened();
    const [x, y] = placeOf(app, hint ?? '');
    expect(app.drawnOverlays.targetAt(x, y)?.kind).toBe('command');
    const state = app.store.getState();
    if (hint === 'close') {
      pointer.click([x, y]);
      expect(app.store.getState().screen.overlays.length).toBe(state.screen.overlays.length - 1);
    }
  });
});

test('a click on the words of an answer gives that answer', async () => {
  const app = stage(overlays.confirm.open(scene()));
  pointerOn(app).click(placeOf(app, 'Enter yes'));
  await app.see('Write a message');
  expect(app.actions).toEqual([{ kind: 'message.delete', conversationId: 'c-ann', messageId: 'a6' }]);
});

test('a click on the keys below the question for a new key answers it', async () => {
  const app = stage(on({ kind: 'help', ...field, selected: 0 })(scene({ size: { columns: 90, rows: 24 } })));
  app.press('f2');
  await app.see('Esc cancel');
  pointerOn(app).click(placeOf(app, 'Esc cancel'));
  expect(top(app)?.kind).toBe('help');
});

test('a click on a link of a page asks before it opens, and one on a group opens the group', async () => {
  const findings = {
    groups: [{ id: 'c-crew', last: eg.message({ conversationId: 'c-crew', text: 'noon?' }) }],
    authors: [],
    links: { addresses: [link], refused: 0 },
    files: [],
    of: { kind: 'contact', id: 'ann' },
    lastFrom: null,
    lastTo: null,
    searched: 3,
    isDone: true,
  };
  const open = on({ kind: 'person', of: { kind: 'contact', id: 'ann' }, scroll: 0, findings: findings as never });
  const app = stage(open(scene()));
  const pointer = pointerOn(app);
  pointer.click(placeOf(app, 'https://example.org'));
  await app.see('Open in the browser?');
  app.press('escape');
  await app.see('Links and files');
  pointer.click(placeOf(app, ', last'));
  await app.see('Write a message');
  expect(app.opened).toEqual(['c-crew']);
});

/** A prompt that covers rows: these are also where it has its keys. */
const promptOverRows = on(
  { kind: 'help', ...field, selected: 0 },
  { kind: 'setting-value', id: 'notify.keywords', ...field },
);

test.each([
  ['its keys', 'Esc close'],
  ['the rows below, beside the dialog', '> '],
])('a dialog above rows is closed by a click on %s', (_, words) => {
  const app = stage(promptOverRows(scene({ size: { columns: 90, rows: 24 } })));
  pointerOn(app).click(placeOf(app, words));
  expect(top(app)).toMatchObject({ kind: 'help', selected: 0 });
});

test('the top overlay is the last one of the stack, in whichever order they were drawn', () => {
  const drawn = createDrawnOverlays();
  const small = { x: 4, y: 4, width: 20, height: 4 };
  const large = { x: 0, y: 0, width: 40, height: 20 };
  const area = (id: string) => ({ current: [{ rect: small, target: { kind: 'command', id } as const }] });
  drawn.showDialog(small, 1);
  drawn.showAreas(area('upper'), 1);
  drawn.showDialog(large, 0);
  drawn.showAreas(area('lower'), 0);
  expect(drawn.dialogs).toEqual([large, small]);
  expect(drawn.targetAt(5, 5)).toEqual({ kind: 'command', id: 'upper' });
});
