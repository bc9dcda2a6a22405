/** Characters are shown before they are drawn: whatever is typed, the terminal must show what drawing it anew shows. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { pushOverlay } from '../../src/state/view/overlays.ts';
import { createStage } from '../bench/stage.ts';
import { campaignSize } from '../support/campaigns/partition.ts';
import { createHeadless, type HeadlessTty } from '../support/terminals/headless.ts';

const keys = fc.oneof(
  { weight: 12, arbitrary: fc.constantFrom(...'abc xyz.,!~@:/') },
  { weight: 2, arbitrary: fc.constantFrom('é', '好', '\u0301', '👩‍👩‍👧', 'ي', '\u200b') },
  {
    weight: 3,
    arbitrary: fc.constantFrom(
      ...'backspace left right home end up ctrl+u ctrl+w ctrl+z ctrl+_ ctrl+y alt+enter alt+b delete shift+left'.split(
        ' ',
      ),
    ),
  },
  { weight: 1, arbitrary: fc.constantFrom('overlay', 'news', 'escape', 'tab', 'alt+r') },
);

/** Where a hidden cursor is does not matter. */
const look = (tty: HeadlessTty) => [tty.text(), tty.cursor().isVisible ? tty.cursor() : null];

test('the terminal shows the same after a key as after a repaint', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(keys, { minLength: 5, maxLength: 90 }), async (sequence) => {
      const tty = createHeadless(60, 16);
      const stage = createStage({ messages: 3, tty });
      try {
        stage.engine.start();
        await stage.clock.advance(3_000);
        stage.ui.context.openConversation('c1');
        stage.store.setState((state) => ({ ...state, screen: { ...state.screen, focus: 'composer' } }));
        await stage.clock.advance(3_000);
        for (const key of sequence) {
          if (key === 'overlay') stage.store.setState(pushOverlay({ kind: 'help', typed: '', selected: 0 }));
          else if (key === 'news') stage.service.say('c1', 'a message meanwhile');
          else await stage.press(key);
          if (key === 'news') await stage.clock.advance(6_000);
        }
        await Promise.resolve();
        stage.screen.flush();
        await tty.settled();
        const shown = look(tty);
        stage.screen.redraw();
        stage.screen.flush();
        await tty.settled();
        expect(shown).toEqual(look(tty));
      } finally {
        await stage.close();
      }
    }),
    {
      numRuns: campaignSize(6, 40),
      examples: [
        [['a', 'a', 'backspace', 'right', 'alt+b']],
        [['a', 'a', 'overlay']],
        [[...'a'.repeat(80)]],
        [[...'/mu', 'down', 'tab']],
        [[...'a :heart:', 'backspace', ...' :tad', 'up']],
      ],
    },
  );
});
