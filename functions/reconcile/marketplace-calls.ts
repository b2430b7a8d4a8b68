// The marketplace calls that reconcile makes.
import { fetchAccount, fetchUsage } from '#shared/marketplace/account.ts';
import { openDailyCsv } from '#shared/marketplace/daily-csv.ts';
import { fetchSearchPage } from '#shared/marketplace/search.ts';

export const marketplaceCalls = {
  account: fetchAccount,
  usage: fetchUsage,
  dailyCsv: openDailyCsv,
  searchPage: fetchSearchPage,
};
