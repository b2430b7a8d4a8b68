// Connections to receivers, each opened to addresses that were checked, and kept for a moment for the
// next message. Resolves no names and judges no addresses.
import { request as createRequest } from 'node:http';
import { connect as connectTcp, type LookupFunction, type Socket } from 'node:net';
import { connect as connectTls, type TLSSocket } from 'node:tls';
import type { AnswerReading } from './post-answer.ts';

/** Shorter than receivers keep idle connections, so that a reused one is still open (B88). */
const keepAliveMs = 4_000;
const sweepMs = 1_000;
/** How many places have their idle connections and TLS sessions remembered. */
const placesKept = 200;
/** Receivers behind several proxies answer with more than Node's 16 KB of headers. */
const longestHeaders = 64 * 1024;

export interface ResolvedAddress {
  address: string;
  family: number;
}

/** Where a URL leads to. */
export interface Origin {
  isSecure: boolean;
  /** Name or address as the `Host` header has it, with the port if it is not the scheme's own. */
  host: string;
  /** Name or address without brackets. */
  hostname: string;
  port: number;
}

interface Place {
  origin: Origin;
  /** Empty if the host is an address itself. */
  addresses: readonly ResolvedAddress[];
  idle: Connection[];
  /** Told of each connection that becomes idle. */
  onIdle: () => void;
  /** Resumes TLS with this place; taken only from connections whose certificate was verified. */
  session?: Buffer;
}

/**
 * An idle connection to this very origin and these very addresses, else a new one.
 * @param addresses the checked addresses that the name has now; empty if the host is an address itself.
 */
export type TakeConnection = (origin: Origin, addresses: readonly ResolvedAddress[]) => Connection;

export function createKeptConnections(): TakeConnection {
  const places = new Map<string, Place>();
  let isWatching = false;

  /** A name whose addresses have changed is another place: what it led to before is not reused. */
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
 * Opens a socket to the given addresses and to no other: what the name would resolve to by now is not
 * asked. The certificate is checked against the origin's host.
 */
function openSocket(place: Place): Socket {
  const { origin, addresses } = place;
  const { isSecure, hostname, port } = origin;
  const to = { host: hostname, port, ...(addresses.length > 0 && { lookup: pinnedTo(addresses) }) };
  const socket = isSecure ? openTls(place, to) : connectTcp(to);
  socket.setNoDelay(true);
  // Requests hear of errors too; a connection without a request must not end the process.
  socket.on('error', () => {});
  return socket;
}

function openTls(place: Place, to: { host: string; port: number }): TLSSocket {
  const socket = connectTls({
    ...to,
    // TLS has no server name for an address; the certificate is then checked against the address.
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

/** One HTTP/1.1 connection, which one message at a time may use. */
export class Connection {
  readonly #place: Place;
  readonly #socket: Socket;
  /** On the process's monotonic clock. */
  #idleSince = 0;
  /** Bytes of answers that were asked for: any more while idle would be taken for the next answer. */
  #bytesAsked = 0;
  /** Whether it has carried an answer already, so that the receiver may have closed it since. */
  isReused = false;

  constructor(place: Place) {
    this.#place = place;
    this.#socket = openSocket(place);
    this.#socket.on('close', () => this.#leaveIdle());
  }

  /** Sends a message, and reads its answer until `reading` has enough. */
  post(
    { path, headers, body }: { path: string; headers: Record<string, string>; body: string },
    reading: AnswerReading,
  ): void {
    const request = createRequest({
      method: 'POST',
      path,
      headers: flatHeaders(this.#place.origin.host, headers, body),
      setHost: false,
      maxHeaderSize: longestHeaders,
      createConnection: () => this.#socket,
    });
    // Without an agent Node closes the socket after the answer, unless told that it is kept.
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
    // Comes last, when the socket is free for the next request, or gone.
    request.on('close', () => {
      if (isWhole) reading.end();
      else reading.stop(failure ?? new Error('the connection closed'));
    });
    request.end(body);
  }

  /** Leaves it for the next message; only after an answer was read to its end. */
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

  /** Closes it, whatever is under way on it. */
  drop(): void {
    this.#leaveIdle();
    this.#socket.destroy();
  }

  /** Another connection to the same place, on which nothing was sent yet. */
  another(): Connection {
    return new Connection(this.#place);
  }

  #leaveIdle(): void {
    const { idle } = this.#place;
    const index = idle.indexOf(this);
    if (index >= 0) idle.splice(index, 1);
  }
}

/** As a flat list, which Node writes as it is: names and values in turns. */
function flatHeaders(host: string, headers: Record<string, string>, body: string): string[] {
  const flat = ['host', host, 'connection', 'keep-alive'];
  for (const name in headers) flat.push(name, headers[name] ?? '');
  flat.push('content-length', String(Buffer.byteLength(body)));
  return flat;
}
