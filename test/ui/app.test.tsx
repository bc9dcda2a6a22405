/** Without a `Screen` the panes are Ink text: the same rows in the same places, kept up to date by the store. */
import { beforeEach, describe, expect, test } from 'vitest';
import { insert } from '../../src/state/composer/draft-edit.ts';
import { updateDraft } from '../../src/state/composer/drafts.ts';
import { setSize } from '../../src/state/view/view.ts';
import * as eg from '../support/builders/eg.ts';
import { picture } from '../support/builders/picture.ts';
import { scene } from '../support/builders/scene.ts';
import { type Stage, stage } from './stage.tsx';

beforeEach(eg.restart);

const wanted = ({ panes, store, hints }: Stage): string =>
  picture(panes, store.getState(), hints()).join('\n').trimEnd();

describe('the panes as Ink text', () => {
  test.each([
    [100, 30],
    [80, 24],
    [60, 20],
    [30, 5],
  ])('are drawn at %i × %i', (columns, rows) => {
    const app = stage(scene({ size: { columns, rows } }));
    expect(app.frame().trimEnd()).toBe(wanted(app));
  });

  test('follow the state', async () => {
    const app = stage(scene());
    app.store.setState(updateDraft('c-ann', (draft) => insert(draft, 'a new word')));
    await app.see('a new word');
    expect(app.frame().trimEnd()).toBe(wanted(app));
  });

  test('follow the size', async () => {
    const app = stage(scene());
    app.store.setState(setSize({ columns: 50, rows: 12 }));
    await app.see(/^┌ ‹ Ann Wells .*┐$/m);
    expect(app.frame().trimEnd()).toBe(wanted(app));
  });
});
