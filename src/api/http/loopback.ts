/** Recognises addresses of this machine (RFC 1122 §3.2.1.3, RFC 4291 §2.5.3). */
import { BlockList } from 'node:net';

const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8, 'ipv4');
loopback.addAddress('::1', 'ipv6');

/** @param address an address, no name: `isIPv6` would compile a regular expression of Node that takes 5 ms */
export const isLoopbackAddress = (address: string): boolean =>
  loopback.check(address, address.includes(':') ? 'ipv6' : 'ipv4');
