// Stands for `node:http` in every bundle. To import that module into an ES module reads each of its
// properties once, and one of them, WebSocket, loads the whole of Node's own undici: some 30 ms of each
// cold start for what nothing here uses. What is got this way is read only where it is used.
module.exports = process.getBuiltinModule('node:http');
