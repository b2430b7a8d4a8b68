// What Telegram tells its bot.
import type { ApiPart } from '../part.ts';
import { telegramOperation } from '../routes/telegram.ts';

export const part: ApiPart = {
  operations: (deps) => [telegramOperation(deps)],
};
