"""Verifies signed webhooks with the standardwebhooks package: prints why each one is refused."""

import json
import sys

from standardwebhooks.webhooks import Webhook, WebhookVerificationError


def faults_of(webhook):
    try:
        Webhook(webhook["secret"]).verify(webhook["body"], webhook["headers"])
    except WebhookVerificationError as error:
        return [f"WebhookVerificationError: {error}"]
    return []


with open(sys.argv[1], encoding="utf-8") as file:
    webhooks = json.load(file)
print(json.dumps({name: faults_of(webhook) for name, webhook in webhooks.items()}))
