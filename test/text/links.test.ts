import { describe, expect, test } from 'vitest';
import { findLinks } from '../../src/text/links.ts';
import { processorTime } from '../support/system/processor-time.ts';

const linksIn = (text: string): string[] => findLinks(text).map(({ start, end }) => text.slice(start, end));

describe('findLinks', () => {
  test.each([
    ['see https://example.org/a?b=c#d, please.', ['https://example.org/a?b=c#d']],
    ['(http://example.org)', ['http://example.org']],
    ['https://en.wikipedia.org/wiki/A_(b)!', ['https://en.wikipedia.org/wiki/A_(b)']],
    ['HTTPS://EXAMPLE.ORG/ and http://b.example', ['HTTPS://EXAMPLE.ORG/', 'http://b.example']],
    ['https://例え.jp/道。次', ['https://例え.jp/道']],
    ['https://example.org：次，https://b.example？', ['https://example.org', 'https://b.example']],
    ['<https://example.org>', ['https://example.org']],
    ['"https://example.org"', ['https://example.org']],
    ['javascript://x data:x ftp://x mailto:a@b xhttp://c', []],
    ['http:// https://...', []],
    ['no link', []],
    ['␛]8;;https://evil␇https://bank␛]8;;␇', ['https://evil', 'https://bank']],
  ])('%s', (text, expected) => {
    expect(linksIn(text)).toEqual(expected);
  });

  test.each([
    ['closing brackets', `https://a${')'.repeat(1_000_000)}`],
    ['many links', 'https://a.example/) '.repeat(50_000)],
    ['beginnings', 'http'.repeat(250_000)],
    ['brackets in many links', `https://a${'()])'.repeat(500)} `.repeat(450)],
  ])('a million units of %s take linear time', (_what, text) => {
    const spent = processorTime();
    findLinks(text);
    expect(spent()).toBeLessThan(1500);
  });
});
