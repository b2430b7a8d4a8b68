"""What the marketplace must do for the public client, a function per check."""

import csv
import datetime
import io
import time

import exact_types
import seatdata
from adapters import KEYS, NOBODY, STRICT_KEYS, STRICT_URL, URL, raised
from seatdata import exceptions as errors


def account(api):
    body = api.call(api.client(), "get_account")
    assert body["user_id"] == 1 and "@" in body["email"]
    assert body["plans"][0]["id"] == "tiered" and body["plans"][0]["status"] == "active"
    assert body["rate_limits"]["daily_csv"] == {"limit": 20, "window_seconds": 3600}
    assert seatdata.types.parse_timestamp(body["plans"][0]["renews_at"]).tzinfo


def usage(api):
    before = api.call(api.client(), "get_usage")
    api.call(api.client(), "get_event_sales", 1)
    after = api.call(api.client(), "get_usage")
    grown = {k: after["totals"][k] - before["totals"][k] for k in after["totals"]}
    assert grown["salesdata_pulls"] == 1, grown
    assert grown["api_calls"] == 2, grown
    assert any("sales" in row["endpoint"] for row in after["by_endpoint"])


def search(api):
    items = api.call(api.client(), "search_events", event_name="knicks")
    assert [item["event_id"] for item in items] == [1], items
    page = api.call(api.client(), "search_events_page", limit=2)
    assert len(page["data"]) == 2 and page["has_more"] and page["next_cursor"]
    rest = api.call(api.client(), "search_events_page", limit=2, starting_after=page["next_cursor"])
    assert rest["data"][0]["event_id"] not in [item["event_id"] for item in page["data"]]
    past = api.call(api.client(), "search_events", historical=True, event_name="past")
    assert len(past) == 1 and not api.call(api.client(), "search_events", event_name="past")
    one = api.call(
        api.client(),
        "search_events",
        event_date="20",
        venue_name="garden",
        venue_city="new",
        venue_state="NY",
        country_code="US",
        tm_event_id="TM1",
        std_event_id=4001,
        std_venue_id=7,
        venue_slug="garden",
        historical=False,
        limit=10,
    )
    assert len(one) == 1


def search_walk(api):
    items, iterator = api.walk(api.client(), "iter_search_events", limit=2)
    ids = [item["event_id"] for item in items]
    assert len(ids) == len(set(ids)) == 7, ids
    assert iterator.first_page["has_more"] is True


def legacy_search(api):
    answer = api.call(api.client(), "search_events_legacy", event_name="KNICKS")
    assert answer[0]["result_total"] == 1 and answer[0]["items"][0]["event_id"] == 1
    full = api.call(api.client(), "search_events_legacy", historical=True, return_full_response=True)
    assert full[0]["result_total"] == 1 and full[0]["errors"] is False
    assert api.call(api.client(), "search_events_legacy", event_name="東京")[0]["items"] == []


def stats(api):
    page = api.call(api.client(), "get_event_stats", 1)
    assert page["total_count"] == 25 and page["available_zones"] == ["Club", "Lower Bowl"]
    snapshots, _ = api.walk(api.client(), "iter_event_stats", 1, limit=4)
    assert [s["timestamp"] for s in snapshots] == [s["timestamp"] for s in page["data"]]
    middle = page["data"][11]["timestamp"]
    after = api.call(api.client(), "get_event_stats", 1, start_date=middle)
    before, _ = api.walk(api.client(), "iter_event_stats", 1, end_date=middle, limit=5)
    assert len(after["data"]) == 13 and len(before) == 11
    assert set(page["data"][0]["zones"][0]) == {
        "zone_name", "avg_price", "median_price", "get_in", "get_in_qty2plus",
    }


def sales(api):
    page = api.call(api.client(), "get_event_sales", 1)
    assert page["total_count"] == 10 and len(page["sources"]) == 2
    assert all(type(row["listing_id"]) is int and "norm_zone" not in row for row in page["data"])
    by_marketplace = api.call(api.client(), "get_event_sales", event_id_sh="159000001")
    assert by_marketplace["event_id"] == 159000001 and by_marketplace["data"] == page["data"]
    for source, count in (("sh", 10), ("vs", 3), ("all", 13)):
        rows, iterator = api.walk(api.client(), "iter_event_sales", 1, limit=3, source=source)
        assert len(rows) == count == iterator.first_page["total_count"], (source, len(rows))
        times = [row["timestamp"] for row in rows]
        assert times == sorted(times, reverse=True)
    assert type(rows[0]["listing_id"]) in (int, str)
    vs = api.call(api.client(), "get_event_sales", 1, source="vs")["data"]
    assert all(row["zone"] == "" and row["norm_section"] == "101" for row in vs), vs


