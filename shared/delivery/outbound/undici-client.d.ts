// Types of the two parts of undici that guarded posts are made of. Its main entry brings fetch, WebSocket,
// caches and mocks along, which would double what the function loads at a cold start.
declare module 'undici/lib/dispatcher/client.js' {
  import { Client } from 'undici';
  export default Client;
}

declare module 'undici/lib/core/connect.js' {
  import { buildConnector } from 'undici';
  export default buildConnector;
}
