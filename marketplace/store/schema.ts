/**
 * The tables of the data service's SQLite file. Owns their shape only; the module that writes a row
 * owns its meaning. Money is integer cents, instants are epoch milliseconds unless the name says
 * otherwise.
 */
export const schemaVersion = 2;

/**
 * The listings table. Node binds every number as a float, and a column without a type stores it so.
 * The CHECK refuses such an id, which would be served as `14000000006.0`. Write ids by
 * `toStoredId`.
 */
export const listingsTable = `
CREATE TABLE listings (
  id INTEGER PRIMARY KEY,
  event_id INTEGER NOT NULL,
  source TEXT NOT NULL,
  listing_id NOT NULL CHECK (typeof(listing_id) IN ('integer', 'text')),
  active INTEGER NOT NULL,
  sold INTEGER NOT NULL DEFAULT 0,
  zone TEXT NOT NULL,
  section TEXT NOT NULL,
  row TEXT NOT NULL,
  quantity_start INTEGER NOT NULL,
  quantity INTEGER NOT NULL,
  price_cents INTEGER NOT NULL,
  all_in_cents INTEGER,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  -- The row as v1 serves it: written once, read for every page. Whole prices have no fraction, like
  -- on every other route.
  body TEXT NOT NULL GENERATED ALWAYS AS (json_object(
    'listing_id', listing_id, 'active', json(iif(active = 1, 'true', 'false')), 'zone', zone,
    'section', section, 'row', row, 'quantity_start', quantity_start, 'quantity', quantity,
    'price', iif(price_cents % 100 = 0, price_cents / 100, price_cents / 100.0),
    'created_at', strftime('%Y-%m-%dT%H:%M:%fZ', created_at / 1000.0, 'unixepoch'),
    'updated_at', strftime('%Y-%m-%dT%H:%M:%fZ', updated_at / 1000.0, 'unixepoch')
  )) STORED
);
CREATE INDEX listings_in_order ON listings (event_id, source, listing_id, id);
CREATE INDEX listings_by_state ON listings (event_id, source, active, listing_id, id);
CREATE INDEX listings_sold ON listings (event_id) WHERE source = 'sh' AND active = 0 AND sold = 1;
`;

/** The sales table; `listing_id` as in the listings table. */
export const salesTable = `
CREATE TABLE sales (
  id INTEGER PRIMARY KEY,
  event_id INTEGER NOT NULL,
  source_rank INTEGER NOT NULL,
  sold_at_seconds INTEGER NOT NULL,
  listing_id NOT NULL CHECK (typeof(listing_id) IN ('integer', 'text')),
  listing_row INTEGER,
  returned INTEGER NOT NULL,
  quantity INTEGER NOT NULL,
  price_cents INTEGER NOT NULL,
  all_in_cents INTEGER,
  zone TEXT NOT NULL,
  section TEXT NOT NULL,
  row TEXT NOT NULL,
  norm_zone TEXT NOT NULL,
  norm_section TEXT NOT NULL
);
CREATE INDEX sales_merged ON sales (event_id, sold_at_seconds, source_rank, id) WHERE returned = 1;
CREATE INDEX sales_by_source ON sales (event_id, source_rank, sold_at_seconds, id);
CREATE INDEX sales_of_listing ON sales (listing_row) WHERE listing_row IS NOT NULL;
`;

