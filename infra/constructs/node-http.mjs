// Replaces `node:http` in every bundle. Importing `node:http` into an ES module reads each of its
// properties, and WebSocket, one of them, loads Node's own undici: some 30 ms of each cold start.
// Only what the bundles import is here; esbuild refuses an import of anything else.
const http = process.getBuiltinModule('node:http');

export const { Agent, request, STATUS_CODES } = http;
export default http;
