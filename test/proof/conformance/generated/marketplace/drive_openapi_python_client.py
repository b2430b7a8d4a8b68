"""Calls the marketplace through the client that openapi-python-client wrote from its document.

Usage: drive_openapi_python_client.py URL KEY, with the client's folder on the path.
"""

import sys

from market import AuthenticatedClient
from market.api.data import (
    get_v0_3_salesdata_get,
    get_v1_account,
    get_v1_events_event_id_listings,
    get_v1_events_event_id_sales,
    get_v1_events_event_id_stats,
    get_v1_events_search,
    get_v1_usage,
)
from market.models import GetV1EventsEventIdSalesSource
from tally import Tally

url, key = sys.argv[1:3]
tally = Tally("openapi-python-client")
check = tally.check
client = AuthenticatedClient(base_url=url, token=key)
check("account id", get_v1_account.sync(client=client).user_id, 1)
check("usage has calls", len(get_v1_usage.sync(client=client).by_endpoint) > 0, True)
found = get_v1_events_search.sync(client=client, event_name="knicks")
check("search", found.data[0].event_id, 1)
check("stats rows", len(get_v1_events_event_id_stats.sync(1, client=client).data), 25)
listings = get_v1_events_event_id_listings.sync(1, client=client).data
check("listings rows", len(listings), 13)
check("listing id", listings[0].listing_id, 13_000_000_001)
sales = get_v1_events_event_id_sales.sync(1, client=client, source=GetV1EventsEventIdSalesSource.ALL).data
check("sh sales", sum(row.source == "sh" for row in sales), 10)
vs = [row for row in sales if row.source == "vs"]
check("vs sales", len(vs), 3)
check("vs section", vs[0].norm_section, "101")
check("legacy rows", len(get_v0_3_salesdata_get.sync(client=client, event_id=1)), 10)
unknown = get_v1_events_event_id_sales.sync_detailed(999, client=client)
check("unknown event", unknown.status_code, 404)
check("unknown event's code", unknown.parsed.error.code, "event_not_found")

sys.exit(tally.finish())
