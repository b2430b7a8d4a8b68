"""Reads the text of every route's answer with types: an integer may not be written as a float.

Python's own parser keeps the two apart (`1` is an int, `1.0` a float), as strict readers do.
"""

import gzip
import json
import time
import urllib.request

INTEGERS = {
    "event_id", "service_event_id", "sh_event_id", "vs_event_id", "listing_id", "timestamp", "quantity",
    "quantity_start", "total_count", "total_listings_all", "total_listings_active", "user_id", "limit",
    "window_seconds", "count", "api_calls", "events_searched", "salesdata_pulls", "listings_pulls",
    "stats_pulls", "daily_csv_downloads", "days_on_service", "std_event_id", "std_venue_id",
    "result_total", "has_refreshed", "last_refresh_timestamp", "active", "active_jobs",
    "max_simultaneous", "events_added", "events_updated", "response_time_ms",
}  # fmt: skip

GETS = [
    "/v1/account", "/v1/usage", "/v1/events/search", "/v1/events/1/listings",
    "/v1/events/1/listings?active=false", "/v1/events/1/stats", "/v1/events/1/sales",
    "/v1/events/1/sales?source=vs", "/v1/events/1/sales?source=all", "/v0.1/salesdata/get?event_id=1",
    "/v0.2/salesdata/get?event_id=1", "/v0.3/salesdata/get?event_id=1",
    "/v0.1/listings/get?event_id=1", "/v0.1.1/listings/get?event_id=1",
]  # fmt: skip

POSTS = {
    "/v1/events/sales/batch?source=all": {"event_ids": [1]},
    "/v0.3/salesdata/batch": {"event_ids": [1], "event_ids_sh": [159000001]},
    "/v0.3.1/events/search": {"event_name": "knicks"},
    "/v0.4/events/event-request-add": {"search_query": "knicks"},
}


def read(url, key, body=None):
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(url, data, {"Authorization": f"Bearer {key}"})
    with urllib.request.urlopen(request, timeout=30) as answer:
        content = answer.read()
        return json.loads(gzip.decompress(content) if answer.headers["Content-Encoding"] else content)


def floats_for_integers(value, name=""):
    """Names of the integer fields that hold a float, wherever they stand."""
    if isinstance(value, dict):
        return [found for key, part in value.items() for found in floats_for_integers(part, key)]
    if isinstance(value, list):
        return [found for part in value for found in floats_for_integers(part, name)]
    return [name] if name in INTEGERS and isinstance(value, float) else []


def findings(url, key):
    """A line per route whose text holds a float for an integer; and the number of routes read."""
    answers = {path: read(url + path, key) for path in GETS}
    answers |= {path: read(url + path, key, body) for path, body in POSTS.items()}
    job = answers["/v0.4/events/event-request-add"]["job_id"]
    time.sleep(0.1)
    status = f"/v0.4/events/event-request-status/{job}/"
    answers[status] = read(url + status, key)
    wrong = {path: floats_for_integers(answer) for path, answer in answers.items()}
    return [f"{path}: {sorted(set(names))}" for path, names in wrong.items() if names], len(answers)
