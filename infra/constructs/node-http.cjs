// Replaces `node:http` in every bundle. Importing `node:http` into an ES module reads each of its
// properties, and WebSocket, one of them, loads Node's own undici: some 30 ms of each cold start.
// With this module a property is read only when it is used.
module.exports = process.getBuiltinModule('node:http');
