// What the document says beyond single operations: how to begin, and the conventions of all of them.

export const documentDescription = `Watches resale-ticket prices and tells people the moment a price they care about is reached.

**Keys.** Send \`Authorization: Bearer getin_…\`. A read key looks, a write key also changes, an admin key also makes owners and keys. One owner never sees another's things: they look as if they did not exist.

**Errors** are problem details (RFC 9457) with a stable \`type\`. \`errors\` lists every fault of a body or query at once, each with a JSON pointer.

**JSON.** Bodies are \`application/json\` in UTF-8, up to 100 KB, at most 20 levels deep. An unknown field or query parameter is refused, and so are a key that stands twice in one object and a \`__proto__\` key. Prices are JSON numbers or plain decimal strings with at most two decimals.

**Repeating a POST** is harmless with an \`Idempotency-Key\` (quoted or bare, up to 200 visible characters): for 24 hours the same key with the same query and body on the same path gets the same answer, with another query or body 409. It counts per API key, and covers the bytes of the body as we read them.

**Changing** needs \`If-Match\` with the ETag of what you read, or \`*\`: without it 428, with an old one 412.

**Pages** have \`data\`, \`has_more\` and \`next_cursor\`; send the cursor as \`starting_after\`. A list is read from an index that follows a change within about a second, rarely within a minute: a thing just made may be missing from it, a thing just changed or deleted may still be there as it was. A thing asked for by its id is always as it is now.

**Limits.** Each key has so many requests a minute (\`RateLimit-*\` headers; 429 with \`Retry-After\`), each owner so many watches (10,000 unless the deployment says otherwise), five times as many rules, and 50 channels (403 \`quota-exceeded\`, which names the limit in \`max\`).`;

export const documentTags = [
  { name: 'Watches', description: 'Rules on one event, and who hears of them' },
  { name: 'Watchlist', description: 'All watches at once, as a file' },
  { name: 'Rules', description: 'What a watch asks' },
  { name: 'Events', description: 'What can be watched, and how it went' },
  { name: 'Channels', description: 'Where alerts go' },
  { name: 'Alerts', description: 'What happened' },
  { name: 'Deliveries', description: 'What became of telling people' },
  { name: 'Owner', description: 'When you want to hear' },
  { name: 'Defaults', description: 'What watches have that say nothing themselves' },
  { name: 'Budget', description: 'What polling may cost, and has cost' },
  { name: 'Owners', description: 'Whoever a watchlist belongs to (admin)' },
  { name: 'API keys', description: 'Who may come in (admin)' },
  { name: 'Links', description: 'Pages that messages link to' },
  { name: 'Webhooks', description: 'What we send' },
  { name: 'Health', description: 'Whether the API is up' },
  { name: 'Documentation', description: 'This' },
];
