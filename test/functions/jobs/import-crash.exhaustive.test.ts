// A worker of an import that is killed before each of its requests.
import { describeKills } from '#test/support/import-kills.ts';

describeKills(1);
