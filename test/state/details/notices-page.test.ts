import { expect, test } from 'vitest';
import { noticesCopy } from '../../../src/state/details/notices-page.ts';
import { selectSheet } from '../../../src/state/details/sheet.ts';
import { addNotice, expireNotices } from '../../../src/state/view/notices.ts';
import * as eg from '../../support/builders/eg.ts';
import { rowToText } from '../../support/builders/row-text.ts';

const notice = (text: string, at: number = eg.now, about = text) =>
  addNotice({ tone: 'info', text, at, until: at + 5_000, about });
const page = { kind: 'notices', scroll: 0 } as const;

test('the log keeps closed notices, the newest first, and copies them in the order of time', () => {
  let state = notice('The message was copied\u001b[2J')(eg.state({}));
  state = expireNotices(eg.now + 10_000)(notice('Nothing to undo', eg.now + 1_000)(state));
  expect(state.screen.notices).toEqual([]);
  expect(selectSheet(state, page, eg.now).rows.map(rowToText)).toEqual([
    expect.stringMatching(/^ +14:02:12 +Nothing to undo$/),
    expect.stringMatching(/^ +14:02:11 +The message was copied\S*\[2J$/),
  ]);
  expect(noticesCopy(state.screen.noticeLog)?.text).toMatch(/^14:02:11 The message.*\n14:02:12 Nothing to undo$/);
  expect(noticesCopy(state.screen.noticeLog)?.text).not.toContain('\u001b');
});

test('the log has repeated notices once, and of very many the last ones', () => {
  let state = notice('Again')(eg.state({}));
  state = notice('Again', eg.now + 3_000)(state);
  expect(state.screen.noticeLog).toHaveLength(1);
  for (let i = 0; i < 500; i++) state = notice(`${i}`, eg.now, 'command')(state);
  expect(state.screen.noticeLog).toHaveLength(200);
  expect(state.screen.noticeLog.at(-1)?.text).toBe('499');
});

test('an empty log says so', () => {
  expect(selectSheet(eg.state({}), page, eg.now).rows.map(rowToText)).toEqual(['  Nothing was reported in this run.']);
});

test('a notice does not stay for hours after the clock was set back', () => {
  const shown = notice('Copied')(eg.state({}));
  expect(expireNotices(eg.now - 100)(shown).screen.notices).toHaveLength(1);
  expect(expireNotices(eg.now - 3 * 3_600_000)(shown).screen.notices).toEqual([]);
});
