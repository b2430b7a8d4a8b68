"""The public client's two faces behind one: every check runs sync and async alike."""

import asyncio
import json
import sys

import seatdata
from seatdata import exceptions as errors

given = json.loads(sys.argv[1])
URL, STRICT_URL = given["url"], given["strict_url"]
KEYS, STRICT_KEYS = given["keys"], given["strict_keys"]
NOBODY = "f" * 64


class Sync:
    name = "sync"

    def client(self, key=KEYS["main"], url=URL, **options):
        return seatdata.SeatDataClient(api_key=key, base_url=url, **options)

    def call(self, client, method, *args, **options):
        return getattr(client, method)(*args, **options)

    def walk(self, client, method, *args, **options):
        iterator = getattr(client, method)(*args, **options)
        return list(iterator), iterator


class Async:
    name = "async"

    def __init__(self):
        self.loop = asyncio.new_event_loop()

    def client(self, key=KEYS["main"], url=URL, **options):
        return seatdata.AsyncSeatDataClient(api_key=key, base_url=url, **options)

    def call(self, client, method, *args, **options):
        return self.loop.run_until_complete(getattr(client, method)(*args, **options))

    def walk(self, client, method, *args, **options):
        iterator = getattr(client, method)(*args, **options)

        async def collect():
            return [item async for item in iterator]

        return self.loop.run_until_complete(collect()), iterator


def raised(expected, work):
    """The error of the expected class, exactly, that `work` raises."""
    try:
        work()
    except errors.SeatDataError as error:
        assert type(error) is expected, f"{type(error).__name__}: {error}"
        return error
    raise AssertionError(f"nothing raised, wanted {expected.__name__}")