export const schema = `
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;

CREATE TABLE accounts (
  id INTEGER PRIMARY KEY,
  key_name TEXT NOT NULL UNIQUE,
  api_key TEXT NOT NULL UNIQUE,
  email TEXT NOT NULL,
  company TEXT NOT NULL,
  plan TEXT NOT NULL CHECK (plan IN ('tiered', 'flat')),
  plan_status TEXT NOT NULL CHECK (plan_status IN ('active', 'past_due', 'canceled')),
  api_access INTEGER NOT NULL,
  csv_access INTEGER NOT NULL,
  operator INTEGER NOT NULL DEFAULT 0,
  frozen INTEGER NOT NULL DEFAULT 0,
  quota_pulls INTEGER NOT NULL DEFAULT 0,
  period_anchor INTEGER,
  balance INTEGER NOT NULL DEFAULT 0
);

CREATE TABLE ledger (
  id INTEGER PRIMARY KEY,
  account_id INTEGER NOT NULL REFERENCES accounts (id),
  at INTEGER NOT NULL,
  reason TEXT NOT NULL,
  kind TEXT CHECK (kind IN ('salesdata', 'listings', 'stats')),
  event_id INTEGER,
  pulls INTEGER NOT NULL,
  quota_pulls INTEGER NOT NULL,
  amount INTEGER NOT NULL
);
CREATE INDEX ledger_by_account ON ledger (account_id, at);
CREATE TRIGGER ledger_moves_balance AFTER INSERT ON ledger BEGIN
  UPDATE accounts SET balance = balance + new.amount WHERE id = new.account_id;
END;

CREATE TABLE paid (
  account_id INTEGER NOT NULL,
  event_id INTEGER NOT NULL,
  kind TEXT NOT NULL,
  through INTEGER NOT NULL,
  PRIMARY KEY (account_id, event_id, kind)
) WITHOUT ROWID;

CREATE TABLE requests (
  account_id INTEGER NOT NULL,
  minute INTEGER NOT NULL,
  endpoint TEXT NOT NULL,
  tally INTEGER NOT NULL,
  delivered INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (account_id, minute, endpoint)
) WITHOUT ROWID;

CREATE TABLE venues (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL,
  city TEXT NOT NULL,
  state TEXT NOT NULL,
  state_name TEXT NOT NULL,
  country_code TEXT NOT NULL,
  country TEXT NOT NULL,
  lat REAL NOT NULL,
  lng REAL NOT NULL,
  slug TEXT NOT NULL,
  tm_id TEXT NOT NULL
);
CREATE INDEX venues_by_slug ON venues (slug);

CREATE TABLE events (
  id INTEGER PRIMARY KEY,
  sh_event_id INTEGER NOT NULL UNIQUE,
  vs_event_id INTEGER UNIQUE,
  name TEXT NOT NULL,
  alternate_names TEXT NOT NULL,
  date TEXT NOT NULL,
  time TEXT NOT NULL,
  starts_at INTEGER NOT NULL,
  tm_event_id TEXT NOT NULL,
  first_seen_date TEXT NOT NULL,
  std_event_id INTEGER NOT NULL,
  venue_id INTEGER NOT NULL REFERENCES venues (id),
  raw_venue_name TEXT NOT NULL,
  raw_venue_state TEXT NOT NULL,
  performer TEXT NOT NULL,
  event_type TEXT NOT NULL,
  tour_name TEXT NOT NULL
);
CREATE INDEX events_by_start ON events (starts_at, id);
CREATE INDEX events_by_performer ON events (std_event_id, starts_at, id);
CREATE INDEX events_by_venue ON events (venue_id, starts_at, id);
CREATE INDEX events_by_tm ON events (tm_event_id);

CREATE VIRTUAL TABLE event_text USING fts5 (
  event_name, venue_name, venue_city, raw_venue_name, tokenize = 'trigram'
);

CREATE TABLE refreshes (
  event_id INTEGER NOT NULL,
  source TEXT NOT NULL,
  refreshed_at INTEGER NOT NULL,
  -- Rows of listings, and how many of them are active.
  ever_listed INTEGER NOT NULL,
  active INTEGER NOT NULL,
  PRIMARY KEY (event_id, source)
) WITHOUT ROWID;

${listingsTable}${salesTable}
CREATE TABLE venue_sections (
  venue_id INTEGER NOT NULL,
  zone TEXT NOT NULL,
  section TEXT NOT NULL,
  PRIMARY KEY (venue_id, zone, section)
) WITHOUT ROWID;

CREATE TABLE snapshots (
  event_id INTEGER NOT NULL,
  at INTEGER NOT NULL,
  body TEXT NOT NULL,
  PRIMARY KEY (event_id, at)
) WITHOUT ROWID;

CREATE TABLE event_zones (
  event_id INTEGER NOT NULL,
  zone TEXT NOT NULL,
  PRIMARY KEY (event_id, zone)
) WITHOUT ROWID;

CREATE TABLE jobs (
  id TEXT PRIMARY KEY,
  account_id INTEGER NOT NULL,
  search_query TEXT NOT NULL,
  status TEXT NOT NULL,
  message TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  started_at INTEGER,
  completed_at INTEGER,
  events_added INTEGER NOT NULL DEFAULT 0,
  events_updated INTEGER NOT NULL DEFAULT 0,
  error TEXT
) WITHOUT ROWID;
CREATE INDEX jobs_by_account ON jobs (account_id, status);

CREATE TABLE source_status (source TEXT PRIMARY KEY, status TEXT NOT NULL) WITHOUT ROWID;
`;
