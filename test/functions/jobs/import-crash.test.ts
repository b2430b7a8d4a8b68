// A worker of an import that is killed before every sixth of its requests; the exhaustive test kills it before each.
import { describeKills } from '#test/support/import-kills.ts';

describeKills(6);
