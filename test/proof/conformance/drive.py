"""Drives every method of the public Python client against our marketplace, sync and async.

Usage: drive.py '{"url": ..., "strict_url": ..., "keys": ..., "strict_keys": ...}'
`url` serves without tight limits; `strict_url` expires cursors at once and limits search to two
calls a second. Prints a line per failed check and, last, "N passed, N failed".
"""

import sys
import warnings

import seatdata
from adapters import Async, Sync
from checks import CHECKS

warnings.simplefilter("ignore", DeprecationWarning)


def public_methods(cls):
    return {name for name in vars(cls) if not name.startswith("_") and callable(getattr(cls, name))}


def main():
    used = set()
    passed = failed = 0
    for api in (Sync(), Async()):
        for method in ("call", "walk"):
            plain = getattr(api, method)

            def noted(client, name, *args, plain=plain, **options):
                used.add((type(client), name))
                return plain(client, name, *args, **options)

            setattr(api, method, noted)
        for check in CHECKS:
            try:
                check(api)
                passed += 1
            except Exception as error:  # every check is reported, whatever it met
                failed += 1
                print(f"failed: {api.name} {check.__name__}: {type(error).__name__}: {error}")
    for cls, close in ((seatdata.SeatDataClient, "close"), (seatdata.AsyncSeatDataClient, "aclose")):
        driven = {name for client, name in used if client is cls} | {close}
        missed = public_methods(cls) - driven
        if missed:
            failed += 1
            print(f"failed: {cls.__name__}: never driven: {sorted(missed)}")
        else:
            passed += 1
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


sys.exit(main())
