import { describe, expect, test } from 'vitest';
import { authorStyle } from '../../src/view/author-colour.ts';
import { createPanes } from '../../src/view/panes.ts';
import { chooseTheme } from '../../src/view/theme-choice.ts';
import * as eg from '../support/builders/eg.ts';
import { scene } from '../support/builders/scene.ts';

describe('the colour of an author', () => {
  test('depends only on the id, and is almost never the same for two in a group of six', () => {
    const { authors } = chooseTheme('dark', null, { depth: '256', background: 'dark' });
    expect(authorStyle('contact-1', authors)).toBe(authorStyle('contact-1', authors));
    const counts = authors.map(() => 0);
    for (let i = 0; i < 2400; i++) counts[authors.indexOf(authorStyle(`contact-${i}`, authors))]!++;
    expect(Math.min(...counts)).toBeGreaterThan(50);
  });

  test.each(['dark', 'light'] as const)('is different for the people of a group, on a %s background', (background) => {
    const theme = chooseTheme(background, null, { depth: '256', background });
    const people = ['Ann', 'Bob', 'Cyd', 'Dee'].map((username) => eg.contact({ id: username, username }));
    const messages = people.map((contact, i) => eg.message({ id: `m${i}`, conversationId: 'c-ann', contact }));
    const base = scene();
    const state = { ...base, cache: { ...base.cache, threads: new Map([['c-ann', eg.thread(messages)]]) } };
    const panes = createPanes({ theme, ascii: false, now: () => eg.now });
    const spans = panes.rows('thread', state, panes.layout(state)).flat();
    const styles = people.map(({ username }) => spans.find(({ text }) => text === username)?.style);
    expect(styles).toEqual(people.map(({ id }) => authorStyle(id, theme.authors)));
    expect(new Set(styles).size).toBeGreaterThan(2);
  });
});