def walk_costs_one_pull(api):
    before = api.call(api.client(), "get_usage")["totals"]["salesdata_pulls"]
    api.walk(api.client(), "iter_event_sales", 1, limit=1, source="all")
    after = api.call(api.client(), "get_usage")["totals"]["salesdata_pulls"]
    assert after - before == 1


def legacy_sales(api):
    rows = api.call(api.client(), "get_sales_data", event_id="1")
    assert len(rows) == 10 and set(rows[0]) == {
        "timestamp", "quantity", "price", "zone", "section", "row",
    }
    assert api.call(api.client(), "get_sales_data", event_id_sh="159000001") == rows


def listings(api):
    key = KEYS["flat" if api.name == "sync" else "noCsv"]
    first = api.call(api.client(key), "get_listings", event_id="1")
    assert first["has_refreshed"] == 1 and isinstance(first["last_refresh_timestamp"], int)
    again = api.call(api.client(key), "get_listings", event_id_sh="159000001")
    assert again["has_refreshed"] == 0 and again["listings"] == first["listings"]
    assert {row["active"] for row in first["listings"]} == {0, 1}


def batch(api):
    answer = api.call(
        api.client(), "get_event_sales_batch", event_ids=[1, "2", 999], event_ids_sh=[159000001], source="all"
    )
    assert set(answer["results"]) == set(answer["sources"]) == {"1", "2", "159000001"}
    assert answer["errors"] == {"999": "not_found"}
    assert len(answer["results"]["1"]) == 13 and answer["results"]["2"] == []
    assert answer["results"]["159000001"] == answer["results"]["1"]
    assert raised(
        errors.SeatDataInvalidRequestError,
        lambda: api.call(api.client(), "get_event_sales_batch", event_ids=[1], source="x"),
    ).param == "source"


def batch_runs_out(api):
    client = api.client(KEYS["lowBalance" if api.name == "sync" else "quota"])
    answer = api.call(client, "get_event_sales_batch", event_ids=[1, 3, 4, 5, 6, 7])
    assert list(answer["errors"].values()) == ["payment_required"], answer["errors"]
    assert len(answer["results"]) == 5
    error = raised(
        errors.SeatDataPaymentError,
        lambda: api.call(client, "get_event_sales_batch", event_ids=[1, 3]),
    )
    assert error.status_code == 402


def payment(api):
    client = api.client(KEYS["frozen"])
    for method in ("get_event_sales", "get_event_stats"):
        error = raised(errors.SeatDataPaymentError, lambda: api.call(client, method, 1))
        assert error.status_code == 402 and error.message == "payment_required"
    for method in ("get_listings", "get_sales_data"):
        raised(errors.SeatDataPaymentError, lambda: api.call(client, method, event_id="1"))


def not_found(api):
    for method in ("get_event_sales", "get_event_stats"):
        error = raised(errors.SeatDataNotFoundError, lambda: api.call(api.client(), method, 999))
        assert error.error_code == "event_not_found"
    raised(errors.SeatDataNotFoundError, lambda: api.call(api.client(), "get_event_sales", event_id_sh=1))
    raised(errors.SeatDataNotFoundError, lambda: api.walk(api.client(), "iter_event_sales", 999))
    raised(errors.SeatDataNotFoundError, lambda: api.call(api.client(), "get_event_stats", "abc"))


def keys(api):
    error = raised(errors.SeatDataAuthError, lambda: api.call(api.client(NOBODY), "get_account"))
    assert error.error_code == "invalid_api_key"
    raised(errors.SeatDataAuthError, lambda: api.call(api.client(NOBODY), "get_sales_data", event_id="1"))
    error = raised(
        errors.SeatDataSubscriptionError,
        lambda: api.call(api.client(KEYS["unsubscribed"]), "get_account"),
    )
    assert error.status_code == 403


