// Lambda wiring of console.
import { fileURLToPath } from 'node:url';
import { createObservability } from '#shared/lambda/observability.ts';
import { createRouteHandler } from '#shared/lambda/route-handler.ts';
import { answerRequest } from './answer-request.ts';
import { type ConsoleFiles, readConsoleFiles } from './console-files.ts';

let files: ConsoleFiles | undefined;

export const handler = createRouteHandler(async (request) => {
  files ??= readConsoleFiles(fileURLToPath(new URL('files', import.meta.url)));
  return answerRequest(request, files);
}, createObservability());
