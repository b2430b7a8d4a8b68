// Connections to receivers, each opened to checked addresses and kept for a few seconds for the next
// message. Resolves no names and checks no addresses.
import { request as createRequest } from 'node:http';
import { connect as connectTcp, type LookupFunction, type Socket } from 'node:net';
import { connect as connectTls, type TLSSocket } from 'node:tls';
import type { AnswerReading } from './post-answer.ts';

/** Shorter than receivers keep idle connections, so that a reused one is still open (B88). */
const keepAliveMs = 4_000;
const sweepMs = 1_000;
/** For how many places idle connections and TLS sessions are kept. */
const placesKept = 200;
/** Receivers behind several proxies answer with more than Node's 16 KB of headers. */
const longestHeaders = 64 * 1024;

export interface ResolvedAddress {
  address: string;
  family: number;
}

/** The server of a URL. */
export interface Origin {
  isSecure: boolean;
  /** Name or address for the `Host` header, with the port unless it is the scheme's default. */
  host: string;
  /** Name or address without brackets. */
  hostname: string;
  port: number;
}

/** A request to a place that is known. */
export interface PlacedRequest {
  method: string;
  path: string;
  headers: Record<string, string>;
  body: string;
}

interface Place {
  origin: Origin;
  /** Empty if the host is an IP address. */
  addresses: readonly ResolvedAddress[];
  idle: Connection[];
  /** Called for each connection that becomes idle. */
  onIdle: () => void;
  /** Resumes TLS with this place; taken only from connections whose certificate was verified. */
  session?: Buffer;
}

/**
 * Returns an idle connection to the same origin and addresses, else a new connection.
 * @param addresses the checked addresses that the name has now; empty if the host is an IP address.
 */
export type TakeConnection = (origin: Origin, addresses: readonly ResolvedAddress[]) => Connection;

export function createKeptConnections(): TakeConnection {
  const places = new Map<string, Place>();
  let isWatching = false;

  /** A name with changed addresses is another place, so its old connections are not reused. */
  function placeOf(origin: Origin, addresses: readonly ResolvedAddress[]): Place {
    const key = `${origin.isSecure ? 'https' : 'http'}://${origin.host} ${addressesKey(addresses)}`;
    const known = places.get(key);
    if (known) return known;
    if (places.size >= placesKept) forgetOldest(places);
    const place = { origin, addresses, idle: [], onIdle: watchIdle };
    places.set(key, place);
    return place;
  }

  /** One timer for all: one for each message would cost more than what it watches over. */
  function watchIdle(): void {
    if (isWatching) return;
    isWatching = true;
    setTimeout(sweep, sweepMs);
  }

  /** Closes connections that were idle for too long. It doesn't run while a function is frozen. */
  function sweep(): void {
    isWatching = false;
    for (const { idle } of places.values()) {
      for (const connection of idle.filter((each) => !each.isFresh())) connection.drop();
      if (idle.length > 0) watchIdle();
    }
  }

  return (origin, addresses) => {
    const place = placeOf(origin, addresses);
    return takeIdle(place.idle) ?? new Connection(place);
  };
}

function addressesKey(addresses: readonly ResolvedAddress[]): string {
  if (addresses.length <= 1) return addresses[0]?.address ?? '';
  return addresses
    .map(({ address }) => address)
    .sort()
    .join(' ');
}

function forgetOldest(places: Map<string, Place>): void {
  const [oldest] = places;
  if (!oldest) return;
  const [key, { idle }] = oldest;
  places.delete(key);
  for (const connection of idle.splice(0)) connection.drop();
}

function takeIdle(idle: Connection[]): Connection | undefined {
  for (let connection = idle.pop(); connection; connection = idle.pop()) {
    if (connection.isFresh()) return connection;
    connection.drop();
  }
  return undefined;
}

/**
 * Opens a socket only to the given addresses and does not resolve the name again. The certificate is
 * checked against the origin's host.
 */
