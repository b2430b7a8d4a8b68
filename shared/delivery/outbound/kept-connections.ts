// Connections to receivers, each opened to addresses that were checked, and kept for a moment for the
// next message. Resolves no names and judges no addresses.
import type { LookupFunction } from 'node:net';
import type { buildConnector, Dispatcher } from 'undici';
import createConnector from 'undici/lib/core/connect.js';
import Client from 'undici/lib/dispatcher/client.js';

/** Shorter than receivers keep idle connections, so that a reused one is still open (B88). */
const keepAliveMs = 4_000;
/** How many places have their idle connections and TLS sessions remembered. */
const placesKept = 200;

export interface ResolvedAddress {
  address: string;
  family: number;
}

/** Where a connection leads: an origin, and the checked addresses that its name has now. */
export interface Destination {
  origin: string;
  /** Empty where the host is an address itself. */
  addresses: readonly ResolvedAddress[];
}

interface Place {
  origin: string;
  connect: buildConnector.connector;
  idle: Connection[];
}

/** An idle connection to this very origin and these very addresses, else a new one. */
export type TakeConnection = (destination: Destination) => Connection;

/** @param connectTimeoutMs when a connection that doesn't come about is given up. */
export function createKeptConnections(connectTimeoutMs: number): TakeConnection {
  const places = new Map<string, Place>();

  /** A name whose addresses have changed is another place: what it led to before is not reused. */
  function placeOf({ origin, addresses }: Destination): Place {
    const key = addresses.length === 0 ? origin : `${origin} ${addressesKey(addresses)}`;
    const known = places.get(key);
    if (known) return known;
    if (places.size >= placesKept) forgetOldest(places);
    const place = { origin, connect: pinnedConnector(addresses, connectTimeoutMs), idle: [] };
    places.set(key, place);
    return place;
  }

  return (destination) => {
    const place = placeOf(destination);
    return takeIdle(place.idle) ?? new Connection(place);
  };
}

function addressesKey(addresses: readonly ResolvedAddress[]): string {
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

/** The timer that closes idle connections doesn't run while a function is frozen, so age counts here too. */
function takeIdle(idle: Connection[]): Connection | undefined {
  for (let connection = idle.pop(); connection; connection = idle.pop()) {
    if (performance.now() - connection.idleSince < keepAliveMs) return connection;
    connection.drop();
  }
  return undefined;
}

/**
 * Connects to the given addresses and to nothing else: whatever the name would resolve to by now is not
 * asked. The certificate is checked against the origin's host.
 */
function pinnedConnector(
  addresses: readonly ResolvedAddress[],
  timeout: number,
): buildConnector.connector {
  const lookup: LookupFunction = (_hostname, { all }, callback) => {
    const [first] = addresses;
    if (!first) callback(new Error('no address was checked'), '');
    else if (all) callback(null, [...addresses]);
    else callback(null, first.address, first.family);
  };
  return createConnector({ lookup, timeout, rejectUnauthorized: true, allowH2: false });
}

/** One HTTP/1.1 connection, which one message at a time may use. */
export class Connection {
  readonly #client: Client;
  readonly #place: Place;
  /** On the process's monotonic clock. */
  idleSince = 0;
  /** Whether the socket that it has now has carried an answer already, so that its end may have closed it since. */
  isReused = false;

  constructor(place: Place) {
    this.#place = place;
    this.#client = new Client(place.origin, {
      connect: place.connect,
      keepAliveTimeout: keepAliveMs,
      keepAliveMaxTimeout: keepAliveMs,
      // The caller has one deadline over all.
      headersTimeout: 0,
      bodyTimeout: 0,
    });
    this.#client.on('disconnect', () => this.#forget());
  }

  post(
    { path, headers, body }: { path: string; headers: Record<string, string>; body: string },
    handler: Dispatcher.DispatchHandler,
  ): void {
    this.#client.dispatch({ method: 'POST', path, headers, body }, handler);
  }

  /** Leaves it for the next message; only after an answer was read to its end. */
  keep(): void {
    this.isReused = true;
    this.idleSince = performance.now();
    this.#place.idle.push(this);
  }

  /** Closes it, whatever is under way on it. */
  drop(): void {
    void this.#client.destroy();
  }

  /** Another one to the same place, on which nothing was sent yet. */
  another(): Connection {
    return new Connection(this.#place);
  }

  /** The socket is gone; a message that waits for it gets a new one to the same addresses. */
  #forget(): void {
    this.isReused = false;
    const { idle } = this.#place;
    const index = idle.indexOf(this);
    if (index < 0) return;
    idle.splice(index, 1);
    this.drop();
  }
}
