"""Calls the watchlist API through the Python client that openapi-generator wrote from its document.

Usage: drive_generator.py URL KEY, with the client's folder on the path.
"""

import sys
from datetime import datetime

import watchlist as w
from tally import Tally
from watchlist.exceptions import ApiException

url, key = sys.argv[1:3]
tally = Tally("generated python of watchlist")
check = tally.check
client = w.ApiClient(w.Configuration(host=url, access_token=key))
watches = w.WatchesApi(client)


def rule(of):
    return w.Rule.from_dict(of)


def problem_of(call):
    """The problem that a call is refused with."""
    try:
        call()
    except ApiException as error:
        return error.data
    raise AssertionError("the call was not refused")


webhook = w.WebhookChannelRequest(kind="webhook", url="https://example.com/hook", name="client")
channel = w.ChannelsApi(client).create_channel(w.ChannelRequest(webhook))
check("channel host", channel.host, "example.com")
check("channel secret", channel.secret.startswith("whsec_"), True)
check("channel version", channel.payload_version, 2)

level = {"type": "level", "metric": "get_in", "at_or_below": 79.55}
request = w.WatchRequest(event_id=4711, rules=[rule(level)], channels=[channel.id], tags=["knicks"])
watch = watches.create_watch(request)
check("watch event", watch.event_id, 4711)
check("watch time", isinstance(watch.created_at, datetime), True)
made = watch.rules[0].rule.actual_instance
check("level", (type(made), made.at_or_below.actual_instance), (w.LevelRule, 79.55))
supply = {"type": "supply", "metric": "total_listings_active", "at_or_below": 40}
drop = {
    **{"type": "change", "metric": "median_price", "drops_by": {"percent": 20}},
    **{"from": {"of": "last_alert"}, "all_of": [supply]},
}
more = [drop, {"type": "fill_rate", "at_or_below": 60}, {"type": "any_change", "metric": "get_in"}]
request = w.WatchRequest(event_id=4711, rules=[rule(r) for r in more], channels=[channel.id])
other = watches.create_watch(request)
change, fill, any_change = [r.rule.actual_instance for r in other.rules]
check("kinds", [type(r) for r in (change, fill, any_change)], [w.ChangeRule, w.FillRateRule, w.AnyChangeRule])
check("change", (change.drops_by.percent, type(change.var_from.actual_instance)), (20, w.KeptBaseline))
condition = change.all_of[0].actual_instance
check("condition", (type(condition), condition.at_or_below), (w.SupplyCondition, 40))
check("fill rate", fill.at_or_below, 60)

listed = watches.list_watches(include="standing", tag="knicks").data
check("list", [row.id for row in listed], [watch.id])
check("standing", listed[0].standing.get_in, 100.5)
check("standing distance", listed[0].standing.rules[0].distance, 20.95)
read = watches.get_watch_with_http_info(watch.id)
etag = read.headers["etag"]
check("etag", etag.split(".")[0], '"1')
try:
    unchanged = watches.get_watch_with_http_info(watch.id, if_none_match=etag).status_code
except ApiException as error:
    unchanged = error.status
check("unchanged", unchanged, 304)
zones = ["Lower Bowl", "Nowhere"]
chart = w.EventsApi(client).get_event_series(4711, metric=["get_in", "median_price"], zone=zones, span="24h")
check("chart", [series.values for series in chart.series], [[120], [None], [120], [None]])
check("chart times", len(chart.times), 1)
rules = [
    w.RuleInChange(id=watch.rules[0].id, rule=rule({**level, "at_or_below": 75})),
    w.RuleInChange(rule=rule(drop)),
]
changed = watches.change_watch(watch.id, w.WatchChange(name="Finals", rules=rules), if_match=etag)
check("changed", (changed.name, changed.version, len(changed.rules)), ("Finals", 2, 2))
check("changed rule", changed.rules[0].id, watch.rules[0].id)
check("explained", len(watches.explain_watch(watch.id).rules), 2)

preview = w.RulesApi(client).preview_rule(w.PreviewRequest(event_id=4711, rule=rule(level)))
check("preview", (preview.count, preview.snapshots), (0, 1))
check("preview time", isinstance(preview.var_from, datetime), True)
files = w.WatchlistApi(client)
file = files.export_watchlist(format="json")
mine = next(row for row in file.watches if row.id == watch.id)
check("export", mine.rules[0].actual_instance.at_or_below.actual_instance, 75)
same = files.import_watchlist(w.WatchlistFile(watches=file.watches))
check("import", (same.unchanged, same.created, same.refused), (2, 0, 0))

alerts = w.AlertsApi(client)
alert = alerts.list_alerts().data[0]
check("alert", (alert.now, alert.level, alert.unit), (74, 80, "dollars"))
check("alert time", isinstance(alert.fired_at, datetime), True)
check("alert by id", alerts.get_alert(alert.id).sentence, alert.sentence)
delivery = w.DeliveriesApi(client).list_deliveries().data[0]
check("delivery", (delivery.status, delivery.channel_kind), ("failed", "email"))
check("delivery of the alert", delivery.alert_ids, [alert.id])
budget = w.BudgetApi(client).get_budget()
check("budget", (budget.pulls_left, budget.settings.deployed_daily_cap), (500, 500))
keys = w.APIKeysApi(client)
made = keys.create_key(w.KeyRequest(name="bot", scope="read"))
check("key", made.key.startswith("getin_"), True)
check("keys", [k.scope for k in keys.list_keys().data if k.id == made.id], ["read"])

unknown = problem_of(lambda: watches.get_watch(f"wat_{'0' * 32}"))
check("unknown watch", (type(unknown), unknown.status, unknown.type), (w.Problem, 404, "urn:getin:problem:not-found"))
request = w.WatchRequest(event_id=4711, rules=[rule({**level, "at_or_below": -1})])
refused = problem_of(lambda: watches.create_watch(request))
check("bad price", (refused.status, refused.errors[0].pointer), (400, "#/rules/0/at_or_below"))
stale = problem_of(lambda: watches.change_watch(watch.id, w.WatchChange(name="Old"), if_match='"1"'))
check("stale", (stale.status, stale.type), (412, "urn:getin:problem:stale-version"))

sys.exit(tally.finish())
