"""Calls the watchlist API through the client that openapi-python-client wrote from its document.

Usage: drive_openapi_python_client.py URL KEY, with the client's folder on the path.
"""

import sys
from datetime import datetime

import watchlist.models as m
from tally import Tally
from watchlist import AuthenticatedClient
from watchlist.api.alerts import get_alert, list_alerts
from watchlist.api.api_keys import create_key, list_keys
from watchlist.api.budget import get_budget
from watchlist.api.channels import create_channel
from watchlist.api.deliveries import list_deliveries
from watchlist.api.events import get_event_series
from watchlist.api.rules import preview_rule
from watchlist.api.watches import change_watch, create_watch, explain_watch, get_watch, list_watches
from watchlist.api.watchlist import export_watchlist, import_watchlist

url, key = sys.argv[1:3]
tally = Tally("openapi-python-client of watchlist")
check = tally.check
client = AuthenticatedClient(base_url=url, token=key)

webhook = m.WebhookChannelRequest(kind=m.WebhookKind.WEBHOOK, url="https://example.com/hook", name="client")
channel = create_channel.sync(client=client, body=webhook)
check("channel host", channel.host, "example.com")
check("channel secret", channel.secret.startswith("whsec_"), True)
check("channel version", channel.payload_version, 2)

level = m.LevelRule(type_=m.LevelType.LEVEL, metric=m.LevelRuleMetric.GET_IN, at_or_below=79.55)
request = m.WatchRequest(event_id=4711, rules=[level], channels=[channel.id], tags=["knicks"])
watch = create_watch.sync(client=client, body=request)
check("watch event", watch.event_id, 4711)
check("watch time", isinstance(watch.created_at, datetime), True)
made = watch.rules[0].rule
check("level", (type(made), made.at_or_below), (m.LevelRule, 79.55))
supply = {"type": "supply", "metric": "total_listings_active", "at_or_below": 40}
drop = m.ChangeRule.from_dict(
    {
        **{"type": "change", "metric": "median_price", "drops_by": {"percent": 20}},
        **{"from": {"of": "last_alert"}, "all_of": [supply]},
    }
)
more = [
    drop,
    m.FillRateRule(type_=m.FillRateType.FILL_RATE, at_or_below=60),
    m.AnyChangeRule.from_dict({"type": "any_change", "metric": "get_in"}),
]
other = create_watch.sync(client=client, body=m.WatchRequest(event_id=4711, rules=more, channels=[channel.id]))
change, fill, any_change = [r.rule for r in other.rules]
check("kinds", [type(r) for r in (change, fill, any_change)], [m.ChangeRule, m.FillRateRule, m.AnyChangeRule])
check("change", (change.drops_by.percent, type(change.from_)), (20, m.KeptBaseline))
condition = change.all_of[0]
check("condition", (type(condition), condition.at_or_below), (m.SupplyCondition, 40))
check("fill rate", fill.at_or_below, 60)

listed = list_watches.sync(client=client, include=m.ListWatchesInclude.STANDING, tag="knicks").data
check("list", [row.id for row in listed], [watch.id])
check("standing", listed[0].standing.get_in, 100.5)
check("standing distance", listed[0].standing.rules[0].distance, 20.95)
read = get_watch.sync_detailed(watch.id, client=client)
etag = read.headers["ETag"]
check("etag", etag.split(".")[0], '"1')
unchanged = get_watch.sync_detailed(watch.id, client=client, if_none_match=etag)
check("unchanged", unchanged.status_code, 304)
metrics = [m.GetEventSeriesMetricItem.GET_IN, m.GetEventSeriesMetricItem.MEDIAN_PRICE]
zones = ["Lower Bowl", "Nowhere"]
span = m.GetEventSeriesSpan.VALUE_0
chart = get_event_series.sync(4711, client=client, metric=metrics, zone=zones, span=span)
check("chart", [series.values for series in chart.series], [[120], [None], [120], [None]])
check("chart times", len(chart.times), 1)
level.at_or_below = 75
rules = [m.RuleInChange(id=watch.rules[0].id, rule=level), m.RuleInChange(rule=drop)]
body = m.WatchChange(name="Finals", rules=rules)
changed = change_watch.sync(watch.id, client=client, body=body, if_match=etag)
check("changed", (changed.name, changed.version, len(changed.rules)), ("Finals", 2, 2))
check("changed rule", changed.rules[0].id, watch.rules[0].id)
check("explained", len(explain_watch.sync(watch.id, client=client).rules), 2)

preview = preview_rule.sync(client=client, body=m.PreviewRequest(event_id=4711, rule=level))
check("preview", (preview.count, preview.snapshots), (0, 1))
check("preview time", isinstance(preview.from_, datetime), True)
file = export_watchlist.sync(client=client, format_=m.ExportWatchlistFormat.JSON)
mine = next(row for row in file.watches if row.id == watch.id)
check("export", mine.rules[0].at_or_below, 75)
same = import_watchlist.sync(client=client, body=m.WatchlistFile(watches=file.watches))
check("import", (same.unchanged, same.created, same.refused), (2, 0, 0))

alert = list_alerts.sync(client=client).data[0]
check("alert", (alert.now, alert.level, alert.unit), (74, 80, "dollars"))
check("alert time", isinstance(alert.fired_at, datetime), True)
check("alert by id", get_alert.sync(alert.id, client=client).sentence, alert.sentence)
delivery = list_deliveries.sync(client=client).data[0]
check("delivery", (delivery.status, delivery.channel_kind), ("failed", "email"))
check("delivery of the alert", delivery.alert_ids, [alert.id])
budget = get_budget.sync(client=client)
check("budget", (budget.pulls_left, budget.settings.deployed_daily_cap), (500, 500))
key_request = m.KeyRequest(name="bot", scope=m.KeyRequestScope.READ)
made = create_key.sync(client=client, body=key_request)
check("key", made.key.startswith("getin_"), True)
check("keys", [k.scope for k in list_keys.sync(client=client).data if k.id == made.id], ["read"])

unknown = get_watch.sync(f"wat_{'0' * 32}", client=client)
check("unknown watch", (type(unknown), unknown.status, unknown.type_), (m.Problem, 404, "urn:getin:problem:not-found"))
level.at_or_below = -1
refused = create_watch.sync(client=client, body=m.WatchRequest(event_id=4711, rules=[level]))
check("bad price", (refused.status, refused.errors[0].pointer), (400, "#/rules/0/at_or_below"))
stale = change_watch.sync(watch.id, client=client, body=m.WatchChange(name="Old"), if_match='"1"')
check("stale", (stale.status, stale.type_), (412, "urn:getin:problem:stale-version"))

sys.exit(tally.finish())
