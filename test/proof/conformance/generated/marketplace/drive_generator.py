"""Calls the marketplace through the Python client that openapi-generator wrote from its document.

Usage: drive_generator.py URL KEY, with the client's folder on the path.
"""

import sys

import market
from market.exceptions import NotFoundException
from tally import Tally

url, key = sys.argv[1:3]
tally = Tally("generated python")
check = tally.check
client = market.ApiClient(market.Configuration(host=url, access_token=key))
api = market.DataApi(client)
check("account id", api.get_v1_account().user_id, 1)
check("usage has calls", len(api.get_v1_usage().by_endpoint) > 0, True)
check("search", api.get_v1_events_search(event_name="knicks").data[0].event_id, 1)
check("stats rows", len(api.get_v1_events_event_id_stats(1).data), 25)
listings = api.get_v1_events_event_id_listings(1).data
check("listings rows", len(listings), 13)
check("listing id", listings[0].listing_id, 13_000_000_001)
sales = [row.actual_instance for row in api.get_v1_events_event_id_sales(1, source="all").data]
check("sh sales", sum(row.source == "sh" for row in sales), 10)
vs = [row for row in sales if row.source == "vs"]
check("vs sales", len(vs), 3)
check("vs section", vs[0].norm_section, "101")
check("legacy rows", len(api.get_v03_salesdata_get(event_id=1)), 10)
try:
    api.get_v1_events_event_id_sales(999)
    check("unknown event", "an answer", 404)
except NotFoundException as error:
    check("unknown event", error.status, 404)

sys.exit(tally.finish())
