/** Opens connections: checked TLS, plain http to loopback alone unless allowed, a tunnel through a proxy (R-TLS). */
import type { LookupFunction, Socket } from 'node:net';
import { rootCertificates } from 'node:tls';
import { buildConnector } from 'undici';
import { checkOwner, type TrustsOwner } from './listener-owner.ts';
import { isLoopbackAddress } from './loopback.ts';
import { needsProxy } from './no-proxy.ts';
import { lookupWithin } from './private-networks.ts';
import { openTunnel, type ProxySettings } from './proxy-tunnel.ts';

export interface ConnectorSettings {
  readonly connectMs: number;
  readonly insecureHttp: boolean;
  /** Asked before anything is sent without TLS to a server on this machine. Without it every owner is trusted. */
  readonly trustsOwner?: TrustsOwner | undefined;
  readonly proxy?: ProxySettings | undefined;
  /** Certificates (PEM) to trust besides the built-in ones. */
  readonly ca?: string | readonly string[] | undefined;
  /** Resolves names in place of the system's own function, to refuse some addresses. */
  readonly lookup?: LookupFunction | undefined;
}

/** `onConnected` is called just before request bytes can be sent; a failure before that means that none were. */
export function createConnector(settings: ConnectorSettings, onConnected: () => void): buildConnector.connector {
  const direct = buildConnector({
    timeout: settings.connectMs,
    // Set here, so that the variable NODE_TLS_REJECT_UNAUTHORIZED has no effect.
    rejectUnauthorized: true,
    minVersion: 'TLSv1.2',
    ...(settings.lookup === undefined ? {} : { lookup: settings.lookup }),
    ...(settings.ca === undefined ? {} : { ca: [...rootCertificates, ...[settings.ca].flat()] }),
  });
  const loopbackOnly = buildConnector({ timeout: settings.connectMs, lookup: lookupLoopback });
  return (options, callback) => {
    const connected: buildConnector.Callback = (...result) => {
      if (result[0] === null) onConnected();
      callback(...result);
    };
    const done: buildConnector.Callback = (...result) => {
      const { trustsOwner } = settings;
      const socket = result[0] === null ? result[1] : null;
      if (socket === null || trustsOwner === undefined || options.protocol !== 'http:' || !isLoopback(socket)) {
        connected(...result);
        return;
      }
      checkOwner(socket, trustsOwner).then(
        () => (socket.destroyed ? connected(brokenOff(), null) : connected(null, socket)),
        (error: unknown) => {
          socket.on('error', () => {}).destroy();
          connected(error instanceof Error ? error : new Error('the owner of the port is not known'), null);
        },
      );
    };
    const { proxy } = settings;
    if (proxy !== undefined && needsProxy(options, proxy.noProxy ?? '')) {
      connectThrough(proxy, direct, settings.connectMs, options, done);
      return;
    }
    const isGuarded = options.protocol === 'http:' && !settings.insecureHttp;
    (isGuarded ? loopbackOnly : direct)(options, done);
  };
}

function connectThrough(
  proxy: ProxySettings,
  direct: buildConnector.connector,
  connectMs: number,
  options: buildConnector.Options,
  done: buildConnector.Callback,
): void {
  const isTls = options.protocol === 'https:';
  const port = options.port === '' ? (isTls ? '443' : '80') : options.port;
  openTunnel(proxy, { ...options, port }, connectMs).then(
    (socket) => {
      if (isTls) direct({ ...options, port, httpSocket: socket }, done);
      else done(null, socket);
    },
    (error: unknown) => done(error instanceof Error ? error : new Error('the proxy failed'), null),
  );
}

const brokenOff = (): Error => Object.assign(new Error('the connection was closed at once'), { code: 'ECONNRESET' });

const isLoopback = ({ remoteAddress = '' }: Socket): boolean => isLoopbackAddress(remoteAddress);

/** Resolves a name, and fails unless all of its addresses are loopback addresses. */
const lookupLoopback = lookupWithin(['loopback'], (hostname) => {
  const text = `${hostname} is not this machine; plain http is for loopback alone`;
  return Object.assign(new Error(text), { code: 'NOT_LOOPBACK' });
});