function openSocket(place: Place): Socket {
  const { origin, addresses } = place;
  const { isSecure, hostname, port } = origin;
  const to = { host: hostname, port, ...(addresses.length > 0 && { lookup: pinnedTo(addresses) }) };
  const socket = isSecure ? openTls(place, to) : connectTcp(to);
  socket.setNoDelay(true);
  // The request reports errors; without this listener, an error of an idle connection would end the process.
  socket.on('error', () => {});
  return socket;
}

function openTls(place: Place, to: { host: string; port: number }): TLSSocket {
  const socket = connectTls({
    ...to,
    // TLS takes no IP address as server name; the certificate is then checked against the address.
    ...(place.addresses.length > 0 && { servername: to.host }),
    ...(place.session && { session: place.session }),
    ALPNProtocols: ['http/1.1'],
    rejectUnauthorized: true,
  });
  socket.on('session', (session) => {
    if (socket.authorized) place.session = session;
  });
  return socket;
}

function pinnedTo(addresses: readonly ResolvedAddress[]): LookupFunction {
  return (_hostname, { all }, callback) => {
    const [first] = addresses;
    if (!first) callback(new Error('no address was checked'), '');
    else if (all) callback(null, [...addresses]);
    else callback(null, first.address, first.family);
  };
}

/** One HTTP/1.1 connection, for one message at a time. */
export class Connection {
  readonly #place: Place;
  readonly #socket: Socket;
  /** On the process's monotonic clock. */
  #idleSince = 0;
  /** Bytes read when the connection became idle. More bytes while idle would count as the next answer. */
  #bytesAsked = 0;
  /** Whether the connection has carried an answer, so the receiver may have closed it since. */
  isReused = false;

  constructor(place: Place) {
    this.#place = place;
    this.#socket = openSocket(place);
    this.#socket.on('close', () => this.#leaveIdle());
  }

  /** Sends a message, and reads its answer until `reading` has enough. */
  post({ method, path, headers, body }: PlacedRequest, reading: AnswerReading): void {
    const request = createRequest({
      method,
      path,
      headers: flatHeaders(this.#place.origin.host, headers, body),
      setHost: false,
      maxHeaderSize: longestHeaders,
      createConnection: () => this.#socket,
    });
    // Without an agent, Node closes the socket after the answer unless this is set.
    request.shouldKeepAlive = true;
    let failure: Error | undefined;
    let isWhole = false;
    request.on('response', (response) => {
      reading.start(response.statusCode ?? 0, response.headers);
      response.on('data', (chunk: Buffer) => reading.add(chunk));
      response.on('end', () => {
        isWhole = true;
      });
    });
    request.on('error', (error) => {
      failure = error;
    });
    // The last event: now the socket is free for the next request, or closed.
    request.on('close', () => {
      if (isWhole) reading.end();
      else reading.stop(failure ?? new Error('the connection closed'));
    });
    request.end(body);
  }

  /** Keeps the connection for the next message; call it only after the answer was read to its end. */
  keep(): void {
    if (this.#socket.destroyed) return;
    this.isReused = true;
    this.#idleSince = performance.now();
    this.#bytesAsked = this.#socket.bytesRead;
    this.#place.idle.push(this);
    this.#place.onIdle();
  }

  /** Whether a message may still be sent on this idle connection. */
  isFresh(): boolean {
    const isYoung = performance.now() - this.#idleSince < keepAliveMs;
    return isYoung && !this.#socket.destroyed && this.#socket.bytesRead === this.#bytesAsked;
  }

  /** Closes the connection and aborts any message on it. */
  drop(): void {
    this.#leaveIdle();
    this.#socket.destroy();
  }

  /** A new, unused connection to the same place. */
  another(): Connection {
    return new Connection(this.#place);
  }

  #leaveIdle(): void {
    const { idle } = this.#place;
    const index = idle.indexOf(this);
    if (index >= 0) idle.splice(index, 1);
  }
}

/** The headers as a flat list of names and values, which Node writes unchanged. */
function flatHeaders(host: string, headers: Record<string, string>, body: string): string[] {
  const flat = ['host', host, 'connection', 'keep-alive'];
  for (const name in headers) flat.push(name, headers[name] ?? '');
  flat.push('content-length', String(Buffer.byteLength(body)));
  return flat;
}
