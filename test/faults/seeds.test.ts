/** Schedules that once broke a promise: every fault found stays here. */
import { test } from 'vitest';
import { outboxSites, runSchedule, type Schedule } from '../support/campaigns/outbox-schedule.ts';
import { sendFaults } from '../support/worlds/send-faults.ts';

const faults = (...names: readonly string[]): Schedule['faults'] =>
  sendFaults.filter(({ name }) => names.includes(name));

const seeds: readonly (readonly [string, Schedule])[] = [
  [
    'a full disk while history is looked through ends nothing',
    {
      steps: [
        { kind: 'enter', text: 'ok', conversationId: 'c1' },
        { kind: 'wait', ms: 0 },
        { kind: 'disk', isBad: true },
        { kind: 'wait', ms: 35_000 },
      ],
      faults: faults('timeout'),
    },
  ],
  [
    'a message in history that the full disk could not record is recorded later',
    {
      steps: [
        { kind: 'enter', text: 'ok', conversationId: 'c1' },
        { kind: 'disk', isBad: true },
        { kind: 'wait', ms: 35_000 },
        { kind: 'enter', text: 'yes', conversationId: 'c1' },
      ],
      faults: faults('timeout, applied'),
    },
  ],
  [
    'words that were discarded in doubt and come after all are taken for the same words entered again',
    {
      steps: [
        { kind: 'enter', text: 'ok', conversationId: 'c1' },
        { kind: 'wait', ms: 35_000 },
        { kind: 'discard' },
        { kind: 'enter', text: 'ok', conversationId: 'c1' },
        { kind: 'enter', text: 'ok', conversationId: 'c1' },
        { kind: 'wait', ms: 0 },
      ],
      faults: [...faults('timeout, applied after 120 s'), ...faults('timeout, applied after 120 s')],
    },
  ],
  [
    'one that an earlier one lets pass waits again when that one is sent again before it has left',
    {
      steps: [
        { kind: 'enter', text: 'ok', conversationId: 'c1' },
        { kind: 'enter', text: 'ok', conversationId: 'c1' },
        { kind: 'wait', ms: 35_000 },
        { kind: 'pass' },
        { kind: 'resend' },
        { kind: 'wait', ms: 0 },
      ],
      faults: faults('reset, applied, lists lag 60 s'),
    },
  ],
];

test.each(seeds)('%s', async (_, schedule) => {
  await runSchedule(schedule, outboxSites());
});
