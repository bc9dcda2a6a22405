import { describe, expect, test } from 'vitest';
import type { Attachment } from '../../../src/protocol/types.ts';
import type { PictureRule } from '../../../src/state/model/settings.ts';
import { pictureAddress, pictureFacts, picturesToAsk } from '../../../src/state/pictures/policy.ts';
import { allowPictureHost, allowPicturesOnce } from '../../../src/state/pictures/transitions.ts';
import { initialState } from '../../../src/state/store.ts';

const file = (url: string | null, mediaType: string | null = null, label = 'a file'): Attachment => ({
  label,
  url,
  size: null,
  mediaType,
  fields: {},
});
const address = (...facts: Parameters<typeof file>) => pictureAddress(file(...facts));

describe('a picture', () => {
  test('is recognised by its media type, else by the end of its name', () => {
    expect(address('https://a.example/x', 'image/png')).toEqual({ href: 'https://a.example/x', host: 'a.example' });
    expect(address('https://a.example:8443/x.JPG?y#z')).toEqual({
      href: 'https://a.example:8443/x.JPG?y',
      host: 'a.example:8443',
    });
    expect(address('https://a.example/x', 'application/octet-stream', 'me.webp')).not.toBe(null);
    expect(address('https://a.example/x', 'IMAGE/JPEG; q=1')).not.toBe(null);
  });

  test.each([
    ['another type', 'https://a.example/x.png', 'text/html'],
    ['SVG', 'https://a.example/x.svg', 'image/svg+xml'],
    ['a name without a type', 'https://a.example/x', null],
    ['no address', null, 'image/png'],
    ['no address on the web', 'file:///etc/x.png', 'image/png'],
    ['an address with a password', 'https://me:pw@a.example/x.png', 'image/png'],
    ['nonsense', 'https://', 'image/png'],
    ['an address without an end', `https://a.example/${'x'.repeat(5_000)}.png`, 'image/png'],
  ])('is not %s', (_, url, mediaType) => {
    expect(address(url, mediaType)).toBe(null);
  });
});

describe('whether it is fetched', () => {
  const state = (pictures: PictureRule, drawsPictures = true) =>
    initialState({ settings: { pictures }, screen: { drawsPictures }, view: { serverHost: 'chat.example' } });
  const here = { href: 'https://chat.example/a.png', host: 'chat.example' };
  const there = { href: 'https://other.example/a.png', host: 'other.example' };
  const permissions = (from: ReturnType<typeof state>) =>
    [here, there].map((one) => pictureFacts(from).permissionOf(one));

  test('depends on the setting', () => {
    expect(permissions(state('never'))).toEqual(['denied', 'denied']);
    expect(permissions(state('ask'))).toEqual(['ask', 'ask']);
    expect(permissions(state('same-host'))).toEqual(['granted', 'denied']);
    expect(permissions(state('always'))).toEqual(['granted', 'granted']);
    expect(permissions(state('always', false))).toEqual(['denied', 'denied']);
  });

  test('depends on the answers, for a host or for one picture', () => {
    expect(permissions(allowPictureHost('other.example')(state('ask')))).toEqual(['ask', 'granted']);
    expect(permissions(allowPicturesOnce([here.href])(state('ask')))).toEqual(['granted', 'ask']);
    expect(permissions(allowPictureHost('other.example')(state('never')))).toEqual(['denied', 'denied']);
    const attachments = [file(here.href), file(there.href), file('https://x.example/y.pdf')];
    expect(picturesToAsk(allowPictureHost('other.example')(state('ask')), attachments)).toEqual([here]);
  });
});
