/** How old messages are when they are shown, against polling at fixed times with as many requests. */
import { expect, test } from 'vitest';
import { burstyTraffic, memorylessTraffic } from '../../support/campaigns/chat-traffic.ts';
import { campaignSize } from '../../support/campaigns/partition.ts';
import { compare } from '../../support/campaigns/polling-simulation.ts';

const days = campaignSize(15, 30);

test.each(['calm', 'normal', 'eager'] as const)(
  '%s: answers are shown three times as soon, also in the 95th percentile',
  (polling) => {
    const { polled, fixed } = compare(burstyTraffic(3, days), days * 24, polling);
    expect(fixed.medianMs / polled.medianMs).toBeGreaterThan(3);
    expect(fixed.p95Ms / polled.p95Ms).toBeGreaterThan(3);
    expect(polled.perHour).toBeLessThan({ calm: 180, normal: 360, eager: 540 }[polling]);
  },
);

test('messages at random times, from which nothing can be learned, are shown little later than by fixed polling', () => {
  const { polled, fixed } = compare(memorylessTraffic(1, days, 100), days * 24, 'normal');
  expect(polled.medianMs).toBeLessThan(1.1 * fixed.medianMs);
  expect(polled.p95Ms).toBeLessThan(1.3 * fixed.p95Ms);
});
