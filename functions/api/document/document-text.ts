// The general texts of the document: how to begin, and the conventions that all operations share.

export const documentDescription = `Watches resale-ticket prices and sends a message the moment a price reaches the level that its owner set.

**Keys.** Send \`Authorization: Bearer getin_…\`. A read key can read, a write key can also change and manage the keys of its owner, an admin key can also manage owners and all keys. A key makes and changes keys up to its own scope. An item of another owner is answered like a missing one: 404. A browser signs in with a key and sends the cookie of its session in place of the header.

**Errors** are problem details (RFC 9457) with a stable \`type\`. \`errors\` lists every fault of a body or query at once, each with a JSON pointer.

**JSON.** Bodies are \`application/json\` in UTF-8, up to 100 KB, at most 20 levels deep. An unknown field or query parameter is refused, and so are a duplicate key in an object and a key named \`__proto__\`. Prices are JSON numbers or plain decimal strings with at most two decimals.

**Repeating a POST** is safe with an \`Idempotency-Key\` (quoted or bare, up to 200 visible characters): for 24 hours the same key on the same path, with the same query, body and Content-Type, gets the same answer; with others it gets 409. The key is stored per API key and compared with the bytes of the body. Only a success is stored: after a refusal or an error the same request runs again under its key, and nothing is made twice.

**Changing**: fields that you leave out keep their values. Send \`If-Match\` with the ETag of the version that you read, and the change is refused with 412 if somebody changed it since. Without the header the change applies to the newest version; only a change that replaces a list (\`rules\`, \`channels\`, \`tags\`) is refused without it, with 428. \`*\` means any version.

**Reading again.** Every answer to a GET has an \`ETag\`, but for the few that hold secrets. Send it as \`If-None-Match\`, and the answer is 304 without a body if nothing has changed; browsers do so by themselves. A 304 counts as a request. The tag of an item with a version is \`"VERSION.MARK"\`: the mark changes with everything that the answer shows, such as the price, and \`If-Match\` compares the version alone.

**Pages** have \`data\`, \`has_more\` and \`next_cursor\`; send the cursor as \`starting_after\`. Lists are read from an index that is up to date within about a second, rarely within a minute. Until then a new item may be missing, and a changed or deleted item may appear in its old state. A read by id always returns the current state.

**Limits.** Requests per minute are limited for each key (\`RateLimit-*\` headers; 429 with \`Retry-After\`). An owner can have 10,000 watches (a deployment can set another number), five times as many rules, and 50 channels; beyond that the answer is 403 \`quota-exceeded\`, with the limit in \`max\`.`;

export const documentTags = [
  {
    name: 'Watches',
    description:
      'The rules that an owner sets on one event, and the channels that get their alerts',
  },
  { name: 'Watchlist', description: 'Export and import of all watches as a file' },
  { name: 'Published links', description: 'For spreadsheets, calendars and feed readers' },
  { name: 'Jobs', description: 'Work that takes longer than a request: progress and results' },
  { name: 'Rules', description: 'The conditions of a watch' },
  { name: 'Events', description: 'Events that can be watched, and their stored prices' },
  { name: 'Channels', description: 'The addresses that alerts are sent to' },
  { name: 'Alerts', description: 'What happened' },
  { name: 'Deliveries', description: 'The messages of each alert, and their attempts' },
  { name: 'Owner', description: 'The settings of an owner, and everything stored of it' },
  { name: 'Defaults', description: 'Settings of watches that don’t set their own' },
  { name: 'Budget', description: 'The limits and the costs of polling' },
  { name: 'Owners', description: 'The owners of watchlists (admin)' },
  { name: 'API keys', description: 'The API keys of an owner and their scopes' },
  { name: 'Sessions', description: 'Signing a browser in with an API key' },
  { name: 'Links', description: 'Pages that messages link to' },
  { name: 'Telegram', description: 'What Telegram calls' },
  { name: 'Webhooks', description: 'What we send' },
  { name: 'Health', description: 'Health of the API' },
  { name: 'Documentation', description: 'This' },
];
