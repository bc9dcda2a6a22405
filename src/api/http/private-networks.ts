/** Finds out whether an address is of this machine or a private network, to which the sender of a message must not send us. */
import { lookup as resolve } from 'node:dns';
import { BlockList, isIP, isIPv6, type LookupFunction } from 'node:net';
import { isLoopbackAddress } from './loopback.ts';

/** `private` includes everything that is no address of one machine on the open internet. */
export type Reach = 'loopback' | 'private' | 'public';

const inside = new BlockList();
for (const [network, bits] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['224.0.0.0', 3],
] as const)
  inside.addSubnet(network, bits, 'ipv4');
// Unspecified and addresses of IPv4 within IPv6 (compatible, translated, NAT64, Teredo and 6to4, which may lead inside), unique
// local, link-local, multicast.
for (const [network, bits] of [
  ['::', 96],
  ['::ffff:0:0:0', 96],
  ['64:ff9b::', 96],
  ['64:ff9b:1::', 48],
  ['2001::', 32],
  ['2002::', 16],
  ['fc00::', 7],
  ['fe80::', 10],
  ['fec0::', 10],
  ['ff00::', 8],
] as const)
  inside.addSubnet(network, bits, 'ipv6');

export function reachOf(address: string): Reach {
  if (isLoopbackAddress(address)) return 'loopback';
  return inside.check(address, isIPv6(address) ? 'ipv6' : 'ipv4') ? 'private' : 'public';
}

/** The host of a URL without the brackets of IPv6. */
const bare = (hostname: string): string => hostname.replace(/^\[(.*)\]$/, '$1');

/** The reach of a host: `loopback` or else `private` when any of its addresses is; `public` when it cannot be resolved. */
export function reachOfHost(hostname: string): Promise<Reach> {
  const host = bare(hostname);
  if (isIP(host) !== 0) return Promise.resolve(reachOf(host));
  return new Promise((done) => {
    resolve(host, { all: true }, (error, addresses) => {
      const found = error === null ? addresses.map(({ address }) => reachOf(address)) : [];
      done(found.find((one) => one === 'loopback') ?? found.find((one) => one === 'private') ?? 'public');
    });
  });
}

export const outOfReachCode = 'OUT_OF_REACH';
export const outOfReach = (): Error =>
  Object.assign(new Error('the address is inside a private network'), { code: outOfReachCode });

/** Whether a host that is written as an address may be asked; a name is judged when it is resolved. */
export function mayAsk(hostname: string, allowed: readonly Reach[]): boolean {
  const host = bare(hostname);
  return isIP(host) === 0 || allowed.includes(reachOf(host));
}

/** Resolves a name, and fails with `refusal` unless all of its addresses may be asked. */
export const lookupWithin =
  (allowed: readonly Reach[], refusal: (hostname: string) => Error = outOfReach): LookupFunction =>
  (hostname, options, callback) => {
    resolve(hostname, { ...options, all: true }, (error, addresses) => {
      if (error !== null) callback(error, '');
      else if (addresses[0] === undefined || addresses.some(({ address }) => !allowed.includes(reachOf(address))))
        callback(refusal(hostname) as NodeJS.ErrnoException, '');
      else if (options.all === true) callback(null, addresses);
      else callback(null, addresses[0].address, addresses[0].family);
    });
  };