def bad_parameters(api):
    error = raised(
        errors.SeatDataInvalidRequestError,
        lambda: api.call(api.client(), "get_event_sales", 1, limit=201),
    )
    assert error.param == "limit" and error.error_code == "invalid_param"
    error = raised(
        errors.SeatDataInvalidRequestError,
        lambda: api.call(api.client(), "get_event_stats", 1, start_date="soon"),
    )
    assert error.param == "start_date"


def cursor_of_another_filter(api):
    page = api.call(api.client(), "get_event_sales", 1, limit=1, source="all")
    error = raised(
        errors.CursorExpiredError,
        lambda: api.call(
            api.client(), "get_event_sales", 1, limit=1, source="vs", starting_after=page["next_cursor"]
        ),
    )
    assert error.error_code == "invalid_cursor" and error.status_code == 400


def cursor_expiry(api):
    client = api.client(STRICT_KEYS["main"], STRICT_URL)
    for method in ("iter_event_sales", "iter_event_stats"):
        error = raised(errors.CursorExpiredError, lambda: api.walk(client, method, 1, limit=2))
        assert error.items_yielded == 2 and error.last_cursor


def rate_limit(api):
    key = STRICT_KEYS["flat" if api.name == "sync" else "noCsv"]
    hasty = api.client(key, STRICT_URL, max_retries=0)
    for _ in range(2):
        api.call(hasty, "search_events")
    error = raised(errors.SeatDataRateLimitError, lambda: api.call(hasty, "search_events"))
    assert error.retry_after == 1 and error.error_code == "rate_limited"
    before = time.monotonic()
    assert api.call(api.client(key, STRICT_URL), "search_events")
    assert time.monotonic() - before > 0.5, "the retry did not wait for Retry-After"


def event_add(api):
    client = api.client(KEYS["flat" if api.name == "sync" else "noCsv"])
    for submit, status in (
        ("create_event_request", "get_event_request_status"),
        ("event_request_add", "event_request_status"),
    ):
        job = api.call(client, submit, "knicks")
        assert job["status"] == "pending" and job["max_simultaneous"] == 5
        for _ in range(100):
            state = api.call(client, status, job["job_id"])
            if state["status"] not in ("pending", "processing"):
                break
            time.sleep(0.05)
        assert state["status"] == "completed" and state["events_updated"] == 1, state
    raised(errors.SeatDataNotFoundError, lambda: api.call(client, "get_event_request_status", "nope"))
    error = raised(errors.SeatDataServerError, lambda: api.call(client, "create_event_request", "a;b"))
    assert error.status_code == 400


def daily_csv(api):
    text = api.call(api.client(), "download_daily_csv")
    rows = list(csv.DictReader(io.StringIO(text)))
    assert rows[0]["event_id"] and "days_on_service" in rows[0]
    today = datetime.datetime.now(datetime.timezone.utc).strftime("%Y%m%d")
    assert api.call(api.client(), "download_daily_csv", today) == text
    for date, message in (
        ("2026-1-1", "Invalid date format. Use YYYYMMDD."),
        ("29990101", "Cannot request future dates."),
        ("20000101", "Cannot request dates older than 30 days."),
    ):
        error = raised(errors.SeatDataServerError, lambda: api.call(api.client(), "download_daily_csv", date))
        assert (error.status_code, error.message) == (400, message), error.message
    for key in ("noCsv", "unsubscribed"):
        error = raised(
            errors.SeatDataSubscriptionError,
            lambda: api.call(api.client(KEYS[key]), "download_daily_csv"),
        )
        assert error.status_code == 401


def integers_are_integers(api):
    wrong, routes = exact_types.findings(URL, KEYS["main"])
    assert not wrong, wrong
    assert routes == 19, routes


def closing(api):
    client = api.client()
    api.call(client, "get_account")
    if api.name == "sync":
        client.close()
    else:
        api.call(client, "aclose")


CHECKS = [
    account, usage, search, search_walk, legacy_search, stats, sales, walk_costs_one_pull,
    legacy_sales, listings, batch, batch_runs_out, payment, not_found, keys, bad_parameters,
    cursor_of_another_filter, cursor_expiry, rate_limit, event_add, daily_csv,
    integers_are_integers, closing,
]
